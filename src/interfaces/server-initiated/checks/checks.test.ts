import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Json, type JsonObject, omitUndefined } from '../../../lib/json.ts';
import { MissingValue } from '../../../model/suite.ts';
import { ecKey, rsaKey } from '../../../testing/parts/keys.ts';
import { checkMessage, checkRun, type CheckTable, testChecks } from '../../../testing/parts/named-checks.ts';
import {
  buildResponse,
  buildAwait,
  buildDenial,
  buildHistory,
  buildLook,
  buildRefusal,
  buildSilence,
  buildTokens,
  observedStart,
} from '../../../testing/parts/observations.ts';
import type { RunMessage } from '../../../judge/check.ts';
import type { DriverCallRecord, Judgeable, RequestHistory, ResponseObservation } from '../../../judge/observation.ts';
import { registeredErrors } from './refusal.ts';
import { namedChecks } from './table.ts';

const sent = (claims: JsonObject) => buildResponse({ claims });
const typed = (type: string | undefined) => ({ headers: type === undefined ? {} : { 'content-type': type } });
const redirected = (location: string, url = 'https://op.test/start') =>
  buildResponse({ url, status: 302, headers: { location } });
/** A delivery to the URI of our receiver that the request named. */
const named = (target: string) => ({ target, sent: sent({ notification_uri: `https://sp.test${target}` }) });

const bearer = (...values: readonly string[]) =>
  buildTokens({ headerLines: values.map((value) => ['aUthorization', value] as const) });
const token = '8d67dc78-7faa-4d41-aabd-67707b374255';

const table: CheckTable = {
  'answered-within-30-seconds': [
    ['30.04 s', buildResponse({ receivedAt: observedStart + 30.04 })],
    ['30.1 s', buildResponse({ receivedAt: observedStart + 30.1 }), { actual: '30.1 s' }],
  ],
  'auth-time-is-of-the-request': [
    ['60 s before', buildTokens({ idToken: { auth_time: observedStart - 60 } })],
    ['not shown', buildTokens({ idToken: {} })],
    ['a request without iat', buildTokens({ idToken: { auth_time: 0 }, sent: sent({}) })],
    [
      '61 s before',
      buildTokens({ idToken: { auth_time: observedStart - 61 } }),
      { path: 'idToken.auth_time', actual: observedStart - 61 },
    ],
    [
      'a string',
      buildAwait([buildTokens({ idToken: { auth_time: String(observedStart) } })]),
      { actual: String(observedStart) },
    ],
  ],
  'granted-life-in-reach': [
    ['a year', buildResponse({ granted: 31_536_000, claims: { expires_in: 300 } })],
    ['decades that were asked for', buildResponse({ granted: 2 ** 31, claims: { expires_in: 2 ** 31 } })],
    ['decades', buildResponse({ granted: 2 ** 31, claims: { expires_in: 300 } }), { actual: 2 ** 31 }],
    [
      'decades where a text was sent',
      buildResponse({ granted: 2 ** 31, claims: { expires_in: 'x' } }),
      { actual: 2 ** 31 },
    ],
  ],
  'authorization-refused': [
    ['an error in the fragment', redirected('https://sp.test/cb#error=invalid_request')],
    ['another error', redirected('/cb?error=server_error'), { actual: 'server_error' }],
  ],
  'token-life-is-a-number': [
    ['a number', buildTokens({ body: { expires_in: 1 } })],
    ['none', buildTokens({ body: {} })],
    [
      'digits in a string',
      { ...buildTokens({ body: { expires_in: 300 } }), received: { expires_in: '300' } },
      { path: 'body.expires_in', actual: '300' },
    ],
  ],
  'no-empty-token-or-error': [
    ['an empty state', buildTokens({ body: { state: '' } })],
    [
      'an empty error in a 200',
      { ...buildResponse(), received: { error: '' } },
      { aspect: 'empty', path: 'body.error', actual: '' },
    ],
  ],
  'bearer-is-notification-token': [
    ['two blanks', bearer(`BEARER  ${token}`)],
    [
      'a token that is not ASCII, as its UTF-8 bytes',
      buildTokens({
        headerLines: [['authorization', `bearer ${Buffer.from('café-0123456789-0123456789').toString('latin1')}`]],
        sent: sent({ client_notification_token: 'café-0123456789-0123456789' }),
      }),
    ],
    ['no token was sent', buildTokens({ headerLines: [], sent: sent({}) })],
    ['two', bearer(`bearer ${token}`, `bearer ${token}`), { actual: '2 Authorization headers' }],
    ['another scheme', bearer(`Basic ${token}`), { actual: 'scheme Basic' }],
    ['no credential', bearer('bearer'), { actual: 'bearer without a credential' }],
    [
      'another token, which is not repeated',
      bearer('bearer hush-hush'),
      { actual: `bearer with 9 other characters than the ${token.length} of the token` },
    ],
  ],
  'cache-control-no-cache': [
    ['among others, in any case', buildTokens({ headers: { 'cache-control': 'no-store,NO-CACHE , a=0' } })],
    ['one like it', buildTokens({ headers: { 'cache-control': 'x-no-cache' } }), { actual: 'x-no-cache' }],
  ],
  'content-type-application-json': [
    ['with a charset, in any case', buildTokens(typed('Application/JSON ; charset=utf-8'))],
    ['a relative', buildTokens(typed('application/problem+json')), { actual: 'application/problem+json' }],
  ],
  'json-media-type': [
    ['a relative', buildResponse(typed('application/problem+JSON;charset=utf-8'))],
    ['one like it', buildResponse(typed('application/jsonp')), { actual: 'application/jsonp' }],
  ],
  'correlation-id-echoed-on-refusal': [
    ['sent empty', buildRefusal('x', { claims: { correlation_id: '' }, body: {} })],
    ['sent as a number', buildRefusal('x', { claims: { correlation_id: 5 }, body: {} })],
    ['nothing the carrier could read', buildRefusal('x', { body: {}, readable: 'not at all' })],
    [
      'one outside its pattern',
      buildRefusal('x', { claims: { correlation_id: 'a b' }, body: {} }),
      { aspect: 'outside-pattern', actual: null },
    ],
    [
      'missing where the object cannot be read',
      buildRefusal('x', { body: {}, readable: 'unverified' }),
      { aspect: 'unreadable-object', actual: null },
    ],
  ],
  'correlation-id-equal-where-present': [
    ['null (P5)', buildDenial('x', { body: { correlation_id: null } })],
    ['empty (P10)', buildDenial('x', { body: { correlation_id: '' } })],
    [
      'invented, which is recorded',
      buildDenial('x', { body: { correlation_id: 'y' }, sent: sent({}) }),
      { aspect: 'open', actual: 'y' },
    ],
    [
      'another than one outside the pattern, which is recorded (C7.9)',
      buildDenial('x', { body: { correlation_id: 'a' }, sent: sent({ correlation_id: 'a b' }) }),
      { aspect: 'open', actual: 'a' },
    ],
  ],
  'delivered-to-registered-uri': [
    ['one of two', buildTokens({ target: '/b?x=1', history: buildHistory({ registered: ['/a', '/b?x=1'] }) })],
    ['another than the named one, which breaks CB-001', buildTokens({ target: '/else', history: buildHistory() })],
    [
      'the named one, which is not registered',
      buildTokens({ ...named('/si/notify?next=1'), history: buildHistory() }),
      { path: 'target', actual: '/si/notify?next=1' },
    ],
    [
      'another spelling of the registered one',
      buildTokens({ ...named('/x/../si/%6Eotify'), history: buildHistory() }),
      { aspect: 'spelling', actual: '/x/../si/%6Eotify' },
    ],
  ],
  'delivered-to-named-uri': [
    ['no path', buildTokens({ target: '/', sent: sent({ notification_uri: 'https://sp.test' }) })],
    ['without its fragment', buildTokens({ target: '/n', sent: sent({ notification_uri: 'https://sp.test/n#x' }) })],
    ['none was named', buildTokens({ target: '/x', sent: sent({}) })],
    ['what was named is no URL', buildTokens({ target: '/x', sent: sent({ notification_uri: '/si' }) })],
    ['another spelling', buildTokens({ target: '/si/%6eotify' }), { actual: 'POST /si/%6eotify' }],
    ['a slash more', buildTokens({ target: '/si/notify/' }), { actual: 'POST /si/notify/' }],
  ],
  'error-code-known': [
    ...[...registeredErrors].map((error) => [error, buildRefusal(error)] as const),
    ['a number', buildRefusal('x', { body: { error: 400 } }), { actual: 400 }],
    ['another case', buildAwait([buildDenial('Access_Denied')]), { aspect: 'unregistered', actual: 'Access_Denied' }],
  ],
  'callback-after-the-response': [
    ['on the way at the same time', buildTokens({ ahead: 1000 })],
    ['just before it', buildTokens({ ahead: 1001 }), { actual: '1.0 s before it' }],
    ['before it', buildAwait([buildTokens({ ahead: 1540 })]), { actual: '1.5 s before it' }],
  ],
  'standing-not-shown': [
    ['a problem of RFC 9457', buildResponse({ status: 400, body: { status: '400', title: 'no' } })],
    ['an error code', buildResponse({ status: 404, body: { status: 404, code: 'NOT_FOUND', state: 'error' } })],
    ['a state', buildResponse({ status: 200, body: { state: 'denied' } }), { path: 'body.state', actual: 'denied' }],
    [
      'a pending request in a refusal',
      buildResponse({ status: 400, body: { status: 'authorization_pending' } }),
      { path: 'body.status', actual: 'authorization_pending' },
    ],
    ['a code', buildResponse({ status: 200, body: { code: 'SplxlOBeZQQYbYS6WxSbIA' } }), { path: 'body.code' }],
  ],
  'starts-nothing': [
    ['sent elsewhere', buildResponse({ status: 302, body: {} })],
    ['nothing', buildSilence('reset')],
    ['a request opened under another status', buildResponse({ status: 302 }), {}],
  ],
  'correlation-id-repeated': [
    ['empty, and left out', buildTokens({ sent: sent({ correlation_id: '' }), body: {} })],
    ['made where none was sent', buildResponse({ claims: {} })],
    [
      'one outside its pattern',
      buildResponse({ claims: { correlation_id: 'a b' }, body: {} }),
      { aspect: 'outside-pattern', actual: null },
    ],
  ],
  'correlation-id-not-invented': [
    ['empty', buildResponse({ claims: {}, body: { correlation_id: '' } })],
    ['made', buildResponse({ claims: {} }), { actual: 'conf-run-000123' }],
  ],
  'granted-expires-in': [
    ...[1, '1', '9999999999', '0300'].map(
      (granted) => [JSON.stringify(granted), buildResponse({ body: { expires_in: granted } })] as const,
    ),
    ['missing', buildResponse({ body: {} }), { path: 'body.expires_in', actual: null }],
    ...([0, 1.5, 1e300, '', '0', '-1', '12345678901', ' 300', null, true, [300]] satisfies readonly Json[]).map(
      (actual) => [JSON.stringify(actual), buildResponse({ body: { expires_in: actual } }), { actual }] as const,
    ),
    ...['ccid-300', 'ccid-      ', 'ccid-1 2 3'].map(
      (actual) =>
        [actual, buildResponse({ body: { expires_in: actual } }), { aspect: 'published-pattern', actual }] as const,
    ),
    ['one digit', buildResponse({ body: { expires_in: 'ccid-3' } }), { actual: 'ccid-3' }],
  ],
  'id-token-context-is-the-text': [
    ['not sent', buildTokens({ sent: sent({}) })],
    ['characters whose fate is open (A17)', buildTokens({ sent: sent({ context: 'Pay $25 to Jo?' }), idToken: {} })],
    [
      'escapes decoded once (C1.2)',
      buildTokens({ sent: sent({ context: 'Sure%2525sure' }), idToken: { context: 'Sure%25sure' } }),
    ],
    [
      'escapes decoded twice (C1.2)',
      buildTokens({ sent: sent({ context: 'Sure%2525sure' }), idToken: { context: 'Sure%sure' } }),
      { actual: 'Sure%sure' },
    ],
    ...['Approve', 'Approve...', 'Appr…'].map(
      (context) =>
        [`its beginning: ${context}`, buildTokens({ idToken: { context } }), { aspect: 'truncated' }] as const,
    ),
  ],
  'no-literal-bearer': [
    ['a word that begins so', buildTokens({ headers: { authorization: 'Bearer nullify' } })],
    ...['Bearer null', 'bearer None', 'null'].map(
      (authorization) =>
        [authorization, buildTokens({ headers: { authorization } }), { actual: authorization }] as const,
    ),
  ],
  'opened-uri-is-redirect-with-state': [
    ['escaped, among others', buildLook({ openedUri: 'https://sp.test/cb?a=1&state=st%2D0001' })],
    ['fragment', buildLook({ openedUri: 'https://sp.test/cb#state=st-0001' })],
    ['no state was sent', buildLook({ openedUri: 'app://cb' }, { sent: sent({ redirect_uri: 'app://cb' }) })],
    [
      'a redirect_uri that has a query itself',
      buildLook(
        { openedUri: 'https://sp.test/cb?tenant=1&state=s' },
        { sent: sent({ redirect_uri: 'https://sp.test/cb?tenant=1', state: 's' }) },
      ),
    ],
    ...['a+b+c', 'a%2Bb%2Bc', 'a b c'].map(
      (state) =>
        [
          `plus signs and blanks: ${state}`,
          buildLook(
            { openedUri: `https://sp.test/cb?state=${state}` },
            { sent: sent({ redirect_uri: 'https://sp.test/cb', state: state === 'a b c' ? state : 'a+b+c' }) },
          ),
        ] as const,
    ),
    [
      'a sibling',
      buildLook({ openedUri: 'https://sp.test/cb2?state=st-0001' }),
      { actual: 'https://sp.test/cb2?state=st-0001' },
    ],
    [
      'a state that was not sent',
      buildLook({ openedUri: 'app://cb?state=x' }, { sent: sent({ redirect_uri: 'app://cb' }) }),
      { actual: 'app://cb?state=x' },
    ],
  ],
  'refusal-form': [
    ['a relative of JSON', buildRefusal('x', typed('application/problem+json; charset=utf-8'))],
    [
      'a page',
      buildResponse({ status: 400, body: '<html>', summary: 'denied 400', ...typed('text/html') }),
      { actual: 'denied 400, text/html, no error in the body' },
    ],
    ...[401, 403].map((status) => [String(status), buildRefusal('x', { status }), { aspect: 'ciba-status' }] as const),
    ...[200, 404, 500].map((status) => [String(status), buildRefusal('x', { status }), {}] as const),
  ],
  'scope-within-request': [
    ['fewer', buildTokens({ body: { scope: 'name' } })],
    [
      'more',
      buildTokens({ body: { scope: 'openid email  name phone' } }),
      { path: 'body.scope', actual: 'email phone' },
    ],
    ['more, as a list', buildTokens({ body: { scope: ['openid', 'email'] } }), { actual: 'email' }],
  ],
};

testChecks(table);

/** RFC 7638 §3: members in order of their names, nothing else. */
const thumbprint = (members: Record<string, unknown>): string =>
  createHash('sha256').update(JSON.stringify(members)).digest('base64url');

describe.each([
  ['bound-to-signing-key', 'the key that signed the request object'],
  ['bound-to-referred-key', 'the key of referred_binding'],
])('%s', (name, whose) => {
  const { kty = '', n = '', e = '' }: Record<string, unknown> = rsaKey().jwk;
  const { crv = '', x = '', y = '' }: Record<string, unknown> = ecKey().jwk;
  const rsa = { e: String(e), kty: String(kty), n: String(n) };
  const ec = { crv: String(crv), kty: 'EC', x: String(x), y: String(y) };
  const request = (key: JsonObject) =>
    name === 'bound-to-signing-key'
      ? buildResponse({ signingKey: key })
      : buildResponse({ claims: { referred_binding: key } });
  const accessToken = (claims: unknown): string =>
    `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`;
  const bound = (cnf: unknown, key: JsonObject = rsa) =>
    buildTokens({ sent: request(key), body: { access_token: accessToken(cnf === undefined ? {} : { cnf }) } });

  test.each<[string, Judgeable]>([
    ['by thumbprint', bound({ jkt: thumbprint(rsa) })],
    ['by JWK', bound({ jwk: { ...rsa, kid: 'k', use: 'sig' } })],
    ['by a bare JWK', bound(rsa)],
    ['an EC key', bound({ jwk: ec }, ec)],
    ['an EC key by thumbprint', bound({ jkt: thumbprint(ec) }, ec)],
    ['in the id token of an opaque access token', buildTokens({ sent: request(rsa), idToken: { cnf: { jwk: rsa } } })],
    ['no key to compare', buildTokens({ sent: buildResponse(), idToken: {} })],
  ])('conforms: %s', (_, observation) => expect(checkMessage(name, observation)).toEqual([]));

  test.each<[string, Judgeable, Json]>([
    ['another key', bound({ jwk: ec }), thumbprint(ec)],
    ['another thumbprint', bound({ jkt: 'x' }), 'x'],
    ['a cnf that is no object', bound('x'), null],
    ['a key of another kind', bound({ kty: 'oct', k: 'x' }), null],
    ['an EC key without y', bound({ jwk: { ...ec, y: 5 } }, ec), thumbprint({ ...ec, y: 5 })],
  ])('violates: %s', (_, observation, actual) => {
    const key =
      actual !== null && observation.kind === 'callback' && JSON.stringify(observation.sent).includes('"EC"')
        ? ec
        : rsa;
    const expected = `${whose}, thumbprint ${thumbprint(key)}`;
    expect(checkMessage(name, observation)).toEqual([{ path: 'access_token.cnf', expected, actual }]);
  });

  const { idToken: _, ...opaque } = buildTokens({ sent: request(rsa) });
  // A key that the SP asked for must show; the signing key need not, as the interface shows no contents of tokens (C7.4).
  const isOptional = name === 'bound-to-signing-key';

  test('no cnf', () => {
    const expected = `${whose}, thumbprint ${thumbprint(rsa)}`;
    expect(checkMessage(name, bound(undefined))).toEqual(
      isOptional ? [] : [{ path: 'access_token.cnf', expected, actual: null }],
    );
  });

  test('an opaque access token and no id token: there is nothing to judge', () => {
    if (isOptional) expect(checkMessage(name, opaque)).toEqual([]);
    else expect(() => checkMessage(name, opaque)).toThrow(MissingValue);
  });

  test('whether any key shows', () => {
    const none = [{ path: 'access_token.cnf', expected: 'the key that the access token is bound to', actual: null }];
    expect([bound(undefined), opaque].map((one) => checkMessage('binding-shown', one))).toEqual([none, none]);
    expect(checkMessage('binding-shown', bound({ jkt: 'x' }))).toEqual([]);
    expect(checkMessage('binding-shown', buildTokens({ idToken: { cnf: { jkt: 'x' } } }))).toEqual([]);
  });
});

describe('auth-req-ids-distinct', () => {
  const response = (id: Json, message: string, claims: JsonObject = {}, jws = message): RunMessage => ({
    response: buildResponse({ body: { auth_req_id: id }, message, claims, jws }),
    seenIn: 'a-case',
  });

  test('distinct ids, of accepted requests only', () => {
    const refusal: RunMessage = { response: buildRefusal('x', { body: { auth_req_id: 'ccid-1' } }), seenIn: 'a-case' };
    const callback: RunMessage = { callback: buildTokens(), seenIn: 'a-case' };
    const messages = [
      response('ccid-1', 'x1'),
      response('ccid-2', 'x2'),
      refusal,
      refusal,
      callback,
      response(5, 'x3'),
    ];
    expect(checkRun('auth-req-ids-distinct', messages)).toEqual({ mismatches: [], judged: 2 });
  });

  test('an id that the same request object gets again', () => {
    const messages = [response('ccid-1', 'x1', {}, 'a.b.c'), response('ccid-1', 'x2', {}, 'a.b.c')];
    expect(checkRun('auth-req-ids-distinct', messages)).toEqual({ mismatches: [], judged: 2 });
  });

  test('records without request objects: the claims of a case tell its requests apart (C1.4)', () => {
    const recorded = (seenIn: string, message: string, jti: string): RunMessage => ({
      response: buildResponse({ body: { auth_req_id: 'ccid-1' }, message, claims: { jti } }),
      seenIn,
    });
    const found = (...messages: readonly RunMessage[]) =>
      checkRun('auth-req-ids-distinct', messages).mismatches.map(({ message }) => message);
    expect(found(recorded('a', 'x1', 'one'), recorded('a', 'x2', 'one'))).toEqual([]);
    expect(found(recorded('a', 'x1', 'one'), recorded('a', 'x2', 'two'))).toEqual(['x2']);
    expect(found(recorded('a', 'x1', 'one'), recorded('b', 'x2', 'one'))).toEqual(['x2']);
  });

  test.each(['correlation_id', 'jti', 'sub', 'client_id', 'state', 'nonce', 'login_hint'])('a copy of %s', (name) => {
    const copied = response('ccid-abcdefgh', 'x1', { [name]: 'abcdefgh' });
    const whole = response('ccid-abcdefghi', 'x2', { [name]: 'ccid-abcdefghi' });
    const { mismatches } = checkRun('auth-req-ids-distinct', [copied, whole]);
    expect(mismatches.map(({ message, expected }) => [message, expected])).toEqual([
      ['x1', `not the ${name} of the request`],
      ['x2', `not the ${name} of the request`],
    ]);
  });

  test('a short value may be there by chance', () => {
    expect(
      checkRun('auth-req-ids-distinct', [response('ccid-abcdefg', 'x1', { state: 'abcdefg' })]).mismatches,
    ).toEqual([]);
  });
});

describe('denial-codes-consistent', () => {
  const ended = (error: string, message: string, calls: RequestHistory['calls'], request?: string): RunMessage => ({
    callback: buildDenial(error, {
      message,
      history: buildHistory({ calls }),
      sent: buildResponse({ message: request ?? `x-${message}` }),
    }),
    seenIn: 'a-case',
  });
  const call = (action: string, done?: boolean): DriverCallRecord => ({
    action,
    at: observedStart,
    client: 'main',
    given: {},
    ...omitUndefined({ done }),
  });
  const denial = (error: string, message: string): RunMessage => ended(error, message, [call('deny', true)]);

  test('one code for every denial; what no driver denied does not count, whatever its code and moment (C7.2)', () => {
    const messages = [
      denial('request_denied', 'd1'),
      ended('access_denied', 'd2', []),
      ended('access_denied', 'd3', [call('deny', false)]),
      ended('access_denied', 'd4', [call('deny')]),
      ended('access_denied', 'd5', [call('approve', true), call('deny', true)]),
      denial('request_denied', 'd6'),
    ];
    expect(checkRun('denial-codes-consistent', messages)).toEqual({ mismatches: [], judged: 2 });
  });

  test('the second result of a request is no further denial', () => {
    const later = ended('server_error', 'd2', [call('deny', true)], 'x-d1');
    expect(checkRun('denial-codes-consistent', [denial('access_denied', 'd1'), later])).toEqual({
      mismatches: [],
      judged: 1,
    });
  });

  test('a driver that is done after the callback has denied all the same', () => {
    const late = call('deny');
    const check = namedChecks['denial-codes-consistent'];
    if (check?.over !== 'run') throw new Error('no run check');
    const state = check.begin();
    state.observe(denial('request_denied', 'd1'));
    state.observe(ended('access_denied', 'd2', [late]));
    Object.assign(late, { done: true });
    expect(state.conclude()).toMatchObject({ judged: 2, mismatches: [{ actual: 'access_denied' }] });
  });
});

describe('requests-answered', () => {
  const seen = (response: ResponseObservation): RunMessage => ({ response, seenIn: 'a-case' });
  const late = seen(buildSilence('timeout'));
  const three = [late, late, late];

  test.each<[string, readonly RunMessage[], number]>([
    ['four at the end, where the origin has responded', [seen(buildResponse()), ...three, late], 1],
    ['three', [seen(buildResponse()), ...three], 0],
    ['four, and then a response', [...three, late, seen(buildResponse())], 0],
    ['four that nothing of the origin ever answered', [...three, late], 0],
    [
      'what was refused by the network counts for nothing',
      [seen(buildResponse()), ...three, seen(buildSilence('refused'))],
      0,
    ],
  ])('%s', (_, messages, count) => {
    const { mismatches } = checkRun('requests-answered', messages);
    expect(mismatches).toHaveLength(count);
    for (const { expected } of mismatches) expect(expected).toBe('a response within 30 seconds');
  });
});

describe('one-outcome-per-request', () => {
  const of = (id: string) => buildResponse({ body: { auth_req_id: id } });
  const tokens = (id: string, token: string, message = 'd'): RunMessage => ({
    callback: buildTokens({ sent: of(id), message, body: { access_token: token } }),
    seenIn: 'a-case',
  });
  const denial = (id: string, error: string, message = 'd'): RunMessage => ({
    callback: buildDenial(error, { sent: of(id), message }),
    seenIn: 'a-case',
  });

  test.each<[string, RunMessage, RunMessage, string]>([
    [
      'tokens, then an error',
      tokens('1', 'a'),
      denial('1', 'x', 'd2'),
      'a callback with tokens, then a callback with error x',
    ],
    [
      'an error, then tokens',
      denial('1', 'x'),
      tokens('1', 'a', 'd2'),
      'a callback with error x, then a callback with tokens',
    ],
    ['two errors', denial('1', 'x'), denial('1', 'y', 'd2'), 'a callback with error x, then a callback with error y'],
    ['two tokens', tokens('1', 'a'), tokens('1', 'b', 'd2'), 'a callback with tokens, then a callback with tokens'],
  ])('%s', (_, first, second, actual) => {
    const { mismatches } = checkRun('one-outcome-per-request', [first, second]);
    expect(mismatches).toEqual([
      { message: 'd2', seenIn: 'a-case', expected: 'one result for one auth_req_id', actual },
    ]);
  });

  test('does not repeat the tokens', () => {
    const { mismatches } = checkRun('one-outcome-per-request', [tokens('1', 'hush-hush'), tokens('1', 'psst-psst')]);
    expect(JSON.stringify(mismatches)).not.toMatch(/hush|psst/);
  });
});
