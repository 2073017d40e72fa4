import { memoizeByObject } from '../lib/lists.ts';
import { constants, createPublicKey, type KeyObject, type VerifyKeyObjectInput, verify } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../lib/json.ts';

/** JSON object in one segment of a compact JWS or JWE, or undefined. */
export function decodeSegment(segment: string | undefined): JsonObject | undefined {
  const parsed = parseJson(Buffer.from(segment ?? '', 'base64url').toString('utf8'));
  return isJsonObject(parsed) ? parsed : undefined;
}

/** Header and claims of a compact JWS, unverified; undefined if it is not one (RFC 7515 §3.1). */
export function decodeCompactJws(text: unknown): { header: JsonObject; claims: JsonObject } | undefined {
  if (typeof text !== 'string') return undefined;
  const segments = text.split('.');
  if (segments.length !== 3) return undefined;
  const header = decodeSegment(segments[0]);
  const claims = decodeSegment(segments[1]);
  return header === undefined || claims === undefined ? undefined : { header, claims };
}

/** aud of a JWT; a list with one entry becomes that entry, because RFC 7519 §4.1.3 allows both forms for a single audience. */
export function readAudience({ aud }: JsonObject): Json | undefined {
  const list: readonly Json[] = Array.isArray(aud) ? aud : [];
  return list.length === 1 ? list[0] : aud;
}

type VerifyOptions = Omit<VerifyKeyObjectInput, 'key'>;

interface JwsAlgorithm {
  readonly types: readonly string[];
  readonly hash: string | null;
  readonly options?: VerifyOptions;
}

const pssPadding: VerifyOptions = {
  padding: constants.RSA_PKCS1_PSS_PADDING,
  saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
};
const rawSignature: VerifyOptions = { dsaEncoding: 'ieee-p1363' };

/** Public-key algorithms of RFC 7518 §3.1, RFC 8037, RFC 8812 and RFC 9864, each with its key types. */
const algorithms: Readonly<Record<string, JwsAlgorithm>> = {
  RS256: { types: ['rsa'], hash: 'sha256' },
  RS384: { types: ['rsa'], hash: 'sha384' },
  RS512: { types: ['rsa'], hash: 'sha512' },
  PS256: { types: ['rsa'], hash: 'sha256', options: pssPadding },
  PS384: { types: ['rsa'], hash: 'sha384', options: pssPadding },
  PS512: { types: ['rsa'], hash: 'sha512', options: pssPadding },
  ES256: { types: ['ec'], hash: 'sha256', options: rawSignature },
  ES384: { types: ['ec'], hash: 'sha384', options: rawSignature },
  ES512: { types: ['ec'], hash: 'sha512', options: rawSignature },
  ES256K: { types: ['ec'], hash: 'sha256', options: rawSignature },
  ESP256: { types: ['ec'], hash: 'sha256', options: rawSignature },
  ESP384: { types: ['ec'], hash: 'sha384', options: rawSignature },
  ESP512: { types: ['ec'], hash: 'sha512', options: rawSignature },
  EdDSA: { types: ['ed25519', 'ed448'], hash: null },
  Ed25519: { types: ['ed25519'], hash: null },
  Ed448: { types: ['ed448'], hash: null },
};

/** Characters of an RSA exponent in base64url, 64 bits: a longer one only slows verification down. */
const maxExponentLength = 11;

const importPublicKey = memoizeByObject((jwk: JsonObject): KeyObject | undefined => {
  if (typeof jwk['e'] === 'string' && jwk['e'].length > maxExponentLength) return undefined;
  try {
    return createPublicKey({ key: { ...jwk }, format: 'jwk' });
  } catch {
    return undefined;
  }
});

/** Whether a compact JWS verifies with this public JWK; an invalid JWK, or one too small for the algorithm, verifies nothing. */
export function verifyWithKey(jws: string, jwk: JsonObject, alg: unknown): boolean {
  const algorithm = typeof alg === 'string' && Object.hasOwn(algorithms, alg) ? algorithms[alg] : undefined;
  const key = importPublicKey(jwk);
  const [header, payload, signature] = jws.split('.');
  if (algorithm === undefined || key === undefined || signature === undefined) return false;
  if (!algorithm.types.includes(key.asymmetricKeyType ?? '')) return false;
  const signed = Buffer.from(`${header}.${payload}`);
  try {
    return verify(algorithm.hash, signed, { key, ...algorithm.options }, Buffer.from(signature, 'base64url'));
  } catch {
    return false;
  }
}

/** Whether one of these public JWKs verifies a compact JWS with the algorithm of its header. */
export function verifyWithAny(jws: string, keys: readonly JsonObject[]): boolean {
  const alg = decodeCompactJws(jws)?.header['alg'];
  return keys.some((key) => verifyWithKey(jws, key, alg));
}
