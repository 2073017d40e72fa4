import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { HttpRequest } from '../../wire/build/http-request.ts';
import type { Sender } from '../../wire/send/send.ts';
import { createCarrierKeys } from './lock.ts';

const url = 'https://op.carrier.test/jwks';
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const small = generateKeyPairSync('rsa', { modulusLength: 512 });

interface Pair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const jwkOf = ({ publicKey }: Pair): object => publicKey.export({ format: 'jwk' });
const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function signed({ privateKey }: Pair, alg = 'RS256'): string {
  const input = `${part({ alg, typ: 'set+jwt' })}.${part({ sub: 'x' })}`;
  const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
}

const claiming = (alg: string, signature: string): string => `${part({ alg })}.${part({})}.${signature}`;

/** A sender that answers with a body, or fails; `asked` has what it was asked for. */
function senderOf(answer: () => string) {
  const asked: string[] = [];
  const sender: Sender = {
    send: async ({ url: to }: HttpRequest) => {
      asked.push(to);
      const body = Buffer.from(answer());
      return Promise.resolve({ response: { status: 200, headers: [], body, bytes: body.length } });
    },
    close: () => Promise.resolve(),
  };
  return { sender, asked };
}

const publishing = (...keys: readonly unknown[]) => senderOf(() => JSON.stringify({ keys }));

afterEach(() => void vi.useRealTimers());

describe('what the published keys have signed', () => {
  test.each<[string, Pair, string]>([
    ['RSA', rsa, 'RS256'],
    ['an elliptic curve', ec, 'ES256'],
  ])('by %s', async (_, pair, alg) => {
    const { sender } = publishing(jwkOf(other), jwkOf(pair));
    expect(await createCarrierKeys(sender, [url]).signed(signed(pair, alg))).toBe(true);
  });

  test.each<[string, string | null | undefined | number]>([
    ['another key', signed(other)],
    ['nobody', claiming('none', '')],
    ['the name of the algorithm only', claiming('RS256', 'AAAA')],
    ['a key of another type', signed(rsa, 'ES256')],
    ['an unknown algorithm', signed(rsa, 'constructor')],
    ['no text', 1],
    ['nothing', undefined],
    ['null', null],
    ['two parts', 'e30.e30'],
    ['no header', 'x.y.z'],
  ])('is not what %s has signed', async (_, jws) => {
    const { sender } = publishing(jwkOf(rsa), jwkOf(ec));
    expect(await createCarrierKeys(sender, [url]).signed(jws)).toBe(false);
  });

  test('in any of several sets', async () => {
    const first = publishing(jwkOf(rsa));
    expect(await createCarrierKeys(first.sender, ['https://a.test/', 'https://b.test/']).signed(signed(rsa))).toBe(
      true,
    );
    expect(first.asked).toEqual(['https://a.test/', 'https://b.test/']);
  });
});

describe('keys that are none', () => {
  test.each<[string, string]>([
    ['no JSON', '<html>'],
    ['null', 'null'],
    ['a list', '[]'],
    ['no list of keys', '{"keys":{"0":1}}'],
    ['odd keys', '{"keys":[null,1,"x",[],{},{"kty":"RSA"},{"kty":"RSA","n":1,"e":[]},{"__proto__":{"kty":"EC"}}]}'],
    ['a key too small for the algorithm', JSON.stringify({ keys: [jwkOf(small)] })],
  ])('%s', async (_, body) => {
    const { sender } = senderOf(() => body);
    const keys = createCarrierKeys(sender, [url]);
    for (const alg of ['RS256', 'PS512', 'ES256', 'EdDSA']) expect(await keys.signed(signed(rsa, alg))).toBe(false);
  });

  test('a set of a thousand is read as far as the thirty-second', async () => {
    const many = Array.from({ length: 1000 }, () => jwkOf(other));
    const keys = (at: number) => [...many.slice(0, at), jwkOf(rsa), ...many.slice(at)];
    expect(await createCarrierKeys(publishing(...keys(31)).sender, [url]).signed(signed(rsa))).toBe(true);
    expect(await createCarrierKeys(publishing(...keys(32)).sender, [url]).signed(signed(rsa))).toBe(false);
  });

  test('that cannot be read: nothing is shown, and nothing is thrown', async () => {
    const { sender } = senderOf(() => {
      throw new TypeError('Invalid URL');
    });
    expect(await createCarrierKeys(sender, ['x']).signed(signed(rsa))).toBe(false);
  });
});

test('strangers cause one request in thirty seconds, however many they are', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { sender, asked } = publishing(jwkOf(rsa));
  const keys = createCarrierKeys(sender, [url]);
  await keys.signed(claiming('none', ''));
  const flood = () => Promise.all(Array.from({ length: 200 }, () => keys.signed(signed(other))));
  await flood();
  vi.advanceTimersByTime(29_000);
  await flood();
  expect(asked).toHaveLength(1);
  vi.advanceTimersByTime(2000);
  await flood();
  expect(asked).toHaveLength(2);
});

test('what is no signed token asks for no keys', async () => {
  const { sender, asked } = publishing();
  const keys = createCarrierKeys(sender, [url]);
  for (const jws of [undefined, null, 'x', 'a.b.c', {}, []]) expect(await keys.signed(jws)).toBe(false);
  expect(asked).toEqual([]);
});
