import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { isJsonObject, type JsonObject, parseJson } from '../model/json.ts';
import type { ClientKey } from '../model/target.ts';
import { at, type Cursor, text } from '../suite/yaml/cursor.ts';
import { readSource } from './read-source.ts';
import type { Reader } from './reader.ts';

const algorithms: Readonly<Record<string, string>> = { RSA: 'RS256', EC: 'ES256' };

/** A private key from its file or variable, with the kid and the algorithm the target file gives it. */
export function loadKey(cursor: Cursor, reader: Reader): ClientKey | undefined {
  const read = readSource(cursor, reader);
  if (read === undefined) return undefined;
  const { content, name, place } = read;
  const unusable = (message: string): undefined => reader.complain(place, 'key-unusable', `${name} ${message}`);
  const jwk = content.includes('-----BEGIN') ? jwkOfPem(content) : parseJson(content);
  if (typeof jwk === 'string') return unusable(`is no private key: ${jwk}`);
  if (!isJsonObject(jwk)) return unusable('is no private JWK: it holds no JSON object');
  const key = privateKey(jwk);
  if (typeof key === 'string') return unusable(`is no private JWK: ${key}`);
  const alg = text(at(cursor, 'alg')) ?? stringOf(jwk['alg']) ?? algorithms[stringOf(jwk['kty']) ?? ''] ?? '';
  const unfit = whyUnfit(key, alg) ?? whyUnable(key, jwk);
  if (unfit !== undefined) return unusable(`cannot be used: ${unfit}`);
  const kid = text(at(cursor, 'kid')) ?? stringOf(jwk['kid']);
  if (kid === undefined) {
    return reader.complain(cursor, 'key-unusable', `${name} has no kid, and the target file names none`);
  }
  return { kid, alg, jwk };
}

/** A PEM as a JWK, or what is wrong with it. */
function jwkOfPem(pem: string): unknown {
  if (!/PRIVATE KEY-----/.test(pem)) return 'it is a PEM without a private key';
  if (/ENCRYPTED/.test(pem)) return 'it is encrypted';
  try {
    return { ...createPrivateKey(pem).export({ format: 'jwk' }) };
  } catch {
    return 'it is no PEM of a private key';
  }
}

const stringOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** The key, or what is wrong with it without a word of the key itself. */
function privateKey(jwk: JsonObject): KeyObject | string {
  if (jwk['kty'] !== 'RSA' && jwk['kty'] !== 'EC') return 'kty is neither RSA nor EC';
  if (typeof jwk['d'] !== 'string') return 'it has no private member d';
  try {
    return createPrivateKey({ key: { ...jwk }, format: 'jwk' });
  } catch {
    return 'its members are no key';
  }
}

/** RFC 7518 §3.3 and §3.4. */
const leastBits = 2048;

function whyUnfit({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject, alg: string) {
  if (alg === 'RS256') {
    if (type !== 'rsa') return 'RS256 needs an RSA key';
    const bits = details?.modulusLength ?? 0;
    return bits < leastBits ? `RS256 needs at least ${leastBits} bits, and it has ${bits}` : undefined;
  }
  if (alg === 'ES256') {
    return details?.namedCurve === 'prime256v1' ? undefined : 'ES256 needs an EC key on the curve P-256';
  }
  return 'its alg is neither RS256 nor ES256';
}

/** What would else come up as a carrier that refuses every signature, or as an error in the middle of the run. */
function whyUnable(key: KeyObject, jwk: JsonObject): string | undefined {
  const operations = jwk['key_ops'];
  if (operations !== undefined && JSON.stringify(operations) !== '["sign"]') return 'its key_ops are not ["sign"]';
  try {
    const probe = Buffer.from('probe');
    if (verify('sha256', probe, createPublicKey(key), sign('sha256', probe, key))) return undefined;
  } catch {
    // The same answer: there is no more to say without a word of the key.
  }
  return 'its private and public members do not belong together';
}
