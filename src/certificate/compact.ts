import { CompactSign } from 'jose';
import type { CertificateAlgorithm, CertificateKey } from './keys.ts';
import type { Manifest } from './manifest.ts';
import { isJsonObject, type JsonObject, parseJson } from '../lib/json.ts';

export const flawCodes = [
  'empty',
  'too-large',
  'white-space',
  'json-serialisation',
  'parts',
  'padding',
  'alphabet',
  'trailing-bits',
  'header-form',
  'header-member',
  'typ',
  'alg-none',
  'alg-symmetric',
  'alg-unknown',
  'alg-of-key',
  'kid',
  'signature-length',
  'signature-form',
  'signature',
  'payload-form',
  'payload-version',
  'payload-shape',
  'payload-contradiction',
  'payload-future',
  'result-unreadable',
  'result-cut',
  'result-run',
  'result-interface',
  'result-suites',
  'result-target',
  'result-clock',
  'result-outcome',
  'result-verdict',
  'result-rules',
  'result-cases',
  'result-recorded',
  'result-bytes',
  'result-claims',
] as const;

export type FlawCode = (typeof flawCodes)[number];

/** Reason why a certificate is invalid, or does not match a result. The message quotes hostile input; it is for the operator. */
export interface Flaw {
  readonly code: FlawCode;
  readonly message: string;
}

export const isFlaw = (value: object): value is Flaw => 'code' in value && 'message' in value;

/** Order of P-256 (SEC 2 §2.4.2). */
const p256Order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const halfSignatureBytes = 32;

const readBigEndian = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);

/** Whether a signature has the smaller of the two valid values of s (RFC 7518 §3.4), the only one that certificates use. */
export const isLowS = (signature: Uint8Array): boolean =>
  readBigEndian(signature.subarray(halfSignatureBytes)) <= p256Order / 2n;

/** Converts a signature to the smaller s. */
function toLowS(signature: Uint8Array): Uint8Array {
  if (isLowS(signature)) return signature;
  const low = (p256Order - readBigEndian(signature.subarray(halfSignatureBytes)))
    .toString(16)
    .padStart(2 * halfSignatureBytes, '0');
  return Buffer.concat([signature.subarray(0, halfSignatureBytes), Buffer.from(low, 'hex')]);
}

/** `typ` of a certificate (RFC 7515 §4.1.9): a JWS made for another purpose does not pass for one. */
export const certificateType = 'carrierspec-certificate+jwt';

/** Signs a manifest: a compact JWS (RFC 7515 §7.1) over its JSON, without a line feed. The header has alg, typ and kid, in this order. */
export async function signManifest(manifest: Manifest, { key, kid, alg }: CertificateKey): Promise<string> {
  const jws = await new CompactSign(new TextEncoder().encode(JSON.stringify(manifest)))
    .setProtectedHeader({ alg, typ: certificateType, kid })
    .sign(key);
  if (alg !== 'ES256') return jws;
  const at = jws.lastIndexOf('.') + 1;
  const signature = toLowS(Buffer.from(jws.slice(at), 'base64url'));
  return jws.slice(0, at) + Buffer.from(signature).toString('base64url');
}

/** Parts of a certificate, each in its only valid form; nothing has been verified. */
interface CompactCertificate {
  readonly alg: CertificateAlgorithm;
  readonly kid: string;
  readonly payload: Uint8Array;
  readonly signature: Uint8Array;
}

/** Bytes; the certificate of a full run has about 40 KB. */
const maxCertificateBytes = 4 << 20;

const makeFlaw = (code: FlawCode, message: string): Flaw => ({ code, message });

const segmentNames = ['header', 'payload', 'signature'] as const;

/** Flaw of one part, which must be base64url without padding, in its canonical form (RFC 7515 §2, RFC 4648 §3.5). */
function findPartFlaw(name: string, part: string): Flaw | undefined {
  if (part === '') return makeFlaw('parts', `the ${name} of the certificate is empty`);
  if (part.includes('=')) return makeFlaw('padding', `the ${name} is padded with "=", which a compact JWS never is`);
  const odd = /[^A-Za-z0-9_-]/.exec(part);
  if (odd !== null) return makeFlaw('alphabet', `the ${name} has the character "${odd[0]}", which base64url has not`);
  if (Buffer.from(part, 'base64url').toString('base64url') === part) return undefined;
  return makeFlaw('trailing-bits', `the last character of the ${name} is not the one its bytes have: it was changed`);
}

/** Flaw of the text as a whole, found before its parts are examined. */
function findTextFlaw(text: string): Flaw | undefined {
  if (text.trim() === '') return makeFlaw('empty', 'the certificate is empty');
  if (text.length > maxCertificateBytes)
    return makeFlaw('too-large', `the certificate is larger than ${maxCertificateBytes} bytes`);
  if (text.trimStart().startsWith('{')) {
    return makeFlaw('json-serialisation', 'this is JSON: a certificate is a JWS in the compact serialisation');
  }
  const blank = /\s/.exec(text);
  if (blank !== null)
    return makeFlaw('white-space', `there is white space after ${blank.index} characters: a certificate has none`);
  const parts = text.split('.').length;
  return parts === segmentNames.length
    ? undefined
    : makeFlaw('parts', `a compact JWS has 3 parts, and this has ${parts}`);
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Parses JSON bytes written exactly as we write them: no duplicate member, no white space, no other escapes. */
export function parseExact(bytes: Uint8Array): { readonly value: JsonObject } | { readonly wrong: string } {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return { wrong: 'is not UTF-8' };
  }
  const value = parseJson(text);
  if (!isJsonObject(value)) return { wrong: 'is no JSON object' };
  if (JSON.stringify(value) === text) return { value };
  return { wrong: 'is not written as carrierspec writes it: it has a member twice, blanks or other escapes' };
}

const symmetricAlgorithm = /^HS\d+$/;
const algorithms: readonly CertificateAlgorithm[] = ['RS256', 'ES256', 'EdDSA'];

function readAlgorithm(header: JsonObject): CertificateAlgorithm | Flaw {
  const { alg } = header;
  if (typeof alg !== 'string') return makeFlaw('alg-unknown', 'the header names no alg');
  if (alg.toLowerCase() === 'none') return makeFlaw('alg-none', `alg is ${alg}: it is not signed`);
  if (symmetricAlgorithm.test(alg)) {
    return makeFlaw(
      'alg-symmetric',
      `alg is ${alg}: a verifier could also have made it, with the public key as its secret`,
    );
  }
  const found = algorithms.find((one) => one === alg);
  return found ?? makeFlaw('alg-unknown', `alg is ${alg}; certificates are signed by ${algorithms.join(', ')}`);
}

function readHeader(bytes: Uint8Array): { readonly alg: CertificateAlgorithm; readonly kid: string } | Flaw {
  const read = parseExact(bytes);
  if ('wrong' in read) return makeFlaw('header-form', `the header ${read.wrong}`);
  const header = read.value;
  const alg = readAlgorithm(header);
  if (typeof alg === 'object') return alg;
  const { typ, kid } = header;
  if (typ !== certificateType)
    return makeFlaw('typ', `typ is ${JSON.stringify(typ)}, not ${certificateType}: this is a JWS of another kind`);
  if (typeof kid !== 'string' || kid === '') return makeFlaw('kid', 'the header names no kid');
  const further = Object.keys(header).filter((name) => !['alg', 'typ', 'kid'].includes(name));
  if (further.length > 0) {
    return makeFlaw(
      'header-member',
      `the header has ${further.map((name) => `"${name}"`).join(', ')}: that of a certificate has alg, typ and kid only`,
    );
  }
  if (JSON.stringify({ alg, typ, kid }) !== JSON.stringify(header)) {
    return makeFlaw('header-form', 'the members of the header are not in the order carrierspec writes them in');
  }
  return { alg, kid };
}

/** Splits a certificate into its parts, or returns its first flaw. Every text has at most one reading. */
export function parseCompact(text: string): CompactCertificate | Flaw {
  const whole = findTextFlaw(text);
  if (whole !== undefined) return whole;
  const [header = '', payload = '', signature = ''] = text.split('.');
  // `alg: none` comes with an empty signature (RFC 7515 §A.5): report the header's flaw first.
  const early = signature === '' ? undefined : findPartFlaw('signature', signature);
  const wrong = findPartFlaw('header', header) ?? findPartFlaw('payload', payload) ?? early;
  if (wrong !== undefined) return wrong;
  const read = readHeader(Buffer.from(header, 'base64url'));
  if ('code' in read) return read;
  const bytes = { payload: Buffer.from(payload, 'base64url'), signature: Buffer.from(signature, 'base64url') };
  return findPartFlaw('signature', signature) ?? { ...read, ...bytes };
}
