import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../../lib/json.ts';
import {
  buildResponse,
  buildAwait,
  buildDenial,
  buildHistory,
  buildRefusal,
  buildTokens,
  observedStart,
} from '../../../../testing/parts/observations.ts';
import { checkMessage } from '../../../../testing/parts/named-checks.ts';
import { MissingValue } from '../../../../model/suite.ts';
import type { CallbackObservation, EventObservation, Judgeable } from '../../../../judge/observation.ts';

const buildEvent = (set: JsonObject, parts: Partial<EventObservation> = {}): EventObservation => ({
  kind: 'event',
  message: 'a-case#d1',
  receivedAt: observedStart,
  method: 'POST',
  target: '/events',
  headers: {},
  headerLines: [],
  text: '',
  set,
  ...parts,
});
const buildEvents = (...deliveries: readonly EventObservation[]): Judgeable => ({
  kind: 'events',
  step: 'event',
  sentAt: observedStart,
  until: observedStart + 180,
  deliveries,
  count: deliveries.length,
  summary: 'events',
});

const accessToken = 'jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y';
/** OIDC Core §A.3 has this pair. */
const atHash = '77QmUPtjPfzWtF2AnpK9RQ';
const authReqId = 'ccid-7Yk2mQ9ZpR4tV1xW8sB3nC6dF0g';
const boundTo = (idToken: JsonObject) => buildTokens({ body: { access_token: accessToken }, idToken });
const tied = { at_hash: atHash, 'urn:openid:params:jwt:claim:auth_req_id': authReqId };

const idToken = {
  aud: 'ccid-conftestclient01',
  iat: observedStart + 10,
  exp: observedStart + 1810,
  nonce: 'n-0S6WzA2Mj',
  acr: 'a3',
  auth_time: observedStart + 5,
};
const withClaims = (claims: JsonObject, parts: Partial<CallbackObservation> = {}) =>
  buildTokens({ idToken: { ...idToken, ...claims }, ...parts });
const keySet = (...keys: readonly JsonObject[]) => buildResponse({ body: { keys } });
const oneBitLess = (bits: number): string => Buffer.alloc(bits / 8, 0x41).toString('base64url');
const modulus = (bits: number): string => Buffer.alloc(bits / 8, 0x81).toString('base64url');
const described = (text: string) => buildRefusal('invalid_request', { body: { error_description: text } });
const withHeaders = (headers: Record<string, string>, status = 200) => buildResponse({ status, headers });
const withId = (id: string) => buildResponse({ body: { auth_req_id: id }, jws: 'e30.e30.c2ln' });
const hashed = (hash: string, text: string) => createHash(hash).update(text).digest('hex').slice(0, 32);

type BaselineRow = readonly [what: string, observation: Judgeable, path?: string | undefined, actual?: Json];
type BaselineTable = Readonly<Record<string, readonly BaselineRow[]>>;

const table: BaselineTable = {
  'answered-within-10-seconds': [
    ['10 s', buildResponse({ took: 10_000 })],
    ['a callback', buildTokens()],
    ['10.1 s', buildResponse({ took: 10_100 }), undefined, '10.1 s'],
  ],
  'answered-within-2-seconds': [
    ['2 s', buildResponse({ took: 2000 })],
    ['2.1 s', buildResponse({ took: 2100 }), undefined, '2.1 s'],
  ],
  'answered-within-4-seconds': [
    ['4 s', buildResponse({ took: 4000 })],
    ['4.1 s', buildResponse({ took: 4100 }), undefined, '4.1 s'],
  ],
  'auth-req-id-not-derived': [
    ['no id', buildRefusal('invalid_request')],
    ['15 characters of the jti', withId('ccid-6f1c2a9e7b3d4c5')],
    ['all 16 of them', withId('ccid-6f1c2a9e7b3d4c58'), 'body.auth_req_id', 'ccid-6f1c2a9e7b3d4c58'],
    [
      'a hash of the state',
      withId(`ccid-${hashed('sha256', 'st-0001')}`),
      'body.auth_req_id',
      `ccid-${hashed('sha256', 'st-0001')}`,
    ],
    [
      'a hash of the request object',
      withId(`ccid-${hashed('md5', 'e30.e30.c2ln')}`),
      'body.auth_req_id',
      `ccid-${hashed('md5', 'e30.e30.c2ln')}`,
    ],
  ],
  'cache-control-no-store': [['among others', withHeaders({ 'cache-control': 'private, No-Store' }, 400)]],
  'error-code-of-the-registry': [
    ['of the platform', buildDenial('authentication_timed_out')],
    ['none', buildResponse()],
    ['a number', buildDenial('x', { body: { error: 7 } }), 'body.error', 7],
  ],
  'correlation-id-reflected': [
    ['not there', buildResponse({ body: {} })],
    ['escaped twice', buildResponse({ body: { correlation_id: 'conf&amp;' } }), 'body.correlation_id', 'conf&amp;'],
  ],
  'error-description-discreet': [
    ['an exception', described('java.lang.NullPointerException: null'), 'body', 'java.lang.NullPointerException: '],
    ['a query', described('SELECT sub FROM subscribers'), 'body', 'SELECT sub FROM'],
    ['a sentence', described('context is longer than 240 characters (255)')],
    ['a word that looks like SQL', described('select another scope')],
    ['a quotation mark', described('the "scope"'), 'body.error_description', 'the "scope"'],
    ['a line break', described('a\nb'), 'body.error_description', 'a\nb'],
    ['a trace', described('at Scope.check (scope.js:12:4)'), 'body', 'at Scope.check (scope.js:12:4'],
    ['an internal host', described('no route to hss01.core.internal'), 'body', 'hss01.core.internal'],
    ['an internal address', described('no route to 10.20.3.4'), 'body', '10.20.3.4'],
    ['a file', described('cannot read /etc/carrier/keys.json'), 'body', ' /etc/carrier/keys.json'],
    [
      'a trace in a body that is no JSON',
      buildRefusal('x', { body: null, text: 'Traceback (most recent call last)' }),
      'body',
      'Traceback (most recent call',
    ],
  ],
  'event-iat-is-recent': [
    ['5 minutes', buildEvents(buildEvent({ iat: observedStart - 300 }))],
    [
      'a retry',
      buildEvents(
        buildEvent({ iat: observedStart }),
        buildEvent({ iat: observedStart }, { receivedAt: observedStart + 400 }),
      ),
    ],
    ['301 seconds', buildEvents(buildEvent({ iat: observedStart - 301 })), 'set.iat', observedStart - 301],
    ['milliseconds', buildEvents(buildEvent({ iat: observedStart * 1000 })), 'set.iat', observedStart * 1000],
  ],
  'id-token-in-order': [
    ['several audiences and azp', withClaims({ aud: ['x', 'ccid-conftestclient01'], azp: 'ccid-conftestclient01' })],
    ['several audiences alone', withClaims({ aud: ['x', 'ccid-conftestclient01'] })],
    ['what is optional as null', withClaims({ azp: null, acr: null, auth_time: null })],
    ['within an await', buildAwait([withClaims({})])],
    ['iat 300 s before the request', withClaims({ iat: observedStart - 300 })],
    ['iat 300 s after the delivery', withClaims({ iat: observedStart + 310 })],
    ['exp 299 s before the request', withClaims({ iat: observedStart - 300, exp: observedStart - 299 })],
    ['iat 301 s before the request', withClaims({ iat: observedStart - 301 }), 'idToken.iat', observedStart - 301],
    ['an id token that is no JWT', buildDenial('x', { body: { id_token: 7 } }), 'body.id_token', 'no JWT'],
    ['iat as text', withClaims({ iat: String(observedStart) }), 'idToken.iat', String(observedStart)],
    ['iat 311 s ahead', withClaims({ iat: observedStart + 321 }), 'idToken.iat', observedStart + 321],
    ['exp passed', withClaims({ exp: observedStart - 300 }), 'idToken.exp', observedStart - 300],
    [
      'exp passed when a first delivery came',
      withClaims(
        { exp: observedStart + 600 },
        { receivedAt: observedStart + 900, history: buildHistory({ earlier: 0 }) },
      ),
      'idToken.exp',
      observedStart + 600,
    ],
    [
      'exp passed when a delivery came again',
      withClaims(
        { exp: observedStart + 600 },
        { receivedAt: observedStart + 900, history: buildHistory({ earlier: 1 }) },
      ),
    ],
    [
      'exp passed while a first delivery may have been unread',
      withClaims(
        { exp: observedStart + 600 },
        { receivedAt: observedStart + 900, lag: 60, history: buildHistory({ earlier: 0 }) },
      ),
    ],
    ['exp before iat', withClaims({ exp: observedStart - 1 }), 'idToken.exp', observedStart - 1],
    ['auth_time ahead', withClaims({ auth_time: observedStart + 400 }), 'idToken.auth_time', observedStart + 400],
    ['acr as a number', withClaims({ acr: 3 }), 'idToken.acr', 3],
  ],
  'id-token-tied-to-its-tokens': [
    ['both', boundTo(tied)],
    ['no at_hash', boundTo({ ...tied, at_hash: null }), 'idToken.at_hash', null],
    ['another at_hash', boundTo({ ...tied, at_hash: 'x' }), 'idToken.at_hash', 'x'],
    ['no auth_req_id', boundTo({ at_hash: atHash }), 'idToken', null],
  ],
  'jwks-in-order': [
    ['one without kid', keySet({ kty: 'RSA', n: modulus(2048), e: 'AQAB' })],
    ['a refusal', buildRefusal('invalid_request')],
    ['a key one bit too small', keySet({ kty: 'RSA', n: oneBitLess(2048), e: 'AQAB' }), 'body.keys.0.n', 2047],
    ['a small key', keySet({ kty: 'RSA', n: modulus(1024), e: 'AQAB' }), 'body.keys.0.n', 1024],
    ['an exponent of 1', keySet({ kty: 'RSA', n: modulus(2048), e: 'AQ' }), 'body.keys.0.e', 'AQ'],
    ['an exponent of 1 behind zeros', keySet({ kty: 'RSA', n: modulus(2048), e: 'AAAB' }), 'body.keys.0.e', 'AAAB'],
    ['an even exponent', keySet({ kty: 'RSA', n: modulus(2048), e: 'AQAA' }), 'body.keys.0.e', 'AQAA'],
    ['no exponent', keySet({ kty: 'RSA', n: modulus(2048) }), 'body.keys.0.e', null],
    [
      'zeros in front of a small key',
      keySet({ kty: 'RSA', n: `${'A'.repeat(172)}${modulus(1024)}`, e: 'AQAB' }),
      'body.keys.0.n',
      1024,
    ],
    ['no list', buildResponse({ body: {} }), 'body.keys', null],
  ],
  'jwks-kids-distinct': [
    ['one without kid', keySet({ kty: 'EC' })],
    ['a kid for two kinds of key', keySet({ kty: 'EC', kid: 'a' }, { kty: 'RSA', kid: 'a' })],
    ['a kid missing', keySet({ kty: 'EC', kid: 'a' }, { kty: 'EC' }), 'body.keys', 1],
    ['a kid of null', keySet({ kty: 'EC', kid: 'a' }, { kty: 'EC', kid: null }), 'body.keys', 1],
  ],
};

const rows = Object.entries(table).flatMap(([name, all]) =>
  all.map(([what, observation, path, actual]) => [name, what, { observation, path, actual }] as const),
);

test.each(rows)('%s: %s', (name, _, { observation, path, actual }) => {
  const found = checkMessage(name, observation).map((one) => [one.path, one.actual]);
  expect(found).toEqual(actual === undefined ? [] : [[path, actual]]);
});

test.each(['id-token-in-order', 'id-token-tied-to-its-tokens'])('%s judges nothing without an id token', (name) =>
  expect(() => checkMessage(name, buildDenial())).toThrow(MissingValue),
);
