import { createPublicKey } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { buildClient, ecKey, referenceKey, rsaKey } from '../../testing/parts/keys.ts';
import { createKeyRing } from './keys.ts';

const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

describe('the keys of a run', () => {
  const main = buildClient({ keys: [rsaKey(), ecKey()] });
  const second = buildClient({ name: 'second', keys: [referenceKey('second-conftestkey02')] });

  test('the public JWK has the public members and no other', async () => {
    const ring = createKeyRing();
    const [rsa, ec, made] = await Promise.all([
      ring.find(undefined, main, second),
      ring.find('second', main, second),
      ring.find('unregistered', main, second),
    ]);
    expect(Object.keys(rsa.publicJwk ?? {}).toSorted()).toEqual(['e', 'kty', 'n']);
    expect(Object.keys(ec.publicJwk ?? {}).toSorted()).toEqual(['crv', 'kty', 'x', 'y']);
    expect(Object.keys(made.publicJwk ?? {}).toSorted()).toEqual(['e', 'kty', 'n']);
    for (const name of privateMembers) expect(rsa.publicJwk).not.toHaveProperty(name);
    expect(rsa.publicJwk?.['n']).toBe(rsaKey().jwk['n']);
  });

  test('the unregistered key is made once a run, and is another in the next', async () => {
    const ring = createKeyRing();
    const [first, again] = await Promise.all([
      ring.find('unregistered', main, second),
      ring.find('unregistered', second, undefined),
    ]);
    expect(again).toBe(first);
    expect(first.publicJwk?.['n']).not.toBe(rsaKey().jwk['n']);
    const other = await createKeyRing().find('unregistered', main, second);
    expect(other.publicJwk?.['n']).not.toBe(first.publicJwk?.['n']);
  });

  test('a public key as the secret of an HMAC, in all its writings', async () => {
    const { n = '', e = '' } = createPublicKey({ key: { ...rsaKey().jwk }, format: 'jwk' }).export({ format: 'jwk' });
    const pem = createPublicKey({ key: { ...rsaKey().jwk }, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
    const der = Buffer.from(String(pem).replaceAll(/-----.*-----|\n/g, ''), 'base64');
    const written: Readonly<Record<string, Buffer>> = {
      'public-pem': Buffer.from(pem),
      'public-pem-trimmed': Buffer.from(String(pem).replace(/\n$/, '')),
      'public-der': der,
      'public-jwk': Buffer.from(JSON.stringify({ kty: 'RSA', n, e })),
      'public-n': Buffer.from(n, 'base64url'),
    };
    for (const [name, expected] of Object.entries(written)) {
      const key = await createKeyRing().find(name, main, second);
      expect([key.alg, key.kid, key.publicJwk]).toEqual(['HS256', 'conftestkey01', undefined]);
      expect(Buffer.from(key.raw instanceof Uint8Array ? key.raw : []).equals(expected)).toBe(true);
    }
    const ofEc = await createKeyRing().find('public-n', buildClient({ keys: [ecKey()] }), second);
    expect(ofEc.raw).toHaveLength(32);
    const nobody = async () => createKeyRing().find('public-pem', buildClient({ keys: [] }), second);
    await expect(nobody()).rejects.toMatchObject({ code: 'key-unusable' });
  });

  test.each([
    ['second', 'the target has no second key of client main', 'key-unusable'],
    ['of-second-client', 'the target has no key of client second', 'key-unusable'],
    ['thrid', 'unknown key thrid', 'unknown-name'],
  ])('%s where there is none', async (name, message, code) => {
    const find = async () => createKeyRing().find(name, buildClient(), undefined);
    await expect(find()).rejects.toMatchObject({ message, code, kind: 'usage' });
  });
});
