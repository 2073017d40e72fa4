import { constants, createPublicKey, type KeyObject, sign, type SignKeyObjectInput, verify } from 'node:crypto';
import { isJsonObject, type JsonObject, stringMember } from '../json.ts';

const publicMembers: Readonly<Record<string, { alg: string; names: readonly string[] }>> = {
  RSA: { alg: 'RS256', names: ['kty', 'n', 'e'] },
  EC: { alg: 'ES256', names: ['kty', 'crv', 'x', 'y'] },
};
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/** Imports a supported public JWK (RSA of 2048 bits or more, EC P-256); returns undefined for any other. */
export function importPublicJwk(jwk: unknown): { alg: string; jwk: JsonObject; key: KeyObject } | undefined {
  if (!isJsonObject(jwk) || privateMembers.some((name) => name in jwk)) return undefined;
  const kind = publicMembers[stringMember(jwk, 'kty') ?? ''];
  if (kind === undefined) return undefined;
  const needed = Object.fromEntries(kind.names.map((name) => [name, stringMember(jwk, name) ?? '']));
  const key = importKey(needed);
  if (key === undefined) return undefined;
  const fit = kind.alg === 'RS256' ? isFitRsa(key) : key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
  return fit ? { alg: kind.alg, jwk: needed, key } : undefined;
}

/** RFC 7518 §3.3, RFC 8017 §3.1: the public exponent is odd and at least 3. */
const isFitRsa = ({ asymmetricKeyDetails: { modulusLength = 0, publicExponent = 0n } = {} }: KeyObject): boolean =>
  modulusLength >= 2048 && publicExponent > 2n && publicExponent % 2n === 1n;

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

/** Splits a compact JWS; undefined unless it is exactly three segments of strict base64url (RFC 7515 §2). */
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

/** Encodes again to detect padding, `+/`, white space and non-zero tail bits, which Buffer ignores. */
function decodeBase64url(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}

type Options = Omit<SignKeyObjectInput, 'key'>;

const pssOptions: Options = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
/** RFC 7518 §3.4: an ECDSA signature is the two numbers, without ASN.1. */
const rawOptions: Options = { dsaEncoding: 'ieee-p1363' };

/** Signing options by algorithm (RFC 7518 §3.1). */
const algorithms: Readonly<Record<string, Options>> = {
  RS256: {},
  PS256: pssOptions,
  ES256: rawOptions,
  ES384: rawOptions,
};

/** Signing algorithms a request object may use (§5.8 leaves them open). */
export const requestObjectAlgorithms: readonly string[] = ['RS256', 'ES256'];

/** The hash of an algorithm (RFC 7518 §3.1). */
export const hashName = (alg: string): string => `sha${/(?:256|384|512)$/.exec(alg)?.[0] ?? '256'}`;

export function verifyJws(jws: CompactJws, key: KeyObject, alg: string): boolean {
  const options = algorithms[alg];
  return options !== undefined && verify(hashName(alg), jws.signed, { key, ...options }, jws.signature);
}

export interface CarrierSigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly publicJwk: JsonObject;
}

export function signJwt({ alg, kid, privateKey }: CarrierSigningKey, typ: string, claims: JsonObject): string {
  const header = { ...(typ === '' ? {} : { typ }), alg, kid };
  return signSegments(JSON.stringify(header), JSON.stringify(claims), { alg, privateKey });
}

/** Signs a header and claims as they are written. */
export function signSegments(
  header: string,
  claims: string,
  { alg, privateKey }: Pick<CarrierSigningKey, 'alg' | 'privateKey'>,
): string {
  const input = `${segment(header)}.${segment(claims)}`;
  const signature = sign(hashName(alg), Buffer.from(input, 'ascii'), { key: privateKey, ...algorithms[alg] });
  return `${input}.${signature.toString('base64url')}`;
}

const segment = (text: string): string => Buffer.from(text, 'utf8').toString('base64url');
