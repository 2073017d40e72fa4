import { expect, test } from 'vitest';
import { type KeyKind, makeKeyPair, makeKeyPairSync } from './key-pair.ts';

test.each<[KeyKind, object]>([
  [{ modulusLength: 1024 }, { kty: 'RSA', e: 'AQAB' }],
  [{ namedCurve: 'P-384' }, { kty: 'EC', crv: 'P-384' }],
  ['ed25519', { kty: 'OKP', crv: 'Ed25519' }],
])('%o makes two keys of one pair', async (kind, facts) => {
  for (const { publicKey, privateKey } of [await makeKeyPair(kind), makeKeyPairSync(kind)]) {
    const { d, ...shared } = privateKey.export({ format: 'jwk' });
    expect(d).toEqual(expect.any(String));
    const jwk = publicKey.export({ format: 'jwk' });
    expect(jwk).toMatchObject(facts);
    expect(shared).toMatchObject(jwk);
  }
});
