import { constants, createPublicKey, type KeyObject, type VerifyKeyObjectInput, verify } from 'node:crypto';
import type { JsonObject } from '../../../../model/json.ts';

type Options = Omit<VerifyKeyObjectInput, 'key'>;

interface Algorithm {
  readonly type: string;
  readonly hash: string | null;
  readonly options?: Options;
}

const pss: Options = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
const raw: Options = { dsaEncoding: 'ieee-p1363' };

/** Public-key algorithms of RFC 7518 §3.1 and RFC 8037, each with the type of its key. */
const algorithms: Readonly<Record<string, Algorithm>> = {
  RS256: { type: 'rsa', hash: 'sha256' },
  RS384: { type: 'rsa', hash: 'sha384' },
  RS512: { type: 'rsa', hash: 'sha512' },
  PS256: { type: 'rsa', hash: 'sha256', options: pss },
  PS384: { type: 'rsa', hash: 'sha384', options: pss },
  PS512: { type: 'rsa', hash: 'sha512', options: pss },
  ES256: { type: 'ec', hash: 'sha256', options: raw },
  ES384: { type: 'ec', hash: 'sha384', options: raw },
  ES512: { type: 'ec', hash: 'sha512', options: raw },
  EdDSA: { type: 'ed25519', hash: null },
};

/** Whether a compact JWS verifies with this public JWK; a key that is none verifies nothing. */
export function verifiesWith(jws: string, jwk: JsonObject, alg: unknown): boolean {
  const algorithm = typeof alg === 'string' && Object.hasOwn(algorithms, alg) ? algorithms[alg] : undefined;
  const key = publicKey(jwk);
  const [header, payload, signature] = jws.split('.');
  if (algorithm === undefined || key === undefined || signature === undefined) return false;
  if (key.asymmetricKeyType !== algorithm.type) return false;
  const signed = Buffer.from(`${header}.${payload}`);
  return verify(algorithm.hash, signed, { key, ...algorithm.options }, Buffer.from(signature, 'base64url'));
}

function publicKey(jwk: JsonObject): KeyObject | undefined {
  try {
    return createPublicKey({ key: { ...jwk }, format: 'jwk' });
  } catch {
    return undefined;
  }
}
