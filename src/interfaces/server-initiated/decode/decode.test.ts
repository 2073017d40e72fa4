import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../lib/json.ts';
import { loadShipped } from '../../../testing/parts/shipped-suites.ts';
import { namedChecks } from '../checks/table.ts';
import { createRuleBook } from '../../../judge/rule-book.ts';
import { judgeMessage, objectRules } from './judge-message.ts';
import { signatureRules } from './judge-signature.ts';
import { recognizeMessage } from './recognize.ts';

const { suites } = await loadShipped();

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const jwt = (claims: JsonObject, header: JsonObject = { typ: 'JWT', alg: 'RS256', kid: 'k1' }): string =>
  `${part(header)}.${part(claims)}.c2ln`;

const request: JsonObject = {
  iss: 'ccid-1',
  sub: 'ccid-1',
  client_id: 'ccid-1',
  aud: 'https://op.carrier.test',
  iat: 1_767_225_600,
  exp: 1_767_225_840,
  jti: 'a1',
  expires_in: 300,
  response_type: 'async_token',
  redirect_uri: 'https://sp.test/cb',
  notification_uri: 'https://sp.test/notify',
  scope: 'openid name',
  login_hint: '001010-8f3a',
  context: 'Approve-order-4711',
  correlation_id: 'conf-1',
};
const idToken: JsonObject = {
  iss: 'https://op.carrier.test',
  sub: '001010-8f3a',
  aud: 'ccid-1',
  iat: 1,
  exp: 2,
  acr: 'a3',
};
const set: JsonObject = {
  iss: 'https://op.carrier.test',
  iat: 1,
  jti: 'e1',
  aud: 'ccid-1',
  sub: '001010-8f3a',
  events: ['device_change'],
};
const setHeader = { typ: 'set+jwt', alg: 'RS256', kid: 'op1' };

/** Rules that a text breaks, `REQ-001 claims.iss`. */
function brokenBy(text: string): readonly string[] {
  const found = recognizeMessage(text);
  if (found === undefined) throw new Error('not recognized');
  const { invariants, cases } = suites;
  const judge = { invariants, cases, checks: namedChecks, rules: createRuleBook(suites.rules) };
  return judgeMessage(found, judge).findings.map(({ rule, path = '' }) => `${rule} ${path}`.trim());
}

describe('what a message is', () => {
  test.each([
    ['request-object', jwt(request)],
    ['id-token', jwt(idToken)],
    ['event-token', jwt(set, setHeader)],
    ['event-token', jwt({ iss: 'x' }, setHeader)],
    ['client-assertion', jwt({ iss: 'ccid-1', sub: 'ccid-1', aud: 'https://op.carrier.test/token', exp: 2 })],
    ['usertrait-proof', jwt({ jti: 'a', htm: 'POST' }, { typ: 'dpop+jwt', alg: 'ES256' })],
    ['jwt', jwt({ hello: 'world' })],
    ['access-token', jwt({ iss: 'x', sub: 'y', exp: 2, iat: 1, client_id: 'z', scope: 'openid' }, { typ: 'at+jwt' })],
    ['id-token', jwt({ ...idToken, nonce: 'n' }, { typ: 'at+jwt' })],
    ['encrypted', `${part({ alg: 'RSA-OAEP-256', enc: 'A256GCM' })}.a.b.c.d`],
    ['callback', JSON.stringify({ auth_req_id: 'ccid-1', access_token: 'x' })],
    ['callback', JSON.stringify({ auth_req_id: 'ccid-1', error: 'request_denied' })],
    ['response', JSON.stringify({ auth_req_id: 'ccid-1', expires_in: 300 })],
    ['refusal', JSON.stringify({ error: 'invalid_request' })],
    ['tenure', JSON.stringify({ sim_tenure: 'true' })],
    ['carrier-of-one', JSON.stringify({ request: jwt(request) })],
    ['json', '[1]'],
    ['request-object', `Bearer ${jwt(request)}\n`],
  ])('%s', (type, text) => expect(recognizeMessage(text)?.type).toBe(type));

  test.each(['', 'hello', 'a.b.c', `${part([])}.${part({})}.x`, '{"a":', 'true false'])('%j is none', (text) =>
    expect(recognizeMessage(text)).toBeUndefined(),
  );

  test('tokens inside a body are found', () => {
    const body = { auth_req_id: 'x', access_token: 'y', id_token: jwt(idToken), set: 7 };
    expect(recognizeMessage(JSON.stringify(body))?.inside.map(({ member, found }) => [member, found.type])).toEqual([
      ['id_token', 'id-token'],
    ]);
  });
});

describe('what it breaks', () => {
  test('valid messages break nothing', () => {
    const callback = { auth_req_id: 'x', access_token: 'y', token_type: 'Bearer', expires_in: 1800 };
    for (const text of [
      jwt(request),
      jwt(idToken),
      jwt(set, setHeader),
      JSON.stringify(callback),
      '{"auth_req_id":"ccid-7Yk2mQ9ZpR4tV1xW8sB3nC6dF0g","expires_in":300}',
      '{"auth_req_id":"ccid-7Yk2mQ9ZpR4tV1xW8sB3nC6dF0g","error":"request_denied","state":"s"}',
      '{"error":"invalid_request"}',
      '{"sim_tenure":"false"}',
    ]) {
      expect(brokenBy(text)).toEqual([]);
    }
  });

  /** The text with its claims as they are written. */
  const withText = (text: string, header: JsonObject): string =>
    `${part(header)}.${Buffer.from(text).toString('base64url')}.c2ln`;
  const audTwice = (claims: JsonObject): string => JSON.stringify(claims).replace(/\}$/, ',"aud":"other"}');
  const plainHeader = { typ: 'JWT', alg: 'RS256', kid: 'k1' };
  const critical = { crit: ['b64'], b64: false };

  test.each([
    ['SEC-08 header.crit', jwt(request, { ...plainHeader, ...critical })],
    ['SEC-31 header.crit', jwt(idToken, { ...plainHeader, ...critical })],
    ['EVT-025 header.crit', jwt(set, { ...setHeader, ...critical })],
    ['SEC-10 claims', withText(audTwice(request), plainHeader)],
    ['TRN-019 claims', withText(audTwice(idToken), plainHeader)],
    ['TRN-019 claims', withText(audTwice(set), setHeader)],
    ['REQ-010 claims.iat', jwt({ ...request, iat: 1_767_225_600_000, exp: 1_767_225_600_240 })],
    ['SEC-31 claims.exp', jwt({ ...idToken, exp: 1_767_225_600_000 })],
    ['EVT-027 claims.iat', jwt({ ...set, iat: 1_767_225_600_000 }, setHeader)],
  ])('%s, by its form', (broken, text) => expect(brokenBy(text)).toEqual([broken]));

  test.each([
    ['{"auth_req_id":"ccid-7Yk2mQ9ZpR4tV1xW8sB3nC6dF0g","expires_in":300,"expires_in":60}', ['TRN-019 body']],
    ['{"error":"invalid_request","a":{"b":1,"b":2}}', ['TRN-019 body']],
    ['{"client_id":"a","usertrait":"sim_tenure","usertrait":"sim_tenure"}', []],
  ])('%s: a member twice is told of a body that a carrier sends', (text, broken) =>
    expect(brokenBy(text)).toEqual(broken),
  );

  const changed = (change: JsonObject): string => jwt({ ...request, ...change });
  const without = (name: string): string =>
    jwt(Object.fromEntries(Object.entries(request).filter(([known]) => known !== name)));

  test.each([
    ['REQ-001 claims.iss', changed({ iss: 7 })],
    ['REQ-002 claims.iss', changed({ iss: 'ccid-2' })],
    ['REQ-003 claims.sub', without('sub')],
    ['REQ-005 claims.sub', changed({ sub: '001010-8f3a' })],
    ['REQ-008 claims.iat', without('iat')],
    ['REQ-010 claims.iat', changed({ iat: 1.5 })],
    ['REQ-011 claims.exp', without('exp')],
    ['REQ-012 claims.exp', changed({ exp: 1_767_225_901 })],
    ['REQ-013 claims.exp', changed({ exp: '1767225840' })],
    ['REQ-017 claims.expires_in', without('expires_in')],
    ['REQ-018 claims.expires_in', changed({ expires_in: 0 })],
    ['REQ-019 claims.expires_in', changed({ expires_in: 172_801 })],
    ['REQ-021 claims.response_type', without('response_type')],
    ['REQ-022 claims.response_type', changed({ response_type: 'async-token' })],
    ['REQ-025 claims.client_id', without('client_id')],
    ['REQ-027 claims.redirect_uri', without('redirect_uri')],
    ['REQ-028 claims.redirect_uri', changed({ redirect_uri: 'http://sp.test/cb' })],
    ['REQ-029 claims.redirect_uri', changed({ redirect_uri: 'https://*.sp.test/cb' })],
    ['REQ-032 claims.notification_uri', changed({ notification_uri: '' })],
    ['REQ-035 claims.scope', changed({ scope: '' })],
    ['REQ-036 claims.scope', changed({ scope: 'openid,name' })],
    ['REQ-058 claims.acr_values', changed({ acr_values: 'a4' })],
    ['REQ-059 claims.acr_values', changed({ acr_values: 'a2' })],
    ['REQ-063 claims.login_hint', without('login_hint')],
    ['REQ-067 claims.login_hint', changed({ login_hint: '+1 217 555' })],
    ['REQ-070 claims.login_hint', changed({ login_hint_token: 'a.b.c.d.e' })],
    ['REQ-074 claims.context', changed({ context: 'x'.repeat(241) })],
    ['REQ-075 claims.context', changed({ context: 'short' })],
    ['REQ-082 claims.correlation_id', changed({ correlation_id: 'a b' })],
    ['REQ-084 claims.referred_binding', changed({ referred_binding: { kty: 'EC', d: 'x' } })],
    ['HDR-004 header.kid', jwt(request, { alg: 'RS256', kid: 'k-1' })],
    ['SEC-31 claims.aud', jwt({ ...idToken, aud: 7 })],
    ['SEC-31 header.alg', jwt(idToken, { alg: 'none' })],
    ['SEC-31 header.alg', jwt(idToken, { alg: 'nOnE' })],
    ['SEC-31 signature', jwt(idToken).replace(/c2ln$/, '')],
    ['SEC-01 header.alg', jwt(request, { alg: 'none' })],
    ['SEC-04 signature', jwt(request).replace(/c2ln$/, '')],
    ['EVT-025 header.alg', jwt(set, { typ: 'set+jwt', alg: 'none' }).replace(/c2ln$/, '')],
    ['TOK-001 header.alg', jwt({ iss: 'ccid-1', sub: 'ccid-1', aud: 'x', exp: 2 }, { alg: 'none' })],
    ['UT-007 header.alg', jwt({ jti: 'a', htm: 'POST' }, { typ: 'dpop+jwt', alg: 'none' })],
    ['EVT-023 setHeader.typ', jwt(set, { alg: 'RS256', kid: 'k1' })],
    ['EVT-031 set.sub', jwt({ ...set, sub: 'abc' }, setHeader)],
    ['RSP-003 body.auth_req_id', '{"auth_req_id":"ccid-7","expires_in":300}'],
    ['CB-023 body.error', '{"auth_req_id":"x","error":"invalid_grant"}'],
    ['CB-019 body.access_token', '{"auth_req_id":"x","error":"access_denied","access_token":"y"}'],
    ['UT-014 body.sim_tenure', '{"sim_tenure":"maybe"}'],
  ])('%s', (broken, text) => expect(brokenBy(text)).toContain(broken));

  test('every row of the tables is of a rule that ships', () => {
    const rules = new Set(
      suites.rules.flatMap(({ id, aspects }) => [id, ...aspects.map((aspect) => `${id}#${aspect.id}`)]),
    );
    const rows = Object.values(objectRules).flatMap((rules) => rules.map(([, rule]) => rule));
    const named = [...rows, ...Object.values(signatureRules).flatMap(({ alg, signature }) => [alg, signature])];
    expect(named.filter((rule) => !rules.has(rule))).toEqual([]);
  });

  test('a member that is inherited from nowhere is not there', () =>
    expect(brokenBy(jwt({ ...request, ['__proto__']: { iss: 'x' } }))).toEqual([]));
});
