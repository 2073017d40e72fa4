import { describe, expect, test, afterEach, vi } from 'vitest';
import type { Target } from '../../model/target.ts';
import { buildClient } from '../../testing/parts/keys.ts';
import { createReceiverLock, createCarrierKeys } from './lock.ts';
import { type KeyObject, sign } from 'node:crypto';
import { makeKeyPairSync } from '../../lib/key-pair.ts';
import type { HttpRequest } from '../../wire/build/http-request.ts';
import type { Sender } from '../../wire/send/sender.ts';

const secret = '7Kq2xV9mZr4TbW8cNf3HsY';
const segment = `/si/notify/${secret}`;
const clients = [buildClient({ notificationUris: [segment], eventUri: `/events?k=${secret.toUpperCase()}` })];
const open = { host: '127.0.0.1', port: 0 };

const lockOf = (receiver: Partial<Target['receiver']>, registered = clients) =>
  createReceiverLock({ receiver: { ...open, ...receiver }, clients: registered });

const came = (target: string, from = '192.0.2.1', isCertified = false) => ({ target, from, isCertified });

describe('an unguessable part of a registered URI', () => {
  const lock = lockOf({});

  test.each([
    segment,
    `${segment}/`,
    `//si//notify/${secret}`,
    segment.toLowerCase(),
    segment.toUpperCase(),
    `/elsewhere/${secret}`,
    `http://sp.test${segment}`,
    `/events?k=${secret}`,
    `/events?a=b&k=${secret.toLowerCase()}#x`,
  ])('in %s shows the carrier', (target) => expect(lock.isThrough(came(target))).toBe(true));

  test.each([
    '/si/notify',
    '/si/notify/',
    '/events',
    '/events?k=',
    `/si/notify/${secret.slice(1)}`,
    `/si/notify/${secret}x`,
    `/si/notify/${Array.from(secret).toReversed().join('')}`,
    `http://${secret}.test/si/notify`,
    '*',
    '',
  ])('is not in %s', (target) => expect(lock.isThrough(came(target))).toBe(false));

  test('is no part of what can be guessed', () => {
    const guessable = buildClient({ notificationUris: ['/si/notify-of-the-alternate-receiver'], eventUri: '/events' });
    const none = lockOf({}, [guessable]);
    expect(none.isThrough(came('/si/notify-of-the-alternate-receiver'))).toBe(false);
    expect([none.kindOf('/events'), none.kindOf(segment)]).toEqual([undefined, 'segment']);
  });
});

describe('addresses', () => {
  const lock = lockOf({ sources: ['192.0.2.0/24', '198.51.100.7', '2001:db8::/32', '2001:db9::1'] });

  test.each([
    '192.0.2.1',
    '192.0.2.255',
    '198.51.100.7',
    '::ffff:192.0.2.1',
    '::FFFF:198.51.100.7',
    '2001:db8::1',
    '2001:DB8:ffff::1',
    '2001:db9::1',
    '2001:db9:0:0:0:0:0:1',
    '2001:db8::1%eth0',
  ])('%s is a source', (from) => expect(lock.isThrough(came('/anywhere', from))).toBe(true));

  test.each(['192.0.3.1', '198.51.100.8', '::ffff:192.0.3.1', '2001:dba::1', '2001:db9::2', '::1', '', 'localhost'])(
    '%s is none, whatever it knows',
    (from) => expect(lock.isThrough(came(segment, from))).toBe(false),
  );

  test('are the lock of every URI', () =>
    expect([lock.kindOf('/events'), lock.kindOf(segment)]).toEqual(['sources', 'sources']));
});

describe('a certificate of the given authorities', () => {
  const lock = lockOf({ clientAuthorities: 'PEM' });
  const both = lockOf({ clientAuthorities: 'PEM', sources: ['192.0.2.0/24'] });

  test.each([
    ['with it', lock, '198.51.100.1', true, true],
    ['without it', lock, '198.51.100.1', false, false],
    ['with it, from a source', both, '192.0.2.1', true, true],
    ['with it, from elsewhere', both, '198.51.100.1', true, false],
    ['without it, from a source', both, '192.0.2.1', false, false],
  ])('%s', (_, one, from, isCertified, expected) => {
    expect(one.isThrough(came(segment, from, isCertified))).toBe(expected);
    expect(one.kindOf('/events')).toBe('certificate');
  });
});

const url = 'https://op.carrier.test/jwks';
const rsa = makeKeyPairSync({ modulusLength: 2048 });
const other = makeKeyPairSync({ modulusLength: 2048 });
const ec = makeKeyPairSync({ namedCurve: 'P-256' });
const small = makeKeyPairSync({ modulusLength: 512 });

interface Pair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const jwkOf = ({ publicKey }: Pair): object => publicKey.export({ format: 'jwk' });
const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function signed({ privateKey }: Pair, alg = 'RS256', kid?: string): string {
  const input = `${part({ alg, typ: 'set+jwt', kid })}.${part({ sub: 'x' })}`;
  const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
}

const claiming = (alg: string, signature: string): string => `${part({ alg })}.${part({})}.${signature}`;

/** Sender that returns a body or fails; `asked` has the requested URLs. */
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

/** Clock of a run on which no time passes. */
const still = (): number => 0;

const publishing = (...keys: readonly unknown[]) => senderOf(() => JSON.stringify({ keys }));

afterEach(() => void vi.useRealTimers());

describe('what the published keys have signed', () => {
  test.each<[string, Pair, string]>([
    ['RSA', rsa, 'RS256'],
    ['an elliptic curve', ec, 'ES256'],
  ])('by %s', async (_, pair, alg) => {
    const { sender } = publishing(jwkOf(other), jwkOf(pair));
    expect(await createCarrierKeys(sender, [url], still).signed(signed(pair, alg))).toBe(true);
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
    expect(await createCarrierKeys(sender, [url], still).signed(jws)).toBe(false);
  });

  test('in any of several sets', async () => {
    const first = publishing(jwkOf(rsa));
    expect(
      await createCarrierKeys(first.sender, ['https://a.test/', 'https://b.test/'], still).signed(signed(rsa)),
    ).toBe(true);
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
    const keys = createCarrierKeys(sender, [url], still);
    for (const alg of ['RS256', 'PS512', 'ES256', 'EdDSA']) expect(await keys.signed(signed(rsa, alg))).toBe(false);
  });

  test('a set of a thousand is read as far as the thirty-second', async () => {
    const many = Array.from({ length: 1000 }, () => jwkOf(other));
    const keys = (at: number) => [...many.slice(0, at), jwkOf(rsa), ...many.slice(at)];
    expect(await createCarrierKeys(publishing(...keys(31)).sender, [url], still).signed(signed(rsa))).toBe(true);
    expect(await createCarrierKeys(publishing(...keys(32)).sender, [url], still).signed(signed(rsa))).toBe(false);
  });

  test('a set of a thousand has the key that kid names, wherever it stands', async () => {
    const many = Array.from({ length: 999 }, () => jwkOf(other));
    const keys = [...many.slice(0, 500), { ...jwkOf(rsa), kid: 'named' }, ...many.slice(500)];
    const jws = signed(rsa, 'RS256', 'named');
    expect(await createCarrierKeys(publishing(...keys).sender, [url], still).signed(jws)).toBe(true);
  });

  test('that cannot be read: nothing is shown, and nothing is thrown', async () => {
    const { sender } = senderOf(() => {
      throw new TypeError('Invalid URL');
    });
    expect(await createCarrierKeys(sender, ['x'], still).signed(signed(rsa))).toBe(false);
  });
});

test('strangers cause one request in thirty seconds, however many they are', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { sender, asked } = publishing(jwkOf(rsa));
  const keys = createCarrierKeys(sender, [url], still);
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

test('keys are read again for an unknown key id, once each and a hundred times at most', async () => {
  let published: readonly object[] = [{ ...jwkOf(other), kid: 'old' }];
  const { sender, asked } = senderOf(() => JSON.stringify({ keys: published }));
  const keys = createCarrierKeys(sender, [url], still);
  expect(await keys.signed(signed(other, 'RS256', 'old'))).toBe(true);
  published = [{ ...jwkOf(rsa), kid: 'new' }];
  expect(await keys.signed(signed(rsa, 'RS256', 'new'))).toBe(true);
  expect(asked).toHaveLength(2);
  for (let at = 0; at < 200; at += 1) await keys.signed(signed(other, 'RS256', `made up ${at}`));
  expect(asked).toHaveLength(2 + 99);
});

test('keys are read again when the clock of the run has passed thirty seconds: a virtual hour takes no real time', async () => {
  const { sender, asked } = publishing(jwkOf(rsa));
  let now = 1000;
  const keys = createCarrierKeys(sender, [url], () => now);
  for (const [passed, expected] of [
    [0, 1],
    [30_000, 1],
    [1, 2],
  ] as const) {
    now += passed;
    expect(await keys.signed(signed(rsa))).toBe(true);
    expect(asked).toHaveLength(expected);
  }
});
