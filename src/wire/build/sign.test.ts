import { createHmac, createPublicKey, verify } from 'node:crypto';
import fc from 'fast-check';
import { compactVerify, importJWK } from 'jose';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../lib/json.ts';
import { buildClient, ecKey, rsaKey } from '../../testing/parts/keys.ts';
import { createKeyRing, type SigningKey } from './keys.ts';
import { signCompact } from './sign.ts';

const ring = createKeyRing();
const client = buildClient({ keys: [rsaKey(), ecKey()], secret: 'a-secret-of-the-registration' });
const keyOf = (name: string | undefined): Promise<SigningKey> => ring.find(name, client, undefined);

const segments = (jws: string): readonly string[] => jws.split('.');
const decoded = (segment: string | undefined): string => Buffer.from(segment ?? '', 'base64url').toString('utf8');

/** Payload and header, as jose verifies them with the public key. */
async function verified(jws: string, key: SigningKey) {
  const alg = typeof key.publicJwk?.['crv'] === 'string' ? 'ES256' : 'RS256';
  const publicKey = key.publicJwk === undefined ? key.jose : await importJWK({ ...key.publicJwk }, alg);
  const { payload, protectedHeader } = await compactVerify(jws, publicKey);
  return { payload: Buffer.from(payload).toString('utf8'), header: { ...protectedHeader } };
}

describe('signatures that jose verifies', () => {
  test.each([
    [undefined, { alg: 'RS256', typ: 'JWT', kid: 'conftestkey01' }],
    ['second', { typ: 'JWT', kid: 'b', alg: 'ES256', extra: { a: [1, 'é'] } }],
    ['unregistered', { alg: 'RS256' }],
    ['secret', { alg: 'HS256', typ: 'JWT' }],
  ])('key %s', async (name, header) => {
    const key = await keyOf(name);
    const payload = '{"a":1e3,"a":"\\ud83d\\ude00é","b":[ ]}';
    const jws = await signCompact(payload, header, key);
    expect(await verified(jws, key)).toEqual({ payload, header });
  });

  test('any payload text and any header come back as they were', async () => {
    const key = await keyOf('second');
    const texts = fc.string({ unit: 'grapheme' });
    const names = fc.stringMatching(/^x[a-z]{1,8}$/);
    const property = fc.asyncProperty(texts, fc.dictionary(names, texts), async (payload, more) => {
      const header = { alg: 'ES256', ...more };
      expect(await verified(await signCompact(payload, header, key), key)).toEqual({ payload, header });
    });
    await fc.assert(property, { numRuns: 50 });
  });
});

describe('a header that does not fit the key', () => {
  const publicOf = (key: SigningKey) => createPublicKey({ key: { ...key.publicJwk }, format: 'jwk' });
  const input = (jws: string): Buffer => Buffer.from(segments(jws).slice(0, 2).join('.'));
  const signature = (jws: string): Buffer => Buffer.from(segments(jws)[2] ?? '', 'base64url');

  test.each<[string, JsonObject]>([
    ['alg none', { alg: 'none', typ: 'JWT' }],
    ['alg of another spelling', { alg: 'rs256' }],
    ['alg of another kind of key', { alg: 'ES256' }],
    ['HMAC over a public key', { alg: 'HS256' }],
    ['no alg', { typ: 'JWT', kid: 'conftestkey01' }],
    ['alg that is a number', { alg: 5 }],
    ['alg that is null', { alg: null }],
    ['alg that is empty', { alg: '' }],
    ['crit with an unknown name', { alg: 'RS256', crit: ['x'], x: 1 }],
    ['b64 false', { alg: 'RS256', b64: false, crit: ['b64'] }],
    ['an empty header', {}],
  ])('%s is sent as given, signed by the key’s own algorithm', async (_, header) => {
    const key = await keyOf(undefined);
    const jws = await signCompact('{"a":1}', header, key);
    expect(segments(jws)).toHaveLength(3);
    expect(decoded(segments(jws)[0])).toBe(JSON.stringify(header));
    expect(decoded(segments(jws)[1])).toBe('{"a":1}');
    expect(verify('sha256', input(jws), publicOf(key), signature(jws))).toBe(true);
  });

  test.each(['RS384', 'RS512', 'PS256', 'PS384', 'PS512'])('RSA can make %s: jose verifies it', async (alg) => {
    const key = await keyOf(undefined);
    const jws = await signCompact('{}', { alg }, key);
    const { protectedHeader } = await compactVerify(jws, await importJWK({ ...key.publicJwk }, alg));
    expect(protectedHeader).toEqual({ alg });
  });

  test('another hash over an EC key', async () => {
    const key = await keyOf('second');
    const jws = await signCompact('{}', { alg: 'ES512' }, key);
    const ec = { key: publicOf(key), dsaEncoding: 'ieee-p1363' } as const;
    expect(signature(jws)).toHaveLength(64);
    expect(verify('sha512', input(jws), ec, signature(jws))).toBe(true);
  });

  test('a secret signs by HMAC, with any alg in the header', async () => {
    const jws = await signCompact('{}', { alg: 'RS256' }, await keyOf('secret'));
    const expected = createHmac('sha256', 'a-secret-of-the-registration').update(input(jws)).digest();
    expect(signature(jws).equals(expected)).toBe(true);
  });
});
