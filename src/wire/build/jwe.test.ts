import { createPrivateKey, privateDecrypt, constants } from 'node:crypto';
import { compactDecrypt, importJWK } from 'jose';
import { describe, expect, test } from 'vitest';
import { makeKeyPairSync } from '../../lib/key-pair.ts';
import type { JsonObject } from '../../lib/json.ts';
import { alterationNames, alterJwe, describeAlteration, makeJwe } from './jwe.ts';

const jwkOf = (key: { export: (as: { format: 'jwk' }) => object }): JsonObject =>
  Object.fromEntries(Object.entries(key.export({ format: 'jwk' })).map(([name, value]) => [name, String(value)]));

const rsa = makeKeyPairSync({ modulusLength: 2048 });
const ec = makeKeyPairSync({ namedCurve: 'P-256' });
const published = { keys: [jwkOf(ec.publicKey), { ...jwkOf(rsa.publicKey), kid: 'one' }] };
const claims = { sub: 'someone', jti: 'é' };
const enc = 'A256GCM';

const opened = async (jwe: string, jwk: JsonObject, alg: string): Promise<unknown> => {
  const { plaintext } = await compactDecrypt(jwe, await importJWK({ ...jwk }, alg));
  return JSON.parse(new TextDecoder().decode(plaintext));
};

describe('a JWE that another library reads', () => {
  test.each([
    ['RSA-OAEP', jwkOf(rsa.privateKey)],
    ['RSA-OAEP-256', jwkOf(rsa.privateKey)],
    ['ECDH-ES', jwkOf(ec.privateKey)],
  ])('%s, to the key of its kind in a set', async (alg, key) =>
    expect(await opened(makeJwe({ header: { alg, enc }, claims, to: published }), key, alg)).toEqual(claims),
  );

  test.each(['dir', 'A256KW'])('%s, with zeros', async (alg) => {
    const jwe = makeJwe({ header: { alg, enc }, claims, to: { kty: 'oct', k: '' } });
    expect(await opened(jwe, { kty: 'oct', k: Buffer.alloc(32).toString('base64url') }, alg)).toEqual(claims);
  });

  test('to the first that is a key, and long enough for the algorithm', async () => {
    const short = jwkOf(makeKeyPairSync({ modulusLength: 512 }).publicKey);
    const off = { kty: 'EC', crv: 'P-256', x: 'AAAA', y: 'AAAA' };
    const keys = [null, { kty: 'RSA' }, { kty: 'RSA', n: '', e: '' }, short, off, ...published.keys];
    for (const [alg, key] of [
      ['RSA-OAEP-256', jwkOf(rsa.privateKey)],
      ['ECDH-ES', jwkOf(ec.privateKey)],
    ] as const) {
      expect(await opened(makeJwe({ header: { alg, enc }, claims, to: { keys } }), key, alg)).toEqual(claims);
    }
  });

  test('to nobody, where no key fits', async () => {
    const jwe = makeJwe({ header: { alg: 'RSA-OAEP', enc }, claims, to: { keys: [] } });
    await expect(opened(jwe, jwkOf(rsa.privateKey), 'RSA-OAEP')).rejects.toThrow();
  });
});

test('RSA1_5', () => {
  const [, key = ''] = makeJwe({ header: { alg: 'RSA1_5', enc }, claims, to: published }).split('.');
  const raw = createPrivateKey({ key: { ...jwkOf(rsa.privateKey) }, format: 'jwk' });
  const block = privateDecrypt({ key: raw, padding: constants.RSA_NO_PADDING }, Buffer.from(key, 'base64url'));
  expect([block[0], block[1], block[block.length - 33]]).toEqual([0, 2, 0]);
});

test('the header stands as it is given, with rounds that nobody should make', () => {
  const header = { alg: 'PBES2-HS512+A256KW', enc, p2c: 2_147_483_648 };
  const [first = '', key = ''] = makeJwe({ header, claims, to: null }).split('.');
  expect(JSON.parse(Buffer.from(first, 'base64url').toString('utf8'))).toEqual(header);
  expect(Buffer.from(key, 'base64url')).toHaveLength(40);
});

test('with zip the claims are compressed', () => {
  const large = { claims: { x: 'x'.repeat(100_000) }, to: published };
  expect(makeJwe({ header: { alg: 'RSA-OAEP-256', enc, zip: 'DEF' }, ...large }).length).toBeLessThan(2000);
});

describe('an altered JWE', () => {
  const jwe = makeJwe({ header: { alg: 'A256KW', enc, kid: 'one' }, claims, to: { kty: 'oct', k: '' } });
  const zeros = { kty: 'oct', k: Buffer.alloc(32).toString('base64url') };

  test.each(alterationNames)('%s: one part differs, and it is no longer read', async (name) => {
    const altered = alterJwe(jwe, name) ?? '';
    const [before, after] = [jwe.split('.'), altered.split('.')];
    expect(after.filter((part, at) => part !== before[at])).toHaveLength(1);
    await expect(opened(altered, zeros, 'A256KW')).rejects.toThrow();
  });

  test('a bit of the header leaves a header of the same algorithms', () => {
    const [first = ''] = (alterJwe(jwe, 'header-bit') ?? '').split('.');
    const header: unknown = JSON.parse(Buffer.from(first, 'base64url').toString('utf8'));
    expect(header).toMatchObject({ alg: 'A256KW', enc });
    expect(header).not.toEqual({ alg: 'A256KW', enc, kid: 'one' });
  });

  test('a part that is empty gets a byte', () => {
    const direct = makeJwe({ header: { alg: 'dir', enc }, claims, to: zeros });
    expect((alterJwe(direct, 'key-bit') ?? '').split('.')[1]).toBe('AA');
  });

  test('no JWE, and no such alteration', () => {
    expect(alterationNames.filter((name) => describeAlteration(name).includes(name))).toEqual([]);
    expect(describeAlteration('tag-bit')).toBe('one bit of the tag flipped');
    expect(alterJwe('a.b.c', 'tag-bit')).toBeUndefined();
    expect(() => alterJwe(jwe, 'tag-bite')).toThrow(new TypeError('unknown alteration tag-bite'));
  });
});
