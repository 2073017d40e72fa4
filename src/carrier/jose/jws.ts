import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject, sign, verify } from 'node:crypto';
import { promisify } from 'node:util';
import { isJsonObject, type JsonObject, stringMember } from '../json.ts';

const publicMembers: Readonly<Record<string, { alg: string; names: readonly string[] }>> = {
  RSA: { alg: 'RS256', names: ['kty', 'n', 'e'] },
  EC: { alg: 'ES256', names: ['kty', 'crv', 'x', 'y'] },
};
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/** A public JWK of a kind the carrier works with (RSA of 2048 bits or more, EC P-256), or undefined. */
export function importPublicJwk(jwk: unknown): { alg: string; jwk: JsonObject; key: KeyObject } | undefined {
  if (!isJsonObject(jwk) || privateMembers.some((name) => name in jwk)) return undefined;
  const kind = publicMembers[stringMember(jwk, 'kty') ?? ''];
  if (kind === undefined) return undefined;
  const needed = Object.fromEntries(kind.names.map((name) => [name, stringMember(jwk, name) ?? '']));
  const key = importKey(needed);
  if (key === undefined) return undefined;
  const { modulusLength, namedCurve } = key.asymmetricKeyDetails ?? {};
  const strong = kind.alg === 'RS256' ? (modulusLength ?? 0) >= 2048 : namedCurve === 'prime256v1';
  return strong ? { alg: kind.alg, jwk: needed, key } : undefined;
}

function importKey(jwk: Record<string, string>): KeyObject | undefined {
  try {
    return createPublicKey({ key: jwk, format: 'jwk' });
  } catch {
    return undefined;
  }
}

/** A compact JWS, split and decoded, not yet verified (RFC 7515 §3.1). */
export interface CompactJws {
  readonly header: Uint8Array;
  readonly payload: Uint8Array;
  readonly payloadText: string;
  readonly signed: Uint8Array;
  readonly signature: Uint8Array;
}

/** Splits a compact JWS; undefined where it is not exactly three segments of strict base64url (RFC 7515 §2). */
export function parseCompactJws(text: string): CompactJws | undefined {
  const segments = text.split('.');
  const [head, body, tail] = segments;
  if (segments.length !== 3 || head === undefined || body === undefined || tail === undefined) return undefined;
  const header = decodeBase64url(head);
  const payload = decodeBase64url(body);
  const signature = decodeBase64url(tail);
  if (header === undefined || payload === undefined || signature === undefined) return undefined;
  return { header, payload, payloadText: body, signed: Buffer.from(`${head}.${body}`, 'ascii'), signature };
}

/** Encoding again shows padding, `+/`, white space and non-zero tail bits, which Buffer reads over. */
function decodeBase64url(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}

const verifiers: Readonly<Record<string, (jws: CompactJws, key: KeyObject) => boolean>> = {
  RS256: (jws, key) => verify('RSA-SHA256', jws.signed, key, jws.signature),
  ES256: (jws, key) => verify('sha256', jws.signed, { key, dsaEncoding: 'ieee-p1363' }, jws.signature),
};

/** Signing algorithms a request object may use (§5.8 leaves them open). */
export const signingAlgorithms: readonly string[] = Object.keys(verifiers);

export function verifyJws(jws: CompactJws, key: KeyObject, alg: string): boolean {
  return verifiers[alg]?.(jws, key) ?? false;
}

/** The carrier's own key: RS256, made once per process, until it is rotated. */
export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly publicJwk: JsonObject;
}

const makeKeyPair = promisify(generateKeyPair);
let made: Promise<SigningKey> | undefined;

export function carrierSigningKey(): Promise<SigningKey> {
  made ??= newSigningKey(1);
  return made;
}

/** The `number`th key of a carrier. */
export async function newSigningKey(number: number): Promise<SigningKey> {
  const pair = await makeKeyPair('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const publicKey = createPublicKey(pair.publicKey);
  const { n = '', e = '' } = publicKey.export({ format: 'jwk' });
  const kid = `carrierkey${String(number).padStart(2, '0')}`;
  const publicJwk = { kty: 'RSA', kid, alg: 'RS256', use: 'sig', n, e };
  return { kid, privateKey: createPrivateKey(pair.privateKey), publicKey, publicJwk };
}

/** A JWT signed by the carrier. */
export function signJwt(key: SigningKey, typ: string, claims: JsonObject): string {
  const header = { typ, alg: 'RS256', kid: key.kid };
  const input = `${segment(header)}.${segment(claims)}`;
  return `${input}.${sign('RSA-SHA256', Buffer.from(input, 'ascii'), key.privateKey).toString('base64url')}`;
}

function segment(value: JsonObject): string {
  return Buffer.from(JSON.stringify(value), 'utf8').toString('base64url');
}
