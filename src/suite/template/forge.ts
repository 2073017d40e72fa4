import { createHmac, createPublicKey, sign } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts';
import { makeKeyPairSync } from '../../lib/key-pair.ts';
import { MissingValue } from '../../model/suite.ts';

const segment = (value: JsonObject): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function signWithPublicKey(input: string, keys: Json): string {
  const all: readonly Json[] = Array.isArray(keys) ? keys : [];
  const key = all.find(isJsonObject);
  if (key === undefined) throw new MissingValue('public key for forged()');
  const pem = createPublicKey({ key: { ...key }, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
  return createHmac('sha256', pem).update(input).digest('base64url');
}

type Forgery = (typ: JsonObject, payload: string, keys: Json) => string;

/** RFC 8725: the forgeries that a careless verifier of a JWT takes. */
const forgeries: Readonly<Record<string, Forgery>> = {
  none: (typ, payload) => `${segment({ ...typ, alg: 'none' })}.${payload}.`,
  hmac: (typ, payload, keys) => {
    const input = `${segment({ ...typ, alg: 'HS256' })}.${payload}`;
    return `${input}.${signWithPublicKey(input, keys)}`;
  },
  'own-key': (typ, payload) => {
    const { privateKey, publicKey } = makeKeyPairSync({ namedCurve: 'P-256' });
    // A public key as JWK has text members only.
    const jwk = publicKey.export({ format: 'jwk' }) as JsonObject;
    const input = `${segment({ ...typ, alg: 'ES256', jwk })}.${payload}`;
    return `${input}.${sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
  },
};

/**
 * A JWT with the claims of another one, and a signature that the issuer did not make: `none`, `hmac` with its public key, or `own-key` in the header.
 * An opaque token has no claims to copy, so its forgery has none.
 */
export function forgeToken(token: string, how: string, keys: Json): string {
  const forge = Object.hasOwn(forgeries, how) ? forgeries[how] : undefined;
  if (forge === undefined) throw new MissingValue(`forgery ${how}: there are ${Object.keys(forgeries).join(', ')}`);
  const [, payload] = token.split('.');
  return forge({ typ: 'at+jwt' }, payload === undefined || payload === '' ? segment({}) : payload, keys);
}
