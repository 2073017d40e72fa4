import type { KeyObject } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { makeKeyPairSync } from '../lib/key-pair.ts';
import { isJsonObject, type JsonObject, parseJson } from '../lib/json.ts';
import { parsePublicKeys, parseSigningKey } from './keys.ts';

function jwkOf(key: KeyObject, further: JsonObject = {}): JsonObject {
  const jwk = parseJson(JSON.stringify({ ...key.export({ format: 'jwk' }), ...further }));
  if (!isJsonObject(jwk)) throw new Error('the key of the test is none');
  return jwk;
}

const ec = makeKeyPairSync({ namedCurve: 'P-256' });
const rsa = makeKeyPairSync({ modulusLength: 2048 });
const okp = makeKeyPairSync('ed25519');
const weak = makeKeyPairSync({ modulusLength: 1024 });
const nearlyStrong = makeKeyPairSync({ modulusLength: 2047 });
const otherCurve = makeKeyPairSync({ namedCurve: 'P-384' });
const shared = { kty: 'oct', k: 'c2VjcmV0' };

/** A complete RSA key with another key's modulus. */
const mixed = {
  ...jwkOf(rsa.privateKey),
  n: jwkOf(makeKeyPairSync({ modulusLength: 2048 }).publicKey)['n'] ?? '',
};

describe('a key that signs', () => {
  test.each([
    ['ES256', ec, {}],
    ['RS256', rsa, {}],
    ['EdDSA', okp, {}],
    ['EdDSA', okp, { alg: 'Ed25519' }],
    ['ES256', ec, { alg: 'ES256', use: 'sig', key_ops: ['sign'] }],
  ])('%s', async (alg, pair, further) => {
    expect(await parseSigningKey(jwkOf(pair.privateKey, { kid: 'lab', ...further }))).toMatchObject({
      kid: 'lab',
      alg,
    });
  });

  test('without a kid is named by its thumbprint, and so is its public part', async () => {
    const signing = await parseSigningKey(jwkOf(ec.privateKey));
    const verifying = await parsePublicKeys(jwkOf(ec.publicKey));
    const kid = 'kid' in signing ? signing.kid : '';
    expect(kid).toMatch(/^[\w-]{43}$/);
    expect(verifying).toMatchObject([{ kid }]);
  });

  test.each([
    ['a text', 'x', 'is no private JWK: it holds no JSON object'],
    ['a shared secret', shared, 'is a shared secret: a verifier could also sign'],
    ['no kty', { d: 'x' }, 'is no private JWK: kty is neither RSA nor EC nor OKP'],
    ['a public key', jwkOf(ec.publicKey), 'is no private JWK: it has no private member d'],
    ['no key', { kty: 'EC', crv: 'P-256', d: 'x', x: 'y', y: 'z' }, 'is no private JWK: its members are no key'],
    ['2047 bits', jwkOf(nearlyStrong.privateKey), 'cannot be used: RS256 needs at least 2048 bits, and it has 2047'],
    ['1024 bits', jwkOf(weak.privateKey), 'cannot be used: RS256 needs at least 2048 bits, and it has 1024'],
    ['P-384', jwkOf(otherCurve.privateKey), 'cannot be used: its curve is not P-256'],
    ['another alg', jwkOf(rsa.privateKey, { alg: 'PS256' }), 'cannot be used: its alg is PS256, and it can do RS256'],
    ['encryption', jwkOf(ec.privateKey, { use: 'enc' }), 'cannot be used: its use is not "sig"'],
    [
      'other operations',
      jwkOf(ec.privateKey, { key_ops: ['deriveKey'] }),
      'cannot be used: its key_ops do not have "sign"',
    ],
  ])('%s is refused', async (_, jwk, wrong) => {
    expect(await parseSigningKey(jwk)).toEqual({ wrong });
  });

  test('members of two keys are refused, whoever notices first', async () => {
    const key = await parseSigningKey(mixed);
    expect('wrong' in key && key.wrong).toMatch(/no key$|do not belong together$/);
  });
});

describe('a key that verifies', () => {
  test.each([
    ['a private key', jwkOf(ec.privateKey), 'is a private key: verify with its public part, and keep it to yourself'],
    ['a shared secret', shared, 'is a shared secret, which proves nothing about who signed'],
    ['a text', 'x', 'is no public JWK: it holds no JSON object'],
    ['a set that is none', { keys: 'x' }, 'is no JWK Set: keys is no list'],
    ['an empty set', { keys: [] }, 'has no key that can verify a certificate'],
    [
      'a set of others',
      { keys: [shared] },
      'has no key that can verify a certificate: the first is a shared secret, which proves nothing about who signed',
    ],
  ])('%s is refused', async (_, jwk, wrong) => {
    expect(await parsePublicKeys(jwk)).toEqual({ wrong });
  });

  test('of a set, those that cannot verify are passed over', async () => {
    const set = {
      keys: [
        shared,
        jwkOf(otherCurve.publicKey),
        jwkOf(ec.publicKey, { kid: 'a' }),
        jwkOf(okp.publicKey, { kid: 'b' }),
      ],
    };
    expect(await parsePublicKeys(set)).toMatchObject([
      { kid: 'a', alg: 'ES256' },
      { kid: 'b', alg: 'EdDSA' },
    ]);
  });
});
