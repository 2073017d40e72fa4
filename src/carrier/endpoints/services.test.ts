import { createPublicKey, verify } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isJsonList, isJsonObject, type JsonObject } from '../json.ts';
import {
  askTrait,
  askUserinfo,
  clientAssertion,
  authorizeAs,
  codeFor,
  changeSubscriber,
  jwtHeader,
  parties,
  postForm,
  receivedSets,
  sortedTargets,
  tokensFor,
  traitProof,
  readUserinfo,
} from '../testing/calls.ts';
import {
  objectMember,
  openSetup,
  privateJwk,
  type TestSetup,
  signText,
  textMember,
  uniqueText,
} from '../testing/setup.ts';

let setup: TestSetup;
beforeEach(async () => {
  setup = await openSetup();
});
afterEach(() => setup.close());

const list = (object: JsonObject, name: string): readonly unknown[] => {
  const value = object[name] ?? null;
  return isJsonList(value) ? value : [];
};

test('each change of the device tells each SP once', async () => {
  for (const change of ['move-sim', 'swap-sim', 'factory-reset']) {
    await changeSubscriber(setup, change);
    expect(sortedTargets(setup.events.splice(0))).toEqual(['/events', '/privileged/events', '/second/events']);
    await setup.move(3601);
  }
  await changeSubscriber(setup, 'change-number');
  expect(setup.events).toEqual([]);
});

test('the event token', async () => {
  await changeSubscriber(setup, 'move-sim');
  const event = setup.events.find(({ target }) => target === '/events');
  expect(event?.headers['content-type']).toBe('application/json');
  expect(event?.headers['cache-control']).toBe('no-cache');
  const set = textMember(event?.body, 'set');
  expect(event?.body).toEqual({ set });
  const [claims] = receivedSets(setup, 'main');
  expect(claims).toEqual({
    iss: setup.carrier.origin,
    iat: setup.now(),
    jti: claims?.['jti'],
    aud: 'ccid-conftestclient01',
    sub: setup.sub('first'),
    events: ['device_change', 'security_event'],
  });
  expect(new Set(receivedSets(setup).map(({ jti }) => jti)).size).toBe(3);
  const { kid } = jwtHeader(set);
  expect(jwtHeader(set)).toEqual({ typ: 'set+jwt', alg: 'RS256', kid });
  const { body } = await setup.send('GET', `${setup.carrier.origin}/jwks`);
  const [jwk] = list(body, 'keys');
  expect(isJsonObject(jwk) && jwk['kid']).toBe(kid);
  const [head, payload, signature = ''] = set.split('.');
  const key = createPublicKey({ key: isJsonObject(jwk) ? { ...jwk } : {}, format: 'jwk' });
  const signed = Buffer.from(`${head}.${payload}`);
  expect(verify('RSA-SHA256', signed, key, Buffer.from(signature, 'base64url'))).toBe(true);
});

test.each([
  ['unconsented', 'unconsented', undefined],
  ['unenrolled', 'unenrolled', undefined],
  [
    'without the subscription',
    'first',
    () => setup.admin('PUT', `/clients/${parties.main.id}/flags`, { flag: 'events', on: false }),
  ],
  [
    'without the scope',
    'first',
    () => setup.admin('POST', '/subscribers/first/remove-consent', { client_id: parties.main.id, scopes: ['events'] }),
  ],
])('nothing for a user %s', async (_, subscriber, before) => {
  await before?.();
  await changeSubscriber(setup, 'move-sim', { subscriber });
  expect(receivedSets(setup, 'main')).toEqual([]);
});

test.each([
  ['503', { status: 503 }],
  ['202', { status: 202 }],
  ['a redirect', { status: 302, headers: { location: '/elsewhere' } }],
])('%s is retried three times, a minute apart, with the same token', async (_, reply) => {
  setup.eventReplies.push(reply);
  await changeSubscriber(setup, 'move-sim');
  const counts = [setup.events.length];
  for (const seconds of [59, 1, 60, 60, 600]) {
    await setup.move(seconds);
    counts.push(setup.events.length);
  }
  expect(counts).toEqual([3, 3, 6, 9, 12, 12]);
  expect(new Set(setup.events.map(({ body }) => textMember(body, 'set'))).size).toBe(3);
  const errors = list((await setup.admin('GET', '/events/errors')).body, 'errors');
  expect(errors).toHaveLength(3);
  expect(errors).toContainEqual({
    client_id: 'ccid-conftestclient01',
    sub: setup.sub('first'),
    event: 'device_change',
    jti: receivedSets(setup, 'main')[0]?.['jti'],
    at: setup.now() * 1000 - 600_000,
  });
  expect(setup.callbacks).toEqual([]);
});

test('no answer within 10 seconds is retried, and 200 ends it', async () => {
  await setup.admin('PUT', `/clients/${parties.second.id}/flags`, { events: false });
  await setup.admin('PUT', `/clients/${parties.privileged.id}/flags`, { events: false });
  setup.eventReplies.push({ status: 200, hold: true }, { status: 200 });
  await setup.admin('POST', '/subscribers/first/move-sim', {});
  while (setup.events.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
  await setup.move(10);
  await setup.move(49);
  expect(setup.events).toHaveLength(1);
  await setup.move(1);
  await setup.move(600);
  expect(setup.events).toHaveLength(2);
});

test('a duplicate within 60 minutes is dropped, and does not begin them anew', async () => {
  const counts: number[] = [];
  for (const seconds of [0, 600, 2999, 1, 3599, 1]) {
    await setup.move(seconds);
    await changeSubscriber(setup, 'swap-sim');
    counts.push(receivedSets(setup, 'main').length);
  }
  expect(counts).toEqual([1, 1, 1, 2, 2, 3]);
  await changeSubscriber(setup, 'swap-sim', { subscriber: 'second' });
  expect(receivedSets(setup, 'main')).toHaveLength(4);
});

test('a consent is revoked when the last scope goes', async () => {
  const remove = async (scopes?: string[]): Promise<unknown> => {
    await changeSubscriber(setup, 'remove-consent', {
      body: { client_id: parties.main.id, ...(scopes === undefined ? {} : { scopes }) },
    });
    return receivedSets(setup).map(({ events, aud }) => [aud, events]);
  };
  expect(await remove(['name'])).toEqual([]);
  expect(await remove()).toEqual([[parties.main.id, ['consent_revoked']]]);
  expect((await authorizeAs(setup, {})).status).toBe(400);
  await setup.admin('POST', '/subscribers/first/consent', { client_id: parties.main.id });
  expect((await authorizeAs(setup, {})).status).toBe(200);
});

test('SIM tenure is true for 24 hours after a swap', async () => {
  const tenure = async (): Promise<unknown> => (await askTrait(setup)).body;
  expect(await tenure()).toEqual({ sim_tenure: 'false' });
  await changeSubscriber(setup, 'move-sim');
  expect(await tenure()).toEqual({ sim_tenure: 'false' });
  await changeSubscriber(setup, 'swap-sim');
  expect(await tenure()).toEqual({ sim_tenure: 'true' });
  await setup.move(86_399);
  expect(await tenure()).toEqual({ sim_tenure: 'true' });
  await setup.move(1);
  expect(await tenure()).toEqual({ sim_tenure: 'false' });
  expect((await askTrait(setup, { subscriber: 'undeterminable' })).body).toEqual({ sim_tenure: 'error' });
  const entries = list((await setup.admin('GET', '/audit')).body, 'entries');
  expect(entries).toHaveLength(6);
  expect(entries.at(-1)).toEqual({
    at: setup.now() * 1000,
    client_id: parties.main.id,
    sub: setup.sub('undeterminable'),
    outcome: 'error',
  });
});

type TraitRow = readonly [title: string, ask: () => Parameters<typeof askTrait>[1], status: number, error: string];
const own = (members: JsonObject) => () => ({ members });
const traitRows: readonly TraitRow[] = [
  ['no proof', () => ({ proof: null }), 401, 'invalid_client'],
  ['an empty proof', () => ({ token: '' }), 401, 'invalid_client'],
  ['another key', () => ({ proof: { key: 'second' } }), 401, 'invalid_client'],
  ['another client', () => ({ proof: { key: 'second', kid: 'conftestkey02' } }), 401, 'invalid_client'],
  [
    'an older proof',
    () => ({ proof: { claims: { iat: setup.now() - 200, exp: setup.now() - 80 } } }),
    401,
    'invalid_client',
  ],
  [
    'a proof just too old',
    () => ({ proof: { claims: { iat: setup.now() - 131, exp: setup.now() - 11 } } }),
    401,
    'invalid_client',
  ],
  ['a long proof', () => ({ proof: { claims: { exp: setup.now() + 121 } } }), 401, 'invalid_client'],
  ['a proof of later', () => ({ proof: { claims: { iat: setup.now() + 11 } } }), 401, 'invalid_client'],
  ['another body', () => ({ proof: { body: '{}' } }), 401, 'invalid_client'],
  ['another version', () => ({ proof: { claims: { v: '2' } } }), 401, 'invalid_client'],
  ['a proof that signs too little', () => ({ proof: { claims: { ehts: 'Content-Type' } } }), 401, 'invalid_client'],
  ['HS256', () => ({ proof: { header: { alg: 'HS256' } } }), 401, 'invalid_client'],
  ['none', () => ({ proof: { header: { alg: 'none' } } }), 401, 'invalid_client'],
  ['an unknown client', own({ client_id: 'ccid-0000000000000000' }), 401, 'invalid_client'],
  ['no client_id', () => ({ members: { client_id: undefined } }), 400, 'invalid_request'],
  ['no sub', () => ({ members: { sub: undefined } }), 400, 'invalid_request'],
  ['no dash', own({ sub: '001010c8ea0b1f1004b261971f' }), 400, 'invalid_request'],
  ['another carrier', own({ sub: '001020-c8ea0b1f1004b261971f' }), 400, 'invalid_request'],
  ['a phone number', own({ sub: '+12175550101' }), 400, 'invalid_request'],
  ['the sub of another SP', () => ({ members: { sub: setup.sub('first', 'second') } }), 400, 'invalid_request'],
  ['no trait', () => ({ members: { usertrait: undefined } }), 400, 'invalid_request'],
  ['a trait in capitals', own({ usertrait: 'SIM_TENURE' }), 400, 'invalid_request'],
  ['the userinfo attribute', own({ usertrait: 'sim_tenure_24' }), 400, 'invalid_request'],
  ['a long correlation_id', own({ correlation_id: 'x'.repeat(129) }), 400, 'invalid_request'],
  ['an unconsented user', () => ({ subscriber: 'unconsented' }), 403, 'access_denied'],
  ['an unenrolled user', () => ({ subscriber: 'unenrolled' }), 403, 'access_denied'],
  ['a client without the flag', () => ({ client: 'privileged' }), 403, 'unauthorized_client'],
  ['a form', () => ({ form: true, contentType: 'application/x-www-form-urlencoded' }), 415, 'invalid_request'],
];
test.each(traitRows)('a usertrait query with %s is refused', async (_, ask, status, error) => {
  const answer = await askTrait(setup, ask());
  expect([answer.status, answer.body['error'], 'sim_tenure' in answer.body]).toEqual([status, error, false]);
});

test('what a usertrait query may have', async () => {
  for (const ask of [
    { members: { correlation_id: '' } },
    { members: { correlation_id: 'x'.repeat(128) } },
    { proof: { claims: { iat: setup.now() - 130, exp: setup.now() - 10 } } },
    { proof: { claims: { iat: setup.now() + 10 } } },
  ]) {
    expect((await askTrait(setup, ask)).body).toEqual({ sim_tenure: 'false' });
  }
  const { status, headers } = await setup.send('GET', `${setup.carrier.origin}/v1/usertrait`);
  expect([status, headers.allow]).toEqual([405, 'POST']);
});

test('a proof is good for one query, and a bearer token is none', async () => {
  const body = JSON.stringify({ client_id: parties.main.id, sub: setup.sub('first'), usertrait: 'sim_tenure' });
  const token = traitProof(setup, {}, body);
  expect((await askTrait(setup, { token })).status).toBe(200);
  expect((await askTrait(setup, { token })).status).toBe(401);
  const bearer = `Bearer ${textMember(await tokensFor(setup, {}), 'access_token')}`;
  expect((await askTrait(setup, { token: bearer })).status).toBe(401);
});

test('other formats of proof, where the carrier takes any', async () => {
  const other = await openSetup({ variants: { proofFormat: 'any' } });
  const { kty = '', n = '', e = '' } = privateJwk('main');
  const signed = (header: JsonObject, claims: JsonObject): string =>
    signText(
      JSON.stringify({ alg: 'RS256', ...header }),
      JSON.stringify({ iat: other.now(), jti: uniqueText(), ...claims }),
      'main',
    );
  const url = `${other.carrier.origin}/v1/usertrait`;
  const dpop = (claims: JsonObject) =>
    signed({ typ: 'dpop+jwt', jwk: { kty, n, e } }, { htm: 'POST', htu: url, ...claims });
  const jwt = (claims: JsonObject) =>
    signed({ kid: 'conftestkey01' }, { iss: parties.main.id, aud: url, exp: other.now() + 120, ...claims });
  const rows: readonly (readonly [string | undefined, number])[] = [
    [undefined, 200],
    [dpop({}), 200],
    [dpop({ htm: 'GET' }), 401],
    [dpop({ htu: other.carrier.origin }), 401],
    [dpop({ iat: other.now() - 131 }), 401],
    [jwt({}), 200],
    [jwt({ aud: other.carrier.origin }), 401],
    [jwt({ iss: parties.second.id }), 401],
    [jwt({ exp: other.now() + 121 }), 401],
  ];
  for (const [token, status] of rows) {
    expect((await askTrait(other, token === undefined ? {} : { token })).status).toBe(status);
  }
  await other.close();
});

test('userinfo with levels', async () => {
  const scope =
    'openid name email phone address postal_code birthdate picture location last_4_social is_adult_18 is_adult_21 is_over_13 sim_tenure_24';
  expect(await readUserinfo(setup, { client: 'privileged', scope })).toEqual({
    sub: setup.sub('first', 'privileged'),
    name: { value: 'Test First', given_name: 'Test', family_name: 'First', verified: 2 },
    email: { value: 'first@subscriber.example', verified: 2 },
    phone: { value: '+12175550101', verified: 3 },
    address: {
      formatted: '1 Test Street, Springfield, IL 62701',
      street_address: '1 Test Street',
      locality: 'Springfield',
      region: 'IL',
      postal_code: '62701',
      country: 'US',
      verified: 2,
    },
    postal_code: { value: '62701', verified: 2 },
    birthdate: { value: '1990-04-01', verified: 2 },
    picture: { value: 'https://pictures.subscriber.example/first.png', verified: 1 },
    location: { value: '39.80,-89.64', verified: 3 },
    last_4_social: { value: '0001', verified: 2 },
    is_adult18: { value: true, verified: 2 },
    is_adult21: { value: true, verified: 2 },
    is_over13: { value: true, verified: 2 },
    sim_tenure_24: { value: 'false', verified: 3 },
    verification: {
      regulation: 'NIST SP 800-63A',
      identity_documents: [
        {
          type: 'drivers_license',
          last_verified: '2025-06-01T12:00:00Z',
          method: 'digitalscan',
          verified_claims: 'name,address,birthdate',
        },
      ],
    },
  });
});

test('levels of other accounts, and after edits', async () => {
  const levels = async (subscriber: string): Promise<unknown[]> => {
    const found = await readUserinfo(setup, {
      client: 'privileged',
      subscriber,
      scope: 'openid name email address last_4_social birthdate',
    });
    return ['name', 'email', 'address', 'last_4_social', 'birthdate'].map(
      (name) => objectMember(found, name)['verified'],
    );
  };
  expect(await levels('second')).toEqual([1, 1, 1, 1, 1]);
  expect(await levels('third')).toEqual([2, 2, 2, 2, 2]);
  expect(await levels('fourth')).toEqual([2, 2, 2, 1, 2]);
  await changeSubscriber(setup, 'edit', { subscriber: 'third', body: { attribute: 'name' } });
  await changeSubscriber(setup, 'edit', { subscriber: 'third', body: { email: 'new@subscriber.example' } });
  expect(await levels('third')).toEqual([1, 1, 2, 2, 2]);
  await changeSubscriber(setup, 'verify-email', { subscriber: 'third' });
  expect(await levels('third')).toEqual([1, 2, 2, 2, 2]);
  await changeSubscriber(setup, 'restore', { subscriber: 'third' });
  expect(await levels('third')).toEqual([2, 2, 2, 2, 2]);
});

test('a user is of age on the birthday', async () => {
  const flags = async (subscriber: string): Promise<unknown[]> => {
    const found = await readUserinfo(setup, {
      client: 'privileged',
      subscriber,
      scope: 'openid is_adult_18 is_adult_21 is_over_13',
    });
    return ['is_adult18', 'is_adult21', 'is_over13'].map((name) => objectMember(found, name)['value']);
  };
  expect(await flags('third')).toEqual([true, false, true]);
  expect(await flags('fourth')).toEqual([true, false, true]);
  await setup.move(39 * 86_400);
  expect(await flags('fourth')).toEqual([true, false, true]);
  await setup.move(86_400);
  expect(await flags('fourth')).toEqual([true, true, true]);
});

test('userinfo without levels, and what it refuses', async () => {
  expect(await readUserinfo(setup, { scope: 'openid name' })).toEqual({
    sub: setup.sub('first'),
    name: { value: 'Test First', given_name: 'Test', family_name: 'First' },
  });
  const refused = await askUserinfo(setup, textMember(await tokensFor(setup, { scope: 'name' }), 'access_token'));
  expect([refused.status, refused.headers['www-authenticate']]).toEqual([403, 'Bearer error="insufficient_scope"']);
  const token = textMember(await tokensFor(setup, {}), 'access_token');
  await setup.move(1799);
  expect((await askUserinfo(setup, token)).status).toBe(200);
  await setup.move(1);
  const late = await askUserinfo(setup, token);
  expect([late.status, late.headers['www-authenticate']]).toEqual([401, 'Bearer error="invalid_token"']);
});

test('a rotation keeps the old key and what it signed', async () => {
  const token = textMember(await tokensFor(setup, {}), 'access_token');
  await setup.admin('POST', '/keys/rotate', {});
  const { body } = await setup.send('GET', `${setup.carrier.origin}/jwks`);
  const keys = list(body, 'keys').filter(isJsonObject);
  expect(keys.map(({ kid }) => kid)).toEqual(['carrierkey02', 'carrierkey01']);
  for (const key of keys) expect(Object.keys(key).toSorted()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
  expect((await askUserinfo(setup, token)).status).toBe(200);
  const newer = textMember(await tokensFor(setup, {}), 'access_token');
  expect(jwtHeader(newer)['kid']).toBe('carrierkey02');
  expect((await askUserinfo(setup, newer)).status).toBe(200);
});

test('discovery knows two carriers of the platform', async () => {
  const ask = (mccmnc: string) =>
    setup.send(
      'GET',
      `${setup.carrier.origin}/.well-known/openid_configuration?client_id=${parties.main.id}&mccmnc=${mccmnc}`,
    );
  expect((await ask('001010')).body['issuer']).toBe(setup.carrier.origin);
  expect((await ask('001020')).body['issuer']).toBe('https://other.carrier.test');
  expect((await ask('000000')).body['error']).toBe('provider_not_found');
});

test('authorization code and refresh token', async () => {
  const exchange = async (more: Record<string, string>) =>
    postForm(setup, '/token', {
      grant_type: 'authorization_code',
      redirect_uri: 'https://sp.test/cb',
      ...clientAssertion(setup),
      ...more,
    });
  const code = await codeFor(setup, 'main', 'openid name offline_access');
  const { body, headers } = await exchange({ code });
  expect(headers['cache-control']).toBe('no-store');
  expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 1800, scope: 'openid name offline_access' });
  expect((await askUserinfo(setup, textMember(body, 'access_token'))).body['sub']).toBe(setup.sub('first'));
  expect((await exchange({ code })).body['error']).toBe('invalid_grant');
  const refresh = { grant_type: 'refresh_token', refresh_token: textMember(body, 'refresh_token') };
  expect((await exchange(refresh)).status).toBe(200);
  expect((await exchange(refresh)).body['error']).toBe('invalid_grant');
  expect((await exchange({ code: await codeFor(setup), redirect_uri: 'https://sp.test/cc' })).body['error']).toBe(
    'invalid_grant',
  );
  expect((await exchange({ code: await codeFor(setup), ...clientAssertion(setup, 'second') })).body['error']).toBe(
    'invalid_grant',
  );
  const late = await codeFor(setup);
  await setup.move(600);
  expect((await exchange({ code: late })).body['error']).toBe('invalid_grant');
});

test('what is no client assertion', async () => {
  const once = clientAssertion(setup);
  const rows: readonly (readonly [string, Record<string, string>])[] = [
    ['none', { client_id: parties.main.id }],
    ['a request object', { ...once, client_assertion: setup.sign(setup.claims()) }],
    [
      'a request object for this endpoint',
      { ...once, client_assertion: setup.sign(setup.claims({ aud: `${setup.carrier.origin}/token` })) },
    ],
    ['another key', clientAssertion(setup, 'main', { key: 'second' })],
    ['another iss', clientAssertion(setup, 'main', { claims: { iss: parties.second.id } })],
    ['another aud', clientAssertion(setup, 'main', { claims: { aud: setup.carrier.origin } })],
    ['the cancel endpoint', clientAssertion(setup, 'main', { claims: { aud: `${setup.carrier.origin}/cancel` } })],
    ['expired', clientAssertion(setup, 'main', { claims: { exp: setup.now() } })],
    ['too long', clientAssertion(setup, 'main', { claims: { exp: setup.now() + 86_401 } })],
    ['no jti', clientAssertion(setup, 'main', { claims: { jti: '' } })],
  ];
  for (const [title, parameters] of rows) {
    const code = await codeFor(setup);
    const { status, body } = await postForm(setup, '/token', {
      grant_type: 'authorization_code',
      code,
      redirect_uri: 'https://sp.test/cb',
      ...parameters,
    });
    expect([title, status, body['error']]).toEqual([title, 401, 'invalid_client']);
  }
  const call = { grant_type: 'refresh_token', refresh_token: 'x', ...once };
  expect((await postForm(setup, '/token', call)).body['error']).toBe('invalid_grant');
  expect((await postForm(setup, '/token', call)).body['error']).toBe('invalid_client');
});

test('a cancelled request gives nothing more', async () => {
  const id = textMember((await authorizeAs(setup, {})).body, 'auth_req_id');
  const cancel = (more: Record<string, string>) => postForm(setup, '/cancel', { auth_req_id: id, ...more });
  expect((await cancel({})).status).toBe(401);
  expect((await cancel(clientAssertion(setup, 'second'))).status).toBe(404);
  expect((await cancel({ ...clientAssertion(setup), auth_req_id: 'ccid-0000000000' })).status).toBe(404);
  const answer = await cancel(clientAssertion(setup, 'main', { claims: { aud: `${setup.carrier.origin}/cancel` } }));
  expect([answer.status, answer.body]).toEqual([200, { auth_req_id: id }]);
  expect((await setup.admin('POST', `/requests/${id}/approve`)).status).toBe(409);
  expect((await cancel(clientAssertion(setup))).status).toBe(400);
  await setup.move(600);
  expect(setup.callbacks).toEqual([]);
});

test('a login_hint_token leads to its user', async () => {
  const issue = async (more: JsonObject = {}): Promise<string> =>
    textMember(
      (await setup.admin('POST', '/login-hint-tokens', { subscriber: 'second', client_id: parties.main.id, ...more }))
        .body,
      'login_hint_token',
    );
  const token = await issue();
  expect(token.split('.')).toHaveLength(5);
  expect(jwtHeader(token)).toEqual({ alg: 'A256KW', enc: 'A256GCM', typ: 'JWE', kid: 'carrierhint01' });
  const ask = async (more: Record<string, string | undefined>) => (await authorizeAs(setup, { more })).body;
  const id = textMember(await ask({ login_hint_token: token }), 'auth_req_id');
  expect((await setup.admin('GET', `/requests/${id}`)).body['subscriber']).toBe('second');
  expect((await ask({ login_hint: undefined, login_hint_token: token }))['error']).toBeUndefined();
  const foreign = await issue({ client_id: parties.second.id });
  for (const bad of [
    foreign,
    token.slice(0, -4),
    `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}x`,
    'a.b.c.d.e',
    'x',
  ]) {
    expect((await ask({ login_hint_token: bad }))['error']).toBe('invalid_login_hint_token');
  }
  const short = await issue({ ttl: 60 });
  await setup.move(59);
  expect((await ask({ login_hint_token: short }))['error']).toBeUndefined();
  await setup.move(1);
  expect((await ask({ login_hint_token: short }))['error']).toBe('expired_login_hint_token');
});

test('pending requests are few, and users cannot be told apart', async () => {
  await setup.admin('PUT', '/policy', { maxPending: 2 });
  const statuses: number[] = [];
  for (let turn = 0; turn < 3; turn++) statuses.push((await authorizeAs(setup, {})).status);
  expect(statuses).toEqual([200, 200, 400]);
  expect((await authorizeAs(setup, { subscriber: 'second' })).status).toBe(200);
  const hints = [
    '001010-00000000000000000000',
    setup.sub('unenrolled'),
    setup.sub('unconsented'),
    '+12175550101',
    '+19995550101',
  ];
  for (const hint of hints) {
    const { body } = await authorizeAs(setup, { more: { login_hint: hint, correlation_id: 'same' } });
    expect(body).toEqual({
      correlation_id: 'same',
      error: 'access_denied',
      error_description: 'the subscriber cannot be asked',
    });
  }
  expect((await setup.admin('PUT', '/policy', { maxPendings: 2 })).status).toBe(400);
});
