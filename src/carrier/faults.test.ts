import { expect, test } from 'vitest';
import { faultNames, faults } from './faults/catalogue.ts';
import { callbackFaults } from './faults/callback.ts';
import { flowFaults } from './faults/flow.ts';
import { requestFaults } from './faults/request.ts';
import { transportFaults } from './faults/transport.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from './json.ts';
import { verifiesWith } from './testing/calls.ts';
import { claimsOf, inner, type KeyName, openRig, type Rig, signText, text } from './testing/rig.ts';

type Differences = Record<string, Json | undefined>;
type Probe = (rig: Rig) => Promise<unknown>;

/** What the SP is answered. */
const status =
  (
    differences: (rig: Rig) => Differences = () => ({}),
    options?: { key?: KeyName; header?: Record<string, Json> },
  ): Probe =>
  async (rig) =>
    (await rig.authorize(differences(rig), options)).status;

const posted =
  (body: (rig: Rig, request: string) => Json, headers?: Record<string, string>): Probe =>
  async (rig) =>
    (await rig.post(body(rig, rig.sign(rig.claims())), headers)).status;

const answered =
  (pick: (body: JsonObject, claims: JsonObject) => unknown, differences: Differences = {}): Probe =>
  async (rig) => {
    const claims = rig.claims(differences);
    return pick((await rig.post({ request: rig.sign(claims) })).body, claims);
  };

type Act = 'approve' | 'deny';

/** What comes back after the user acted. */
const called =
  (
    act: Act,
    pick: (callback: Rig['callbacks'][number] | undefined, rig: Rig, id: string) => unknown,
    more: Differences = {},
  ): Probe =>
  async (rig) => {
    const id = text((await rig.authorize(more)).body, 'auth_req_id');
    await rig.admin('POST', `/requests/${id}/${act}`);
    await rig.settle();
    return pick(rig.callbacks.at(-1), rig, id);
  };
const member = (act: Act, name: string, more?: Differences): Probe =>
  called(act, (callback) => callback?.body[name], more);
const has = (act: Act, name: string, more?: Differences): Probe =>
  called(act, (callback) => callback !== undefined && name in callback.body, more);
const header = (name: string, more?: Differences): Probe => called('deny', (callback) => callback?.headers[name], more);
const idToken = (name: string, more?: Differences): Probe =>
  called('approve', (callback) => claimsOf(text(callback?.body, 'id_token'))[name], more);

const carded =
  (name: string, more: Differences = {}): Probe =>
  async (rig) => {
    const id = text((await rig.authorize(more)).body, 'auth_req_id');
    return inner((await rig.admin('GET', `/requests/${id}`)).body, 'card')[name];
  };
const opened = (more: Differences): Probe =>
  called(
    'approve',
    async (_, rig, id) => inner((await rig.admin('GET', `/requests/${id}`)).body, 'card')['openedUri'],
    more,
  );

const timedOut =
  (seconds: number): Probe =>
  async (rig) => {
    await rig.authorize({ expires_in: 60 });
    await rig.move(seconds);
    return rig.callbacks.map(({ body }) => body['error']);
  };

/** Two request objects, the second of them `seconds` later. */
const replayed =
  (seconds: number): Probe =>
  async (rig) => {
    await rig.authorize({ jti: 'same' });
    await rig.move(seconds);
    return (await rig.authorize({ jti: 'same' })).status;
  };

const raw =
  (body: (request: string) => string, contentType = 'application/json', query = ''): Probe =>
  async (rig) => {
    const request = rig.sign(rig.claims({ state: undefined }));
    const url = `${rig.carrier.origin}/bc-authorize${query}`;
    const answer = await rig.send('POST', url, body(request), { 'content-type': contentType });
    await rig.admin('POST', `/requests/${text(answer.body, 'auth_req_id')}/deny`);
    await rig.settle();
    return [answer.status, rig.callbacks.at(-1)?.body['state']];
  };
const wrapped = (request: string): string => JSON.stringify({ request });

const two = (rig: Rig): Differences => ({
  client_id: 'ccid-conftestclient03',
  login_hint: rig.sub('first', 'two-keys'),
});
const noKid: Probe = async (rig) =>
  (await rig.post({ request: signText('{"alg":"RS256"}', JSON.stringify(rig.claims()), 'main') })).status;
const noKidOfTwo: Probe = async (rig) =>
  (await rig.post({ request: signText('{"alg":"RS256"}', JSON.stringify(rig.claims(two(rig))), 'rsa') })).status;
const polled: Probe = called('approve', async (_, rig, id) => {
  const body = new URLSearchParams({ grant_type: 'urn:openid:params:grant-type:ciba', auth_req_id: id }).toString();
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  return (await rig.send('POST', `${rig.carrier.origin}/token`, body, type)).body['error'];
});
const userinfo: Probe = called('approve', async (callback, rig) => {
  const authorization = `Bearer ${text(callback?.body, 'access_token')}`;
  return (await rig.send('GET', `${rig.carrier.origin}/userinfo`, undefined, { authorization })).status;
});
const gone: Probe = async (rig) => {
  const id = text((await rig.authorize()).body, 'auth_req_id');
  await rig.admin('DELETE', '/clients/ccid-conftestclient01/keys/conftestkey01');
  await rig.admin('POST', `/requests/${id}/approve`);
  await rig.settle();
  return rig.callbacks.at(-1)?.body['error'];
};
const unconsented: Probe = async (rig) => {
  const id = text((await rig.authorize({ login_hint: rig.sub('unconsented') })).body, 'auth_req_id');
  await rig.admin('POST', `/requests/${id}/approve`);
  await rig.settle();
  return rig.callbacks.map(({ body }) => 'access_token' in body);
};
const approvedLate: Probe = async (rig) => {
  const id = text((await rig.authorize({ expires_in: 60 })).body, 'auth_req_id');
  await rig.move(60);
  return (await rig.admin('POST', `/requests/${id}/approve`)).status;
};
const pushedTo: Probe = async (rig) => {
  await rig.authorize({ sub: rig.sub('second') });
  const { body } = await rig.admin('GET', `/phone?login_hint=${rig.sub('second')}`);
  const cards = body['cards'] ?? null;
  return isJsonList(cards) ? cards.map((card) => (isJsonObject(card) ? card['context'] : card)) : cards;
};
const unticked: Probe = async (rig) => {
  const id = text((await rig.authorize()).body, 'auth_req_id');
  await rig.admin('POST', `/requests/${id}/approve`, { scopes: ['openid'] });
  await rig.settle();
  return rig.callbacks.at(-1)?.body['scope'];
};
const twice =
  (probe: Probe): Probe =>
  async (rig) => [await probe(rig), await probe(rig)];
const authTime: Probe = async (rig) => {
  await idToken('auth_time')(rig);
  await rig.move(300);
  return rig.now() - Number(await idToken('auth_time', { prompt: 'login' })(rig));
};
const bound: Probe = called(
  'approve',
  (callback) => inner(inner(claimsOf(text(callback?.body, 'access_token')), 'cnf'), 'jwk')['kty'],
  {
    referred_binding: {
      kty: 'EC',
      crv: 'P-256',
      x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
      y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
    },
  },
);
const error = (more: Differences): Probe => answered((body) => body['error'], more);
const refusedOnce: Differences = { acr_values: 'a9' };

type Row = readonly [fault: string, probe: Probe, conforming: unknown, faulty: unknown];
const taken = (fault: string, differences: (rig: Rig) => Differences, options?: Parameters<typeof status>[1]): Row => [
  fault,
  status(differences, options),
  400,
  200,
];
const demanded = (fault: string, claim: string): Row => [fault, status(() => ({ [claim]: undefined })), 200, 400];

const rows: readonly Row[] = [
  ['charset-refused', raw(wrapped, 'application/json; charset=utf-8'), [200, undefined], [415, undefined]],
  ['content-type-not-checked', raw(wrapped, 'text/plain'), [415, undefined], [200, undefined]],
  ['accept-honoured', posted((_, request) => ({ request }), { accept: 'image/png' }), 200, 406],
  [
    'duplicate-members-accepted',
    raw((request) => `{"request":"x","request":"${request}"}`),
    [400, undefined],
    [200, undefined],
  ],
  ['request-uri-beside-ignored', posted((_, request) => ({ request, request_uri: 'https://a.test' })), 400, 200],
  ['client-id-beside-not-compared', posted((_, request) => ({ request, client_id: 'x' })), 400, 200],
  ['outside-state-wins', raw((request) => JSON.stringify({ request, state: 'OUT' })), [200, undefined], [200, 'OUT']],
  ['outside-values-win', raw((request) => JSON.stringify({ request, state: 'OUT' })), [200, undefined], [200, 'OUT']],
  ['query-wins', raw(wrapped, 'application/json', '?state=evil'), [200, undefined], [200, 'evil']],
  ['sdk-version-gates', posted((_, request) => ({ request, sdk_version: '0.0.1' })), 200, 400],
  ['unknown-members-refused', posted((_, request) => ({ request, x_conf: 1 })), 200, 400],
  ['answers-302', status(), 200, 302],
  ['answers-201', status(), 200, 201],
  ['tokens-in-the-answer', answered((body) => 'access_token' in body), false, true],
  ['error-200', status(() => refusedOnce), 400, 200],
  ['error-500', status(() => refusedOnce), 400, 500],
  ['error-without-code', error(refusedOnce), 'invalid_request', 400],
  ['error-unregistered', error(refusedOnce), 'invalid_request', 'E4711'],
  [
    'error-code-varies',
    twice(error({ redirect_uri: 'https://sp.test/other' })),
    ['invalid_request', 'invalid_request'],
    ['invalid_request', 'invalid_request_object'],
  ],
  ['correlation-id-not-echoed-on-400', answered((body) => 'correlation_id' in body, refusedOnce), true, false],
  ['correlation-id-not-echoed-on-200', answered((body) => 'correlation_id' in body), true, false],
  ['correlation-id-lowercased', answered((body) => body['correlation_id'], { correlation_id: 'AbC' }), 'AbC', 'abc'],
  [
    'answer-as-text',
    async (rig) => (await rig.authorize()).headers['content-type'],
    'application/json; charset=utf-8',
    'text/plain; charset=utf-8',
  ],
  ['answer-cacheable', async (rig) => (await rig.authorize()).headers['cache-control'], 'no-store', 'max-age=60'],
  ['expires-in-missing', answered((body) => body['expires_in']), 300, undefined],
  ['expires-in-published-pattern', answered((body) => body['expires_in']), 300, 'ccid-300'],
  ['granted-more-than-asked', answered((body) => body['expires_in']), 300, 3600],

  taken('signature-not-verified', () => ({}), { key: 'second', header: { kid: 'conftestkey01' } }),
  taken('alg-name-ignored', () => ({}), { header: { alg: 'PS256' } }),
  taken('crit-ignored', () => ({}), { header: { crit: ['x'] } }),
  taken('typ-not-checked', () => ({}), { header: { typ: 'at+jwt' } }),
  taken('si-flag-ignored', (rig) => ({ client_id: 'ccid-conftestclient05', login_hint: rig.sub('first', 'plain') }), {
    key: 'plain',
  }),
  taken('iss-not-required', () => ({ iss: undefined })),
  taken('aud-not-checked', () => ({ aud: 'https://other.test' })),
  taken('iat-any-type', (rig) => ({ iat: String(rig.now()) })),
  taken('iat-not-checked', (rig) => ({ iat: rig.now() - 600 })),
  taken('exp-any-type', () => ({ exp: undefined })),
  taken('exp-not-checked', (rig) => ({ exp: rig.now() + 3000 })),
  taken('exp-past-accepted', (rig) => ({ iat: rig.now() - 200, exp: rig.now() - 100 })),
  taken('nbf-ignored', (rig) => ({ nbf: rig.now() + 100 })),
  ['jti-never-kept', replayed(1), 400, 200],
  taken('expires-in-any-type', () => ({ expires_in: '300' })),
  taken('response-type-ignored', () => ({ response_type: 'code' })),
  taken('redirect-uri-not-checked', () => ({ redirect_uri: 'https://evil.test' })),
  taken('notification-uri-not-checked', (rig) => ({ notification_uri: `${rig.receiver}/elsewhere` })),
  taken('notification-token-not-checked', () => ({ client_notification_token: 'a b' })),
  taken('scope-not-required', () => ({ scope: undefined })),
  ['prompt-none-with-login', error({ prompt: 'none login' }), 'invalid_request', 'interaction_required'],
  taken('prompt-none-silently-approved', () => ({ prompt: 'none' })),
  taken('acr-unknown-accepted', () => refusedOnce),
  taken('context-control-characters-accepted', () => ({ context: '\n'.repeat(8) })),
  taken('private-binding-accepted', () => ({ referred_binding: { kty: 'oct', k: 'AAAA' } })),
  taken('unenrolled-accepted', (rig) => ({ login_hint: rig.sub('unenrolled') })),
  taken('request-within-ignored', () => ({ request_uri: 'https://a.test' })),
  demanded('jti-required', 'jti'),
  demanded('client-notification-token-required', 'client_notification_token'),
  demanded('prompt-required', 'prompt'),
  demanded('context-required', 'context'),
  demanded('correlation-id-required', 'correlation_id'),
  demanded('sdk-version-required', 'sdk_version'),
  demanded('state-required', 'state'),
  demanded('nonce-required', 'nonce'),
  demanded('options-required', 'options'),
  demanded('acr-values-required', 'acr_values'),
  demanded('referred-binding-required', 'referred_binding'),
  taken('iss-not-compared', () => ({ iss: 'ccid-conftestclient02' })),
  taken('aud-slash-tolerated', (rig) => ({ aud: `${rig.carrier.origin}/` })),
  taken('iat-window-10-minutes', (rig) => ({ iat: rig.now() - 600 })),
  ['iat-window-4-minutes', status((rig) => ({ iat: rig.now() - 240 })), 200, 400],
  taken('iat-from-the-future-accepted', (rig) => ({ iat: rig.now() + 100 })),
  taken('exp-window-10-minutes', (rig) => ({ exp: rig.now() + 600 })),
  ['jti-kept-2-minutes', replayed(270), 400, 200],
  ['jti-keyed-with-iat', replayed(1), 400, 200],
  taken('redirect-uri-prefix-match', () => ({ redirect_uri: 'https://sp.test/cb/x' })),
  taken('redirect-uri-normalized', () => ({ redirect_uri: 'https://sp.test:443/cb' })),
  taken('notification-uri-of-any-client', (rig) => ({ notification_uri: `${rig.receiver}/second/notify` })),
  taken('context-limit-255', () => ({ context: 'x'.repeat(241) })),
  ['context-counted-raw', status(() => ({ context: '%41'.repeat(240) })), 200, 400],
  taken('context-min-ignored', () => ({ context: 'Seven77' })),
  ['kid-ignored-first-key', status(two, { key: 'ec' }), 200, 400],
  ['kid-ignored-any-key', noKidOfTwo, 400, 200],
  ['kid-required-always', noKid, 200, 400],
  ['unknown-client-500', status(() => ({ client_id: 'ccid-0000000000000000' })), 400, 500],
  taken(
    'disabled-client-accepted',
    (rig) => ({ client_id: 'ccid-conftestclient07', login_hint: rig.sub('first', 'disabled') }),
    { key: 'disabled' },
  ),
  ['unknown-claims-refused', status(() => ({ x_conf: 1 })), 200, 400],
  taken('foreign-sub-accepted', (rig) => ({ login_hint: rig.sub('first', 'second') })),
  taken('phone-without-enum', () => ({ login_hint: '+12175550101' })),
  ['sub-names-the-person', pushedTo, [], ['Approve-order-4711']],
  ['unknown-user-500', status(() => ({ login_hint: '001010-00000000000000000000' })), 400, 500],

  ['no-push', carded('shown'), true, false],
  ['callback-never-sent', called('approve', (callback) => callback === undefined), false, true],
  ['second-callback-after-approve', called('approve', (_, { callbacks }) => callbacks.length), 1, 2],
  ['unconsented-accepted', unconsented, [], [true]],
  ['polling-answers', polled, 'unsupported_grant_type', undefined],
  ['never-times-out', timedOut(60), ['authentication_timed_out'], []],
  ['times-out-early', timedOut(30), [], ['authentication_timed_out']],
  ['times-out-silently', timedOut(60), ['authentication_timed_out'], []],
  ['timed-out-still-approved', approvedLate, 409, 200],
  ['auth-req-id-short', answered((body) => text(body, 'auth_req_id').length), 37, 13],
  ['auth-req-id-with-hyphens', answered((body) => text(body, 'auth_req_id').split('-').length), 2, 5],
  ['auth-req-id-sequential', answered((body) => text(body, 'auth_req_id').endsWith('00000001')), false, true],
  [
    'auth-req-id-from-correlation-id',
    answered((body) => body['auth_req_id'] === 'ccid-track0000000', { correlation_id: 'track-0000000' }),
    false,
    true,
  ],
  ['consent-screen-skipped', carded('consentScreen', { prompt: 'consent' }), ['openid', 'name'], []],
  [
    'context-before-consent',
    carded('order', { scope: 'openid birthdate' }),
    ['consent', 'context'],
    ['context', 'consent'],
  ],
  ['context-not-shown', carded('context'), 'Approve-order-4711', null],
  ['context-decoded-on-the-phone', carded('context', { context: '100%25sure' }), '100%25sure', '100%sure'],
  ['login-not-forced', authTime, 0, 300],
  ['a1-asks-for-pin', carded('authentication', { acr_values: 'a1' }), 'none', 'full'],
  ['a3-without-pin', carded('authentication', { acr_values: 'a3' }), 'full', 'none'],
  ['acr-always-a3', idToken('acr', { acr_values: 'a1' }), 'a1', 'a3'],
  ['colour-mode-ignored', carded('colourMode', { options: 'light' }), 'light', 'system'],
  ['dark-by-default', carded('colourMode'), 'system', 'dark'],
  ['local-redirect-ignored', opened({ options: 'local_redirect' }), 'https://sp.test/cb?state=st-0001', null],
  [
    'local-redirect-with-code',
    opened({ options: 'local_redirect' }),
    'https://sp.test/cb?state=st-0001',
    'https://sp.test/cb?state=st-0001&code=c0de',
  ],
  ['local-redirect-always', opened({}), null, 'https://sp.test/cb?state=st-0001'],

  [
    'callback-to-first-uri',
    async (rig) =>
      called('deny', (callback) => callback?.target, { notification_uri: `${rig.receiver}/si/notify-alternate` })(rig),
    '/si/notify-alternate',
    '/si/notify',
  ],
  [
    'callback-error-in-query',
    called('deny', (callback) => callback?.target),
    '/si/notify',
    '/si/notify?error=request_denied',
  ],
  ['callback-wrong-content-type', header('content-type'), 'application/json', 'text/plain'],
  ['callback-cacheable', header('cache-control'), 'no-cache', undefined],
  ['callback-without-bearer', header('authorization', { client_notification_token: 'tok' }), 'Bearer tok', undefined],
  ['callback-basic-scheme', header('authorization', { client_notification_token: 'tok' }), 'Bearer tok', 'Basic tok'],
  [
    'callback-bearer-cut',
    called('deny', (callback) => callback?.headers.authorization?.length, {
      client_notification_token: 'x'.repeat(128),
    }),
    135,
    71,
  ],
  ['callback-bearer-null', header('authorization', { client_notification_token: undefined }), undefined, 'Bearer null'],
  ['callback-without-auth-req-id', has('deny', 'auth_req_id'), true, false],
  ['callback-ids-altered', member('deny', 'state', { state: 'mine' }), 'mine', 'minex'],
  ['callback-correlation-id-missing', has('approve', 'correlation_id'), true, false],
  ['callback-state-missing', has('approve', 'state'), true, false],
  ['callback-state-missing-on-error', has('deny', 'state'), true, false],
  ['callback-state-null', member('approve', 'state', { state: undefined }), undefined, null],
  ['state-lowercased', member('deny', 'state', { state: 'AbC' }), 'AbC', 'abc'],
  ['scope-as-requested', unticked, 'openid', 'openid name'],
  ['access-token-missing', has('approve', 'access_token'), true, false],
  ['token-type-missing', has('approve', 'token_type'), true, false],
  ['expires-in-as-string-in-callback', member('approve', 'expires_in'), 1800, '1800'],
  ['id-token-missing', has('approve', 'id_token'), true, false],
  ['id-token-without-openid', has('approve', 'id_token', { scope: 'name' }), false, true],
  ['tokens-and-error-both', has('deny', 'access_token'), false, true],
  ['null-tokens-on-error', has('deny', 'id_token'), false, true],
  ['access-denied-as-user-denied', member('deny', 'error'), 'request_denied', 'user_denied'],
  [
    'denial-code-varies',
    async (rig) => [await member('deny', 'error')(rig), await member('deny', 'error', { scope: 'openid' })(rig)],
    ['request_denied', 'request_denied'],
    ['request_denied', 'access_denied'],
  ],
  [
    'callback-description-with-trace',
    called('deny', (callback) => /["\n]/.test(text(callback?.body, 'error_description'))),
    false,
    true,
  ],
  [
    'id-token-signed-with-another-key',
    called('approve', async (callback, rig) => {
      const keys = (await rig.send('GET', `${rig.carrier.origin}/jwks`)).body['keys'] ?? null;
      const [key] = isJsonList(keys) ? keys : [];
      return isJsonObject(key) && verifiesWith(key, text(callback?.body, 'id_token'));
    }),
    true,
    false,
  ],
  ['gone-as-invalid-grant', gone, 'server_error', 'invalid_grant'],
  ['access-token-unusable', userinfo, 200, 401],
  ['binding-missing', bound, 'EC', undefined],
  ['referred-binding-ignored', bound, 'EC', 'RSA'],
  ['nonce-missing', idToken('nonce'), 'n-0001', undefined],
  ['context-missing-in-id-token', idToken('context'), 'Approve-order-4711', undefined],
  ['context-truncated-in-id-token', idToken('context', { context: 'x'.repeat(40) }), 'x'.repeat(40), 'x'.repeat(32)],
  [
    'at-hash-missing',
    called('approve', (callback) => 'at_hash' in claimsOf(text(callback?.body, 'id_token'))),
    true,
    false,
  ],
];

test.each(rows.map(([fault, probe, conforming, faulty]) => ({ fault, probe, conforming, faulty })))(
  '$fault',
  async ({ fault, probe, conforming, faulty }) => {
    for (const [names, expected] of [
      [[], conforming],
      [[fault], faulty],
    ] as const) {
      const rig = await openRig({ faults: names });
      try {
        expect(await probe(rig)).toEqual(expected);
      } finally {
        await rig.close();
      }
    }
  },
);

test('every fault is shown here, and each name is used once', () => {
  const shown = rows.map(([fault]) => fault);
  const here = [...transportFaults, ...requestFaults, ...flowFaults, ...callbackFaults].map(({ name }) => name);
  expect(shown.toSorted()).toEqual(here.toSorted());
  expect(new Set(faultNames()).size).toBe(faults.length);
  for (const { name, says, breaks } of faults) {
    expect(name).toMatch(/^[a-z0-9]+([-_][a-z0-9]+)*$/);
    expect(says).toMatch(/\.$/);
    for (const rule of breaks) expect(rule).toMatch(/^[A-Z]+-\d{2,3}$/);
    expect(breaks).not.toEqual([]);
  }
});

test('an unknown fault names those near it', async () => {
  await expect(openRig({ faults: ['jti-kept-2-minute'] })).rejects.toThrow(
    'there is no fault jti-kept-2-minute; did you mean jti-kept-2-minutes or jti-kept-4-minutes or jti-kept-an-hour?',
  );
  await expect(openRig({ faults: ['xyz'] })).rejects.toThrow(/^there is no fault xyz$/);
});
