import { type KeyObject, sign } from 'node:crypto';
import { copyJson, isJsonObject, type JsonObject } from '../lib/json.ts';
import { expect, test } from 'vitest';
import { makeKeyPairSync } from '../lib/key-pair.ts';
import { verifyWithKey } from './compact-jws.ts';

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function signWith(alg: string, hash: string | null, key: KeyObject): string {
  const signed = `${encode({ alg })}.${encode({ sub: 'x' })}`;
  const signature = sign(hash, Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

const ec = (namedCurve: string) => makeKeyPairSync({ namedCurve });

function publicJwk(key: KeyObject): JsonObject {
  const jwk = copyJson(key.export({ format: 'jwk' }));
  if (!isJsonObject(jwk)) throw new Error('no JWK');
  return jwk;
}

test.each([
  ['ES256K', 'sha256', ec('secp256k1')],
  ['ESP384', 'sha384', ec('P-384')],
  ['EdDSA', null, makeKeyPairSync('ed448')],
  ['Ed448', null, makeKeyPairSync('ed448')],
  ['Ed25519', null, makeKeyPairSync('ed25519')],
])('%s verifies with its key, and with no other', (alg, hash, { publicKey, privateKey }) => {
  const jws = signWith(alg, hash, privateKey);
  expect(verifyWithKey(jws, publicJwk(publicKey), alg)).toBe(true);
  expect(verifyWithKey(jws, publicJwk(ec('P-256').publicKey), alg)).toBe(false);
  expect(verifyWithKey(jws, publicJwk(publicKey), 'RS256')).toBe(false);
});

test.each([
  ['of 64 bits', 8, true],
  ['of 72 bits, which only slows it down', 9, false],
])('an RSA exponent %s verifies: %s', (_, bytes, verifies) => {
  const { publicKey, privateKey } = makeKeyPairSync({ modulusLength: 2048 });
  const exponent = Buffer.alloc(bytes);
  exponent.writeUIntBE(65_537, bytes - 3, 3);
  const jwk = { ...publicJwk(publicKey), e: exponent.toString('base64url') };
  expect(verifyWithKey(signWith('RS256', 'sha256', privateKey), jwk, 'RS256')).toBe(verifies);
});
