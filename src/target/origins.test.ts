import { describe, expect, test } from 'vitest';
import { findUrlRefusal } from './origins.ts';

const places = { discovery: 'https://discovery.carrier.test', endpoints: {} };

describe('URLs that the run refuses to call', () => {
  test.each(['https://carrier.test/token', 'https://op.carrier.test:8443/token', 'https://a.b.CARRIER.test./token'])(
    '%s is of the site',
    (url) => expect(findUrlRefusal(url, places)).toBeUndefined(),
  );

  test.each([
    ['http://169.254.169.254/latest', 'http://169.254.169.254', 'not an origin of the target'],
    ['http://0251.0xfea9fe/', 'http://169.254.169.254', 'not an origin of the target'],
    ['http://[fe80::1]/', 'http://[fe80::1]', 'not an origin of the target'],
    ['https://localhost/', 'https://localhost', 'not an origin of the target'],
    ['https://carrier.test.evil.test/', 'https://carrier.test.evil.test', 'not an origin of the target'],
    ['https://notcarrier.test/', 'https://notcarrier.test', 'not an origin of the target'],
    ['https://op.carrier.test@evil.test/', 'https://evil.test', 'a user or a password'],
    ['https://me:hush@op.carrier.test/', 'https://op.carrier.test', 'a user or a password'],
    ['http://op.carrier.test/token', 'http://op.carrier.test', 'not an origin of the target'],
    ['file:///etc/passwd', 'a URL of file:', 'no scheme'],
    ['javascript:alert(1)', 'a URL of javascript:', 'no scheme'],
    ['data:,x', 'a URL of data:', 'no scheme'],
    ['ftp://op.carrier.test/', 'a URL of ftp:', 'no scheme'],
    [`https://${'a.'.repeat(300)}test/`, / \.\.\.$/, 'not an origin of the target'],
  ])('%s', (url, words, why) => {
    const refused = findUrlRefusal(url, places);
    expect(refused?.words).toMatch(words);
    expect(refused?.why).toContain(why);
    expect(refused?.origin === undefined).toBe(!/not an origin/.test(why));
  });

  test('two customers of one hosting provider are two sites; an IP address is one site at any port', () => {
    const of = (discovery: string, url: string) => findUrlRefusal(url, { discovery, endpoints: {} }) === undefined;
    expect(of('https://one.github.io', 'https://two.github.io/jwks')).toBe(false);
    expect(of('https://one.github.io', 'https://keys.one.github.io/jwks')).toBe(true);
    expect(of('https://one.s3.amazonaws.com', 'https://two.s3.amazonaws.com/jwks')).toBe(false);
    expect(of('https://carrier.co.uk', 'https://other.co.uk/jwks')).toBe(false);
    expect(of('http://127.0.0.1:1', 'http://127.0.0.1:2/jwks')).toBe(true);
    expect(of('http://127.0.0.1:1', 'https://127.0.0.1/jwks')).toBe(true);
    expect(of('http://127.0.0.1:1', 'http://127.0.0.2:1/jwks')).toBe(false);
    expect(of('http://127.0.0.1:1', 'http://localhost:1/jwks')).toBe(false);
    expect(of('https://idp', 'https://keys.idp/jwks')).toBe(false);
  });

  test('an issuer allows its whole site; endpoints and origins allow only their origin', () => {
    const named = {
      ...places,
      issuer: 'https://op.mobile.test/a',
      endpoints: { cancel: 'https://c.cancels.test/{auth_req_id}' },
      origins: ['https://keys.cdn.test', 'http://10.0.0.1:8080'],
    };
    const refused = (url: string) => findUrlRefusal(url, named) !== undefined;
    expect(['https://b.mobile.test/', 'https://c.cancels.test/x', 'https://keys.cdn.test/jwks'].map(refused)).toEqual([
      false,
      false,
      false,
    ]);
    expect(
      ['http://10.0.0.1:8080/', 'http://10.0.0.1/', 'https://cdn.test/', 'https://cancels.test/'].map(refused),
    ).toEqual([false, true, true, true]);
  });
});
