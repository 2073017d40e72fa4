import { sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../lib/json.ts';
import { makeKeyPairSync } from '../lib/key-pair.ts';
import { readAsLibrary } from './library-reading.ts';

const makeRsa = () => makeKeyPairSync({ modulusLength: 2048 });
const pair = makeRsa();
const publicJwk = (key = pair): JsonObject => ({ ...(key.publicKey.export({ format: 'jwk' }) as JsonObject) });
const own: JsonObject = { ...publicJwk(), kid: 'one', use: 'sig', alg: 'RS256' };
const other: JsonObject = { ...publicJwk(makeRsa()), kid: 'two' };
const now = 1_800_000_000;

const segment = (value: Json): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function signed(header: JsonObject = {}, claims: JsonObject = {}): string {
  const input = `${segment({ alg: 'RS256', kid: 'one', ...header })}.${segment({ iat: now, exp: now + 60, ...claims })}`;
  return `${input}.${sign('sha256', Buffer.from(input), pair.privateKey).toString('base64url')}`;
}

function signedWithEs256k(): readonly [string, JsonObject] {
  const { privateKey, publicKey } = makeKeyPairSync({ namedCurve: 'secp256k1' });
  const input = `${segment({ alg: 'ES256K', kid: 'one' })}.${segment({})}`;
  const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return [`${input}.${signature.toString('base64url')}`, { ...publicJwk({ privateKey, publicKey }), kid: 'one' }];
}

describe('a library takes', () => {
  test.each<[string, string, readonly JsonObject[]]>([
    ['a token by the key of its kid', signed(), [other, own]],
    ['a token without kid by the only key', signed({ kid: undefined as unknown as Json }), [own]],
    ['a kid that two keys have, by the one that fits', signed(), [{ ...other, kid: 'one' }, own]],
    ['a key without use and alg', signed(), [{ ...publicJwk(), kid: 'one' }]],
    ['a set with a key that cannot be read', signed(), [{ kty: 'RSA', kid: 'x' }, own]],
    [
      'a token that has expired since: deliveries are repeated',
      signed({}, { iat: now - 90_000, exp: now - 86_400 }),
      [own],
    ],
    ['one whose iat has a fraction of a second', signed({}, { iat: now - 90_000.5, exp: now - 86_400 }), [own]],
    ['one whose iat is in milliseconds, which is judged elsewhere', signed({}, { iat: now * 1000 }), [own]],
  ])('%s', async (_, jws, keys) => expect(await readAsLibrary(jws, keys, now)).toBeUndefined());
});

describe('a library refuses', () => {
  test.each<[string, string, readonly JsonObject[], string]>([
    ['a key for encryption', signed(), [{ ...own, use: 'enc' }], 'the key of its kid has use "enc"'],
    ['a key of another alg', signed(), [{ ...own, alg: 'PS256' }], 'the key of its kid has alg "PS256"'],
    ['a key that may only sign', signed(), [{ ...own, key_ops: ['sign'] }], 'the key of its kid has key_ops ["sign"]'],
    ['a kid that is not there', signed(), [other], 'no key that was published then has kid "one"'],
    ['a number as kid', signed({ kid: 1 }), [{ ...own, kid: 1 }, other], 'kid 1 is no string'],
    [
      'no kid among two keys',
      signed({ kid: undefined as unknown as Json }),
      [own, other].map((key) => ({ ...key, alg: undefined as unknown as Json })),
      'multiple matching keys',
    ],
    ['an unknown crit', signed({ crit: ['urn:x'], 'urn:x': 1 }), [own], 'Extension Header Parameter "urn:x"'],
    ['a signature of another key', signed(), [{ ...other, kid: 'one' }], 'signature verification failed'],
    ['nbf that is no number', signed({}, { nbf: 'soon' }), [own], '"nbf" claim must be a number'],
  ])('%s', async (_, jws, keys, reason) => {
    const refusal = await readAsLibrary(jws, keys, now);
    expect(refusal?.reason).toContain(reason);
    expect(refusal?.isLibraryLimit).toBe(false);
  });

  test('a public key that says it may sign, which no standard forbids', async () => {
    const refusal = await readAsLibrary(signed(), [{ ...own, key_ops: ['sign', 'verify'] }], now);
    expect(refusal).toMatchObject({ isLibraryLimit: true });
  });

  test('an algorithm that it does not know, and says so', async () => {
    const [jws, key] = signedWithEs256k();
    expect(await readAsLibrary(jws, [key], now)).toMatchObject({ isLibraryLimit: true });
  });
});
