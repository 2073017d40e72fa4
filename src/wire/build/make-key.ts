import { generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import type { JsonObject } from '../../model/json.ts';
import { publicPart } from './keys.ts';

/** A new key pair of an SP as two JWKs (RFC 7517 §4). */
export interface NewKey {
  readonly privateJwk: JsonObject;
  readonly publicJwk: JsonObject;
}

const kinds = {
  RS256: () => promisify(generateKeyPair)('rsa', { modulusLength: 2048 }),
  ES256: () => promisify(generateKeyPair)('ec', { namedCurve: 'P-256' }),
};

/** RSA of 2048 bits or EC on P-256. The kid keeps to §2.2: letters and digits, 36 at most. */
export async function makeKey(alg: 'RS256' | 'ES256', name: string): Promise<NewKey> {
  const { privateKey } = await kinds[alg]();
  const members = Object.entries(privateKey.export({ format: 'jwk' }));
  const jwk = Object.fromEntries(members.flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])));
  const kid = `${name.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 20)}${randomBytes(6).toString('hex')}`;
  const facts = { kid, alg, use: 'sig' };
  return { privateJwk: { ...jwk, ...facts }, publicJwk: { ...publicPart(jwk), ...facts } };
}
