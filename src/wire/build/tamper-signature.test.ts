import { constants, createPublicKey, publicDecrypt, type KeyObject, verify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { makeKeyPairSync } from '../../lib/key-pair.ts';
import { type SigningKey, publicPart } from './keys.ts';
import { signCompact, createSigner } from './sign.ts';
import { importJWK } from 'jose';
import { tamperJws } from './tamper.ts';
import { signatureChanges } from './tamper-signed.ts';

async function keyOf(alg: 'RS256' | 'ES256'): Promise<SigningKey> {
  const { privateKey } =
    alg === 'RS256' ? makeKeyPairSync({ modulusLength: 2048 }) : makeKeyPairSync({ namedCurve: 'P-256' });
  const jwk = privateKey.export({ format: 'jwk' });
  return { alg, jose: await importJWK({ ...jwk }, alg), raw: privateKey, publicJwk: publicPart({ ...jwk }) };
}

const rsa = await keyOf('RS256');
const ec = await keyOf('ES256');

const publicOf = ({ publicJwk }: SigningKey): KeyObject => createPublicKey({ key: { ...publicJwk }, format: 'jwk' });

async function tampered(name: string, key: SigningKey) {
  const jws = await signCompact('{"iss":"a"}', { alg: key.alg }, key);
  const altered = tamperJws(jws, name, createSigner(key));
  const end = altered.lastIndexOf('.');
  return {
    jws,
    altered,
    input: Buffer.from(altered.slice(0, end)),
    signature: Buffer.from(altered.slice(end + 1), 'base64url'),
  };
}

function isTrue(key: SigningKey, input: Buffer, signature: Buffer, dsaEncoding: 'ieee-p1363' | 'der' = 'ieee-p1363') {
  return verify('sha256', input, { key: publicOf(key), dsaEncoding }, signature);
}

describe('signatures that only careless verifiers take', () => {
  const lawful = ['signature-high-s'];
  test.each(Object.keys(signatureChanges).filter((name) => !lawful.includes(name)))('%s', async (name) => {
    for (const key of [rsa, ec]) {
      const { jws, altered, input, signature } = await tampered(name, key);
      expect(altered.slice(0, altered.lastIndexOf('.'))).toBe(jws.slice(0, jws.lastIndexOf('.')));
      expect(isTrue(key, input, signature)).toBe(false);
    }
  });

  test('a greater s, which is true', async () => {
    const { input, signature } = await tampered('signature-high-s', ec);
    expect(isTrue(ec, input, signature)).toBe(true);
    expect(signature[32]).toBeGreaterThan(0x7e);
  });

  test('DER, which is true in DER', async () => {
    const { input, signature } = await tampered('signature-in-der', ec);
    expect(isTrue(ec, input, signature, 'der')).toBe(true);
  });

  test.each([
    ['signature-garbage-behind-hash', /^0001(?:ff){8}003031300d.*a5a5$/],
    ['signature-garbage-padding', /^0001(?!ffff).*003031300d/],
    ['signature-sha1', /^0001(?:ff)+003021300906052b0e03021a0500/],
    ['signature-bare-hash', /^0001(?:ff)+00[0-9a-f]{64}$/],
  ])('%s: what the public key makes of it', async (name, expected) => {
    const { signature } = await tampered(name, rsa);
    const block = publicDecrypt({ key: publicOf(rsa), padding: constants.RSA_NO_PADDING }, signature);
    expect(block.toString('hex')).toMatch(expected);
  });

  test('without the signer there is none', () =>
    expect(() => tamperJws('h.p.s', 'signature-in-der')).toThrow(TypeError));
});
