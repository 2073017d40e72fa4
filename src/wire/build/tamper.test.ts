import { createHash, createHmac, createPublicKey, sign, verify, X509Certificate } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { compactVerify, importJWK } from 'jose';
import { describe, expect, test } from 'vitest';
import { isJsonObject, type JsonObject, parseJson } from '../../lib/json.ts';
import { buildClient, ecKey, rsaKey } from '../../testing/parts/keys.ts';
import { createKeyRing, type SigningKey } from './keys.ts';
import { signCompact } from './sign.ts';
import { signatureChanges, type Signer, signedChanges } from './tamper-signed.ts';
import { tamperNames, tamperJws, signatureFormNames } from './tamper.ts';

const ring = createKeyRing();
const client = buildClient({ keys: [rsaKey(), ecKey()], secret: 'a-secret-of-the-registration' });
const keyOf = (name: string | undefined): Promise<SigningKey> => ring.find(name, client, undefined);

const segments = (jws: string): [string, string, string] => {
  const [header = '', payload = '', signature = ''] = jws.split('.');
  return [header, payload, signature];
};
/** JSON object in a segment. */
const objectIn = (segment: string): JsonObject => {
  const parsed = parseJson(bytesOf(segment).toString('utf8'));
  if (!isJsonObject(parsed)) throw new Error(`${segment} is no object`);
  return parsed;
};
const bytesOf = (segment: string): Buffer => Buffer.from(segment, 'base64url');
const signedAnew = Object.keys(signedChanges);
const withSigner = ['signature-plus-modulus', ...signedAnew, ...Object.keys(signatureChanges)];
const invalid = [...tamperNames].filter((name) => !signatureFormNames.has(name) && !withSigner.includes(name));

async function verified(jws: string, key: SigningKey) {
  const alg = typeof key.publicJwk?.['crv'] === 'string' ? 'ES256' : 'RS256';
  const publicKey = key.publicJwk === undefined ? key.jose : await importJWK({ ...key.publicJwk }, alg);
  return compactVerify(jws, publicKey);
}

/** Signs any bytes with the key. */
function signerOf(key: SigningKey): Signer {
  const { raw, publicJwk } = key;
  if (raw instanceof Uint8Array || publicJwk === undefined) throw new Error('not of a secret');
  return {
    publicJwk,
    sign: (input) => sign('sha256', input, { key: raw, dsaEncoding: 'ieee-p1363' }).toString('base64url'),
  };
}

function isSigned(jws: string, { publicJwk }: SigningKey): boolean {
  const key = createPublicKey({ key: { ...publicJwk }, format: 'jwk' });
  const end = jws.lastIndexOf('.');
  const input = Buffer.from(jws.slice(0, end));
  return verify('sha256', input, { key, dsaEncoding: 'ieee-p1363' }, bytesOf(jws.slice(end + 1)));
}

describe('what no longer verifies', () => {
  test('any payload that is long enough to have a middle', async () => {
    const key = await keyOf('secret');
    const small = invalid.filter((name) => !name.includes('megabyte'));
    const property = fc.asyncProperty(fc.json(), fc.constantFrom(...small), async (payload, name) => {
      const jws = await signCompact(payload, { alg: 'HS256' }, key);
      await expect(verified(tamperJws(jws, name), key)).rejects.toThrow();
    });
    await fc.assert(property, { numRuns: 100 });
  });

  test('a changed byte is one byte, and nothing else changes', async () => {
    const jws = await signCompact('{"iss":"a","sub":"b"}', { alg: 'ES256' }, await keyOf('second'));
    for (const [name, segment] of [
      ['payload-byte', 1],
      ['signature-byte', 2],
    ] as const) {
      const [before, after] = [segments(jws), segments(tamperJws(jws, name))];
      expect(after.filter((part, at) => part !== before[at])).toHaveLength(1);
      const changed = after[segment];
      expect(changed).toHaveLength(before[segment].length);
      expect(changed.split('').filter((letter, at) => letter !== before[segment][at])).toHaveLength(1);
    }
  });

  test('the changed byte is the last of jti: the rest is a good request to whoever does not verify', async () => {
    const jws = await signCompact('{"state":"é","jti":"17a","sub":"b"}', { alg: 'ES256' }, await keyOf('second'));
    const changed = Buffer.from(segments(tamperJws(jws, 'payload-byte'))[1], 'base64url').toString();
    expect(changed).toBe('{"state":"é","jti":"17b","sub":"b"}');
  });

  test('a flipped bit is one bit', async () => {
    const jws = await signCompact('{}', { alg: 'ES256' }, await keyOf('second'));
    const [before, after] = [bytesOf(segments(jws)[2]), bytesOf(segments(tamperJws(jws, 'signature-bit'))[2])];
    const bits = [...before].map((byte, at) => (byte ^ (after[at] ?? 0)).toString(2).replaceAll('0', '').length);
    expect(bits.reduce((sum, count) => sum + count)).toBe(1);
  });

  test.each([
    ['no-signature', 'h.p.'],
    ['two-segments', 'h.p'],
    ['twice', 'h.p.ssssssssssssssssssssh.p.ssssssssssssssssssss'],
    ['twice-with-dot', 'h.p.ssssssssssssssssssss.h.p.ssssssssssssssssssss'],
    ['signature-truncated', 'h.p.ssss'],
    ['signature-zero', 'h.p.AAAAAAAAAAAAAAAAAAAA'],
    ['signature-r-s-zero', `h.p.${'A'.repeat(86)}`],
    ['signature-der-zero', 'h.p.MAYCAQACAQA'],
    ['hmac-empty-key', `h.p.${createHmac('sha256', '').update('h.p').digest('base64url')}`],
    ['detached', 'h..ssssssssssssssssssss'],
    ['json-flattened', '{"payload":"p","protected":"h","signature":"ssssssssssssssssssss"}'],
    ['json-general', '{"payload":"p","signatures":[{"protected":"h","signature":"ssssssssssssssssssss"}]}'],
    [
      'jwe-like',
      'eyJhbGciOiJSU0EtT0FFUC0yNTYiLCJlbmMiOiJBMjU2R0NNIn0.ssssssssssssssssssss.ssssssssssssssss.p.ssssssssssssssssssss',
    ],
  ])('%s', (name, expected) => expect(tamperJws('h.p.ssssssssssssssssssss', name)).toBe(expected));

  test.each([
    ['signature-1-megabyte', 1_000_004],
    ['signature-10-megabytes', 10_000_004],
  ])('%s', (name, length) => expect(tamperJws('h.p.s', name)).toHaveLength(length));

  test('an unknown name', () =>
    expect(() => tamperJws('h.p.s', 'payload-bite')).toThrow(new TypeError('unknown tamper payload-bite')));
});

test.each([
  ['signature-padded', 'h.p._-8', 'h.p._-8='],
  ['signature-base64', 'h.p._-8', 'h.p./+8='],
  ['signature-line-break', 'h.p.abcd', 'h.p.ab\ncd'],
  ['signature-blank', 'h.p.abcd', 'h.p.ab cd'],
  ['signature-tail-bits', 'h.p._-8', 'h.p._-9'],
  ['signature-tail-bits', 'h.p._-8_', 'h.p._-8_B'],
  ['blank-after', 'h.p.abcd', 'h.p.abcd '],
])('the same signature in another writing: %s', (name, jws, expected) => expect(tamperJws(jws, name)).toBe(expected));

describe('changes that are signed anew', () => {
  const header: JsonObject = { alg: 'RS256', typ: 'JWT' };
  const payload = '{"iss":"a","state":"é"}';
  const signed = async (name: string) => {
    const key = await keyOf(undefined);
    const jws = tamperJws(await signCompact(payload, header, key), name, signerOf(key));
    return { jws, key, parts: segments(jws) };
  };

  test.each(signedAnew)('%s: the signature is of the text as it is sent', async (name) => {
    const { jws, key } = await signed(name);
    expect(isSigned(jws, key)).toBe(true);
  });

  test.each([
    ['header-alg-none-last', '{"alg":"RS256","typ":"JWT","alg":"none"}'],
    ['header-alg-none-first', '{"alg":"none","alg":"RS256","typ":"JWT"}'],
    ['header-bom', '\u{feff}{"alg":"RS256","typ":"JWT"}'],
  ])('%s', async (name, text) => {
    const { parts } = await signed(name);
    expect(bytesOf(parts[0]).toString('utf8')).toBe(text);
    expect(bytesOf(parts[1]).toString('utf8')).toBe(payload);
  });

  test.each([undefined, 'second'])(
    'header-embeds-x5c has a certificate of that key, by that key (%s)',
    async (name) => {
      const key = await keyOf(name);
      const jws = tamperJws(await signCompact('{}', { alg: key.alg }, key), 'header-embeds-x5c', signerOf(key));
      const embedded = objectIn(segments(jws)[0])['x5c'];
      const text: unknown = Array.isArray(embedded) ? embedded[0] : undefined;
      const certificate = new X509Certificate(Buffer.from(String(text), 'base64'));
      expect(certificate.publicKey.export({ format: 'jwk' })).toEqual(key.publicJwk);
      expect(certificate.verify(certificate.publicKey)).toBe(true);
      expect([certificate.subject, certificate.issuer]).toEqual(['CN=signer.test', 'CN=signer.test']);
      expect(isSigned(jws, key)).toBe(true);
    },
  );

  test('payload-bom, and payload-not-utf8', async () => {
    expect(bytesOf((await signed('payload-bom')).parts[1]).toString('utf8')).toBe(`\u{feff}${payload}`);
    const bytes = bytesOf((await signed('payload-not-utf8')).parts[1]);
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes)).toThrow(TypeError);
    expect(bytes.subarray(0, payload.length).toString('utf8')).toBe(payload.slice(0, -1));
  });

  test('nested is signed twice', async () => {
    const key = await keyOf(undefined);
    const inner = await signCompact(payload, header, key);
    const outer = tamperJws(inner, 'nested', signerOf(key));
    expect(bytesOf(segments(outer)[1]).toString('utf8')).toBe(inner);
  });

  test('zip-bomb grows a thousandfold', async () => {
    const { parts } = await signed('zip-bomb');
    expect(bytesOf(parts[0]).toString('utf8')).toBe('{"alg":"RS256","typ":"JWT","zip":"DEF"}');
    const packed = bytesOf(parts[1]);
    const text = inflateRawSync(packed);
    expect(text.length).toBeGreaterThan(packed.length * 900);
    expect(JSON.parse(text.toString('utf8'))).toEqual({ iss: 'a', state: 'é' });
  });

  test('thousand-claims and deep-claims', async () => {
    expect(Object.keys(objectIn((await signed('thousand-claims')).parts[1]))).toHaveLength(1002);
    const deep = bytesOf((await signed('deep-claims')).parts[1]).toString('utf8');
    expect(
      createHash('sha256')
        .update(deep.slice(payload.length - 1))
        .digest('hex'),
    ).toBe(
      createHash('sha256')
        .update(`,"x":${'['.repeat(10_000)}${']'.repeat(10_000)}}`)
        .digest('hex'),
    );
  });
});
