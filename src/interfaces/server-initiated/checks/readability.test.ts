import { describe, expect, test } from 'vitest';
import type { Json } from '../../../lib/json.ts';
import { buildRefusal, buildResponse, buildTokens } from '../../../testing/parts/observations.ts';
import { namedChecks } from './table.ts';

const found = namedChecks['readable-as-declared'];
const check = (observation: Parameters<Extract<typeof found, { over: 'message' }>['check']>[0]) =>
  found?.over === 'message' ? found.check(observation) : 'no check of a message';

const encode = (text: string, encoding: BufferEncoding = 'utf8'): string =>
  Buffer.from(text, encoding).toString('base64url');

const header = encode('{"alg":"RS256"}');
const claims = encode('{"sub":"a"}');
const latin1 = encode('{"name":"Jos\u00e9"}', 'latin1');

describe('readable-as-declared', () => {
  test('what the reader of bodies found is the finding, of a response, a refusal and a callback', () => {
    const unreadable = [{ path: 'body', expected: 'text in UTF-8', actual: 'byte 0xe9 at offset 12' }];
    expect(check(buildResponse({ unreadable }))).toEqual(unreadable);
    expect(check(buildRefusal('invalid_request', { unreadable }))).toEqual(unreadable);
    expect(check(buildTokens({ unreadable }))).toEqual(unreadable);
  });

  test.each<[string, Json]>([
    ['two objects and a signature', `${header}.${claims}.c2ln`],
    ['a signature that is no base64url: its own rules judge it', `${header}.${claims}.!`],
    ['an encrypted token, whose claims nobody can read', `${header}.a.b.c.d`],
    ['no text', 7],
  ])('conforms: %s', (_, token) => {
    for (const member of ['id_token', 'set']) expect(check(buildResponse({ body: { [member]: token } }))).toEqual([]);
  });

  test.each([
    ['a header that is no JSON', `${encode('alg')}.${claims}.s`, 'a part that is no JSON object'],
    ['no claims', `${header}..s`, 'a part with other characters than base64url without padding'],
    ['claims in base64', `${header}.${claims}=.s`, 'a part with other characters than base64url without padding'],
    ['claims with a blank', `${header}.${claims} .s`, 'a part with other characters than base64url without padding'],
    [
      'a claim twice',
      `${header}.${encode('{"sub":"a","x":{"sub":"b"},"s\\u0075b":"c"}')}.s`,
      'a part that has "sub" twice',
    ],
    ['claims in ISO 8859-1', `${header}.${latin1}.s`, 'a part whose text is not UTF-8'],
    ['a byte order mark', `${encode('\u{FEFF}{}')}.${claims}.s`, 'a part that is no JSON object'],
    [
      'claims 101 levels deep',
      `${header}.${encode(`${'{"a":'.repeat(101)}1${'}'.repeat(101)}`)}.s`,
      'a part nested more than 100 levels deep, which carrierspec does not read',
    ],
  ])('violates: %s', (_, token, actual) => {
    const expected = 'a JWT: two JSON objects in UTF-8 and a signature, in base64url';
    for (const member of ['id_token', 'set']) {
      expect(check(buildResponse({ body: { [member]: token } }))).toEqual([
        { path: `body.${member}`, expected, actual },
      ]);
    }
  });

  test('user info as a JWT is recommended against, unless more is wrong with it', () => {
    const received = `${header}.${claims}.s`;
    const jwt = { endpoint: 'userinfo', received, body: { sub: 'a' } };
    const mismatch = { aspect: 'user-info', path: 'body', expected: 'user info as a JSON object', actual: 'a JWT' };
    expect(check(buildResponse(jwt))).toEqual([mismatch]);
    expect(check(buildResponse({ ...jwt, endpoint: 'token' }))).toEqual([]);
    const unreadable = [{ path: 'body', expected: 'JSON, at most 100 levels deep', actual: 'none' }];
    expect(check(buildResponse({ ...jwt, unreadable }))).toEqual(unreadable);
  });

  test('a member of another name is no JWT of the interface, and a token says nothing of its content in the finding', () => {
    expect(check(buildResponse({ body: { access_token: 'a.b.c' } }))).toEqual([]);
    expect(JSON.stringify(check(buildTokens({ body: { id_token: `${latin1}.${claims}.s` } })))).not.toContain(latin1);
  });
});
