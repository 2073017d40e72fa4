import { describe, expect, test } from 'vitest';
import { createRuleBook } from '../../../judge/rule-book.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { loadShipped } from '../../../testing/parts/shipped-suites.ts';
import { namedChecks } from '../checks/table.ts';
import type { JudgedMessage } from './finding.ts';
import { judgeMessage } from './judge-message.ts';
import type { HttpSurroundings, RequestHead, ResponseHead } from './observe.ts';
import { recognizeMessage, type RecognizedMessage } from './recognize.ts';

const { suites } = await loadShipped();

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function foundIn(body: JsonObject): RecognizedMessage {
  const found = recognizeMessage(JSON.stringify(body));
  if (found === undefined) throw new Error('not recognized');
  return found;
}

function judge(body: JsonObject, head?: RequestHead | ResponseHead): JudgedMessage {
  const { invariants, cases } = suites;
  const around: HttpSurroundings | undefined = head && { text: JSON.stringify(body), head };
  return judgeMessage(
    foundIn(body),
    { invariants, cases, checks: namedChecks, rules: createRuleBook(suites.rules) },
    around,
  );
}

const brokenBy = (body: JsonObject, head?: RequestHead | ResponseHead): readonly string[] =>
  judge(body, head).findings.map(({ rule, aspect, path = '' }) =>
    `${rule}${aspect === undefined ? '' : `#${aspect}`} ${path}`.trim(),
  );

const openRules = (judged: JudgedMessage, without: string): readonly string[] =>
  judged.notJudged.find((one) => one.without === without)?.rules ?? [];

const configuration: JsonObject = {
  issuer: 'https://op.carrier.test',
  authorization_endpoint: 'https://op.carrier.test/authorize',
  token_endpoint: 'https://op.carrier.test/token',
  jwks_uri: 'https://op.carrier.test/jwks',
  usertrait_endpoint: 'https://op.carrier.test/v1/usertrait',
  response_types_supported: ['code', 'token', 'async_token'],
  subject_types_supported: ['pairwise'],
  id_token_signing_alg_values_supported: ['RS256'],
};

describe('a configuration, by the cases that look at one', () => {
  test('one that conforms breaks nothing, and says what it does not show', () => {
    const judged = judge(configuration);
    expect(judged.findings).toEqual([]);
    expect(openRules(judged, 'its HTTP header fields')).toEqual(['DSC-001']);
    expect(openRules(judged, 'the URL that was asked')).toEqual(['DSC-012']);
    expect(openRules(judged, 'the target file')).toEqual(['SEC-51']);
  });

  test.each([
    ['DSC-004 body.issuer', { issuer: 'http://op.carrier.test' }],
    ['DSC-005 body.authorization_endpoint', { authorization_endpoint: '/authorize' }],
    ['DSC-006 body.token_endpoint', { token_endpoint: 7 }],
    ['DSC-007 body.jwks_uri', { jwks_uri: 'jwks' }],
    ['DSC-008 body.response_types_supported', { response_types_supported: 'code' }],
    ['DSC-009 body.response_types_supported', { response_types_supported: ['code'] }],
    ['DSC-010 body.subject_types_supported', { subject_types_supported: 'pairwise' }],
    ['DSC-010#pairwise body.subject_types_supported', { subject_types_supported: ['public'] }],
    ['DSC-011 body.id_token_signing_alg_values_supported', { id_token_signing_alg_values_supported: [] }],
    ['DSC-011#none body.id_token_signing_alg_values_supported.0', { id_token_signing_alg_values_supported: ['none'] }],
    ['UT-003 body', { usertrait_endpoint: 'v1/usertrait' }],
  ] as const)('%s', (broken, change: JsonObject) =>
    expect(brokenBy({ ...configuration, ...change })).toContain(broken),
  );

  test('a member that is not there', () => {
    const { token_endpoint: _, ...without } = configuration;
    expect(brokenBy(without)).toEqual(['DSC-006 body.token_endpoint']);
  });
});

describe('keys', () => {
  const key = { kty: 'EC', crv: 'P-256', x: 'eA', y: 'eQ', kid: 'op1' };

  test('public ones break nothing, in a set and alone', () => {
    expect(brokenBy({ keys: [key] })).toEqual([]);
    expect(brokenBy(key)).toEqual([]);
  });

  test.each([
    ['SEC-39#private body.keys.0.d', { keys: [{ ...key, d: 'ZA' }] }],
    ['SEC-39 body.keys.0.n', { keys: [{ kty: 'RSA', n: 'AQAB', e: 'AQAB', kid: 'r' }] }],
    ['SEC-39#kids body.keys', { keys: [key, { ...key, x: 'eg' }] }],
    ['DSC-007 body.keys', { keys: [] }],
    ['SEC-39#private body.keys.0.d', { ...key, d: 'ZA' }],
  ] as const)('%s', (broken, body: JsonObject) => expect(brokenBy(body)).toContain(broken));
});

describe('what the head of a message shows', () => {
  const json: RequestHead['headers'] = [['Content-Type', 'application/json']];
  const accepted = { auth_req_id: 'ccid-7Yk2mQ9ZpR4tV1xW8sB3nC6dF0g', expires_in: 300 };

  test('of a response: the media type, the cache control and the status', () => {
    expect(brokenBy(accepted, { status: 200, headers: [...json, ['Cache-Control', 'no-store']] })).toEqual([]);
    expect(brokenBy(accepted, { status: 200, headers: [['Content-Type', 'text/html']] })).toEqual([
      'RSP-001 headers.content-type',
      'SEC-38 headers.content-type',
      'SEC-38 headers.cache-control',
    ]);
    const request = { found: foundIn({ request: `${part({ alg: 'RS256' })}.${part({})}.c2ln` }) };
    expect(brokenBy({ error: 'invalid_request' }, { status: 500, headers: json, request })).toContain('TRN-015');
  });

  test('of a callback: the media type, the cache control and the bearer', () => {
    const callback = { auth_req_id: 'x', access_token: 'y', token_type: 'Bearer', expires_in: 1800 };
    const head = { method: 'POST', target: '/notify', headers: [...json, ['cache-control', 'no-cache'] as const] };
    const judged = judge(callback, head);
    expect(judged.findings).toEqual([]);
    expect(openRules(judged, 'the request that it answers')).toContain('CB-004');
    expect(brokenBy(callback, { ...head, headers: [] })).toEqual([
      'CB-002 headers.content-type',
      'CB-003 headers.cache-control',
    ]);
  });

  test('of an event: the method, and the body around the SET', () => {
    const set = {
      iss: 'https://op.carrier.test',
      iat: 1,
      jti: 'e1',
      aud: 'ccid-1',
      sub: '001010-8f3a',
      events: ['device_change'],
    };
    const body = { set: `${part({ typ: 'set+jwt', alg: 'RS256', kid: 'op1' })}.${part(set)}.c2ln`, more: 1 };
    const head = { method: 'PUT', target: '/events', headers: json };
    expect(brokenBy(body, head)).toEqual([
      'EVT-009 method',
      'EVT-010#other-members body',
      'EVT-012 headers.cache-control',
    ]);
    expect(brokenBy(body)).toEqual(['EVT-010#other-members body']);
  });

  test('a response is held to the request that is beside it', () => {
    const claims = { response_type: 'async_token', correlation_id: 'conf-1', expires_in: 60 };
    const found = foundIn({ request: `${part({ alg: 'RS256' })}.${part(claims)}.c2ln` });
    const head = { status: 200, headers: [...json, ['cache-control', 'no-store'] as const], request: { found } };
    expect(brokenBy({ ...accepted, correlation_id: 'conf-1', expires_in: 60 }, head)).toEqual([]);
    expect(brokenBy({ ...accepted, correlation_id: 'conf-2' }, head)).toContain('RSP-002 body.correlation_id');
  });

  test('a refusal of another endpoint is no refusal of a request object, and 429 is about the load', () => {
    const refused = { error: 'invalid_client' };
    expect(brokenBy(refused, { status: 401, headers: json, request: {} })).toEqual([]);
    const request = { found: foundIn({ request: `${part({ alg: 'RS256' })}.${part({})}.c2ln` }) };
    expect(brokenBy(refused, { status: 401, headers: json, request })).toContain('TRN-015#ciba-status');
    expect(brokenBy(refused, { status: 401, headers: json })).toEqual([]);
    expect(brokenBy({ auth_req_id: 'ccid-1', status: 'cancelled' }, { status: 200, headers: json })).toEqual([]);
    expect(brokenBy(refused, { status: 429, headers: [] })).toEqual([]);
  });
});
