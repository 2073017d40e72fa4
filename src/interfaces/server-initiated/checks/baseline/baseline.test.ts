import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../../lib/json.ts';
import {
  buildResponse,
  buildAwait,
  buildDenial,
  buildRefusal,
  buildTokens,
  observedStart,
} from '../../../../testing/parts/observations.ts';
import { checkMessage } from '../../../../testing/parts/named-checks.ts';
import { MissingValue } from '../../../../model/suite.ts';
import type { Judgeable, EventObservation } from '../../../../judge/observation.ts';

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
const withClaims = (claims: JsonObject) => buildTokens({ idToken: { ...idToken, ...claims } });
const keySet = (...keys: readonly JsonObject[]) => buildResponse({ body: { keys } });
const modulus = (bits: number): string => Buffer.alloc(bits / 8, 0x81).toString('base64url');
const described = (text: string) => buildRefusal('invalid_request', { body: { error_description: text } });
const withHeaders = (headers: Record<string, string>, status = 200) => buildResponse({ status, headers });
const withId = (id: string) => buildResponse({ body: { auth_req_id: id }, jws: 'e30.e30.c2ln' });
const hashed = (hash: string, text: string) => createHash(hash).update(text).digest('hex').slice(0, 32);

interface Both {
  readonly name: string;
  readonly conforms: readonly (readonly [what: string, observation: Judgeable])[];
  readonly violates: readonly (readonly [
    what: string,
    observation: Judgeable,
    path: string | undefined,
    actual: Json,
  ])[];
}

const table: readonly Both[] = [
  {
    name: 'answered-within-10-seconds',
    conforms: [
      ['10 s', buildResponse({ took: 10_000 })],
      ['a callback', buildTokens()],
    ],
    violates: [['10.1 s', buildResponse({ took: 10_100 }), undefined, '10.1 s']],
  },
  ...[2, 4].map((most) => ({
    name: `answered-within-${most}-seconds`,
    conforms: [[`${most} s`, buildResponse({ took: most * 1000 })] as const],
    violates: [[`${most}.1 s`, buildResponse({ took: most * 1000 + 100 }), undefined, `${most}.1 s`] as const],
  })),
  {
    name: 'auth-req-id-not-derived',
    conforms: [['no id', buildRefusal('invalid_request')]],
    violates: [
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
  },
  {
    name: 'cache-control-no-store',
    conforms: [['among others', withHeaders({ 'cache-control': 'private, No-Store' }, 400)]],
    violates: [],
  },
  {
    name: 'error-code-of-the-registry',
    conforms: [
      ['of the platform', buildDenial('authentication_timed_out')],
      ['none', buildResponse()],
    ],
    violates: [['a number', buildDenial('x', { body: { error: 7 } }), 'body.error', 7]],
  },
  {
    name: 'error-description-discreet',
    conforms: [
      ['a sentence', described('context is longer than 240 characters (255)')],
      ['a word that looks like SQL', described('select another scope')],
    ],
    violates: [
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
  },
  {
    name: 'event-iat-is-recent',
    conforms: [
      ['5 minutes', buildEvents(buildEvent({ iat: observedStart - 300 }))],
      [
        'a retry',
        buildEvents(
          buildEvent({ iat: observedStart }),
          buildEvent({ iat: observedStart }, { receivedAt: observedStart + 400 }),
        ),
      ],
    ],
    violates: [
      ['301 seconds', buildEvents(buildEvent({ iat: observedStart - 301 })), 'set.iat', observedStart - 301],
      ['milliseconds', buildEvents(buildEvent({ iat: observedStart * 1000 })), 'set.iat', observedStart * 1000],
    ],
  },
  {
    name: 'id-token-in-order',
    conforms: [
      ['several audiences and azp', withClaims({ aud: ['x', 'ccid-conftestclient01'], azp: 'ccid-conftestclient01' })],
      ['several audiences alone', withClaims({ aud: ['x', 'ccid-conftestclient01'] })],
      ['what is optional as null', withClaims({ azp: null, acr: null, auth_time: null })],
      ['within an await', buildAwait([withClaims({})])],
    ],
    violates: [
      ['an id token that is no JWT', buildDenial('x', { body: { id_token: 7 } }), 'body.id_token', 'no JWT'],
      ['iat as text', withClaims({ iat: String(observedStart) }), 'idToken.iat', String(observedStart)],
      ['iat 311 s ahead', withClaims({ iat: observedStart + 321 }), 'idToken.iat', observedStart + 321],
      ['exp passed', withClaims({ exp: observedStart - 300 }), 'idToken.exp', observedStart - 300],
      ['exp before iat', withClaims({ exp: observedStart - 1 }), 'idToken.exp', observedStart - 1],
      ['auth_time ahead', withClaims({ auth_time: observedStart + 400 }), 'idToken.auth_time', observedStart + 400],
      ['acr as a number', withClaims({ acr: 3 }), 'idToken.acr', 3],
    ],
  },
  {
    name: 'id-token-tied-to-its-tokens',
    conforms: [['both', boundTo(tied)]],
    violates: [
      ['no at_hash', boundTo({ ...tied, at_hash: null }), 'idToken.at_hash', null],
      ['another at_hash', boundTo({ ...tied, at_hash: 'x' }), 'idToken.at_hash', 'x'],
      ['no auth_req_id', boundTo({ at_hash: atHash }), 'idToken', null],
    ],
  },
  {
    name: 'jwks-in-order',
    conforms: [
      ['one without kid', keySet({ kty: 'RSA', n: modulus(2048), e: 'AQAB' })],
      ['a refusal', buildRefusal('invalid_request')],
    ],
    violates: [
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
  },
  {
    name: 'jwks-kids-distinct',
    conforms: [
      ['one without kid', keySet({ kty: 'EC' })],
      ['a kid for two kinds of key', keySet({ kty: 'EC', kid: 'a' }, { kty: 'RSA', kid: 'a' })],
    ],
    violates: [
      ['a kid missing', keySet({ kty: 'EC', kid: 'a' }, { kty: 'EC' }), 'body.keys', 1],
      ['a kid of null', keySet({ kty: 'EC', kid: 'a' }, { kty: 'EC', kid: null }), 'body.keys', 1],
    ],
  },
];

describe('checks of one message', () => {
  test.each(
    table.flatMap(({ name, conforms }) => conforms.map(([what, observation]) => [name, what, observation] as const)),
  )('%s: %s conforms', (name, _, observation) => {
    expect(checkMessage(name, observation)).toEqual([]);
  });
  test.each(
    table.flatMap(({ name, violates }) =>
      violates.map(([what, observation, path, actual]) => [name, what, { observation, path, actual }] as const),
    ),
  )('%s: %s does not', (name, _, { observation, path, actual }) => {
    const found = checkMessage(name, observation);
    expect(found).toHaveLength(1);
    expect([found[0]?.path, found[0]?.actual]).toEqual([path, actual]);
  });
  test.each(['id-token-in-order', 'id-token-tied-to-its-tokens'])('%s judges nothing without an id token', (name) => {
    expect(() => checkMessage(name, buildDenial())).toThrow(MissingValue);
  });
});
