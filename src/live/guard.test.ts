import { describe, expect, test } from 'vitest';
import { createGuard, drawToken, allowedHosts } from './guard.ts';

const token = drawToken();
const guard = createGuard(token, allowedHosts({ host: '127.0.0.1', port: 8700 }));
const own = { host: '127.0.0.1:8700', origin: 'http://127.0.0.1:8700' };
const ask = (headers: Record<string, string>, { method = 'POST', url = `/${token}/answer` } = {}): string | undefined =>
  guard({ method, url, headers })?.why;

test('a token has 192 bits, and no two are the same', () => {
  expect(Buffer.from(token, 'base64url')).toHaveLength(24);
  expect(new Set(Array.from({ length: 100 }, drawToken)).size).toBe(100);
});

test.each([
  [{ host: '127.0.0.1', port: 80 }, ['127.0.0.1:80', '127.0.0.1', 'localhost'], []],
  [{ host: '127.0.0.2', port: 8700 }, ['127.0.0.2:8700', 'localhost:8700'], ['127.0.0.2']],
  [{ host: '0.0.0.0', port: 8700 }, ['127.0.0.1:8700', 'localhost:8700'], ['[::1]:8700', '0.0.0.0:8700']],
  [{ host: '::', port: 8700 }, ['127.0.0.1:8700', '[::1]:8700'], ['[::]:8700']],
  [{ host: '192.0.2.7', port: 80 }, ['192.0.2.7', '192.0.2.7:80'], ['localhost']],
])('at %j a browser may name what leads there, and nothing else', (address, some, none) => {
  const hosts = allowedHosts(address);
  expect(hosts).toEqual(expect.arrayContaining(some));
  for (const other of none) expect(hosts).not.toContain(other);
});

describe('the guard', () => {
  test('lets in what the page itself sends', () => {
    expect(ask(own)).toBeUndefined();
    expect(ask({ ...own, 'sec-fetch-site': 'same-origin' })).toBeUndefined();
    expect(ask({ host: 'LOCALHOST:8700', origin: 'http://localhost:8700' })).toBeUndefined();
    expect(ask({ host: own.host }, { method: 'GET' })).toBeUndefined();
    expect(ask({ host: own.host, 'sec-fetch-site': 'none' }, { method: 'GET' })).toBeUndefined();
  });

  test.each([
    ['another name that DNS leads here', { ...own, host: 'evil.example:8700' }],
    ['another port', { ...own, host: '127.0.0.1:8701' }],
    ['no host', { origin: own.origin }],
  ])('refuses %s', (_, headers) => expect(ask(headers)).toBe('host'));

  test.each(['/', '/answer', `/${token.slice(1)}/answer`, `/${token}x/`, `/x/${token}/`, `/%${token}/`, '//'])(
    'refuses %s for its token',
    (url) => expect(ask(own, { url })).toBe('token'),
  );

  test.each([
    ['another site', { ...own, origin: 'https://evil.example' }],
    ['another port of this machine', { ...own, origin: 'http://127.0.0.1:8701' }],
    ['a page without an origin', { ...own, origin: 'null' }],
    ['no origin at all', { host: own.host }],
    ['what the browser says is of another site', { ...own, 'sec-fetch-site': 'cross-site' }],
    ['what the browser says is of the same site', { ...own, 'sec-fetch-site': 'same-site' }],
  ])('refuses a POST of %s', (_, headers) => expect(ask(headers)).toBe('origin'));

  test('lets in who follows a link from elsewhere, and no page that asks by itself', () => {
    const followed = { host: own.host, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    expect(ask({ ...followed, 'sec-fetch-dest': 'document' }, { method: 'GET' })).toBeUndefined();
    expect(ask({ ...followed, 'sec-fetch-dest': 'iframe' }, { method: 'GET' })).toBe('origin');
    expect(ask({ ...followed, 'sec-fetch-dest': 'document' })).toBe('origin');
    expect(ask({ ...followed, 'sec-fetch-dest': 'document', origin: 'https://evil.example' })).toBe('origin');
  });

  test('refuses another site that reads', () => {
    expect(ask({ host: own.host, origin: 'https://evil.example' }, { method: 'GET' })).toBe('origin');
    expect(ask({ host: own.host, 'sec-fetch-site': 'cross-site' }, { method: 'GET' })).toBe('origin');
  });
});

test('on all addresses, hosts are the addresses of this machine and no name', () => {
  const hosts = allowedHosts({ host: '::', port: 81 });
  expect(hosts).toEqual(expect.arrayContaining(['127.0.0.1:81', 'localhost:81', '[::1]:81']));
  expect(hosts.filter((host) => !/^(?:[\d.]+|\[[\da-f:]+\]|localhost):81$/.test(host))).toEqual([]);
  expect(allowedHosts({ host: '192.0.2.7', port: 81 })).toEqual(['192.0.2.7:81']);
});
