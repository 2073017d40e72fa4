import { describe, expect, test } from 'vitest';
import type { Target } from '../../model/target.ts';
import { buildClient } from '../../testing/keys.ts';
import { createReceiverLock } from './lock.ts';

const secret = '7Kq2xV9mZr4TbW8cNf3HsY';
const segment = `/si/notify/${secret}`;
const clients = [buildClient({ notificationUris: [segment], eventUri: `/events?k=${secret.toUpperCase()}` })];
const open = { host: '127.0.0.1', port: 0 };

const lockOf = (receiver: Partial<Target['receiver']>, registered = clients) =>
  createReceiverLock({ receiver: { ...open, ...receiver }, clients: registered });

const came = (target: string, from = '192.0.2.1', isCertified = false) => ({ target, from, isCertified });

describe('a part of a registered URI that nobody guesses', () => {
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
  ])('in %s shows the carrier', (target) => {
    expect(lock.isThrough(came(target))).toBe(true);
  });

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
  ])('is not in %s', (target) => {
    expect(lock.isThrough(came(target))).toBe(false);
  });

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
  ])('%s is a source', (from) => {
    expect(lock.isThrough(came('/anywhere', from))).toBe(true);
  });

  test.each(['192.0.3.1', '198.51.100.8', '::ffff:192.0.3.1', '2001:dba::1', '2001:db9::2', '::1', '', 'localhost'])(
    '%s is none, whatever it knows',
    (from) => {
      expect(lock.isThrough(came(segment, from))).toBe(false);
    },
  );

  test('are the lock of every URI', () => {
    expect([lock.kindOf('/events'), lock.kindOf(segment)]).toEqual(['sources', 'sources']);
  });
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
