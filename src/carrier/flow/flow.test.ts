import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createHash, createPublicKey, verify } from 'node:crypto';
import { isJsonList, isJsonObject } from '../json.ts';
import { decodeClaims, objectMember, openSetup, type TestSetup, carrierStart, textMember } from '../testing/setup.ts';

let setup: TestSetup;
beforeAll(async () => {
  setup = await openSetup();
});
afterAll(() => setup.close());
beforeEach(() => {
  setup.callbacks.length = 0;
  setup.replies.length = 0;
});

async function pending(more?: Parameters<TestSetup['authorize']>[0], options?: Parameters<TestSetup['authorize']>[1]) {
  const { status, body } = await setup.authorize(more, options);
  expect(textMember(body, 'auth_req_id')).toMatch(/^ccid-[A-Za-z0-9]{32}$/);
  expect(status).toBe(200);
  return textMember(body, 'auth_req_id');
}

const onlyCallback = () => {
  expect(setup.callbacks).toHaveLength(1);
  const [callback] = setup.callbacks;
  if (callback === undefined) throw new Error('no callback');
  return callback;
};

test('an accepted request is answered with its id, life and correlation_id, and is on the phone', async () => {
  const { status, headers, body } = await setup.authorize({ correlation_id: 'run-1', expires_in: 120 });
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    date: new Date(carrierStart).toUTCString(),
  });
  expect(headers['location']).toBeUndefined();
  expect(body).toEqual({ correlation_id: 'run-1', auth_req_id: body['auth_req_id'], expires_in: 120 });
  const { body: phone } = await setup.admin('GET', `/phone?login_hint=${setup.sub('first')}`);
  expect(phone).toEqual({
    cards: [
      {
        auth_req_id: body['auth_req_id'],
        shown: true,
        context: 'Approve-order-4711',
        scopes: ['openid', 'name'],
        consentScreen: [],
        order: ['context'],
        authentication: 'full',
        colourMode: 'system',
        openedUri: null,
      },
    ],
  });
  expect((await setup.admin('POST', `/requests/${textMember(body, 'auth_req_id')}/deny`)).body).toEqual({
    state: 'denied',
  });
  await setup.settle();
});

test('an approval is called back once, with tokens bound to the flow', async () => {
  const id = await pending({ correlation_id: 'run-2', client_notification_token: 'tok-._~+/==' });
  expect((await setup.admin('POST', `/requests/${id}/approve`)).body).toEqual({ state: 'completed' });
  await setup.settle();
  const { target, headers, body } = onlyCallback();
  expect(target).toBe('/si/notify');
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'cache-control': 'no-cache',
    authorization: 'Bearer tok-._~+/==',
  });
  expect(body).toEqual({
    auth_req_id: id,
    correlation_id: 'run-2',
    state: 'st-0001',
    scope: 'openid name',
    access_token: body['access_token'],
    token_type: 'Bearer',
    expires_in: 1800,
    id_token: body['id_token'],
  });
  const accessToken = textMember(body, 'access_token');
  expect(decodeClaims(textMember(body, 'id_token'))).toEqual({
    iss: setup.carrier.origin,
    sub: setup.sub('first'),
    aud: 'ccid-conftestclient01',
    iat: setup.now(),
    exp: setup.now() + 1800,
    auth_time: setup.now(),
    acr: 'a3',
    amr: ['hwk', 'pin'],
    nonce: 'n-0001',
    context: 'Approve-order-4711',
    at_hash: createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url'),
    'urn:openid:params:jwt:claim:auth_req_id': id,
  });
  expect(decodeClaims(accessToken)).toMatchObject({
    sub: setup.sub('first'),
    scope: 'openid name',
    cnf: { jwk: { kty: 'RSA' } },
  });
  const userinfo = await setup.send('GET', `${setup.carrier.origin}/userinfo`, undefined, {
    authorization: `bearer ${accessToken}`,
  });
  expect(userinfo.status).toBe(200);
  expect(Object.keys(userinfo.body)).toEqual(['sub', 'name']);
  expect((await setup.admin('POST', `/requests/${id}/approve`)).status).toBe(409);
});

test('the id token verifies with the one key of jwks_uri', async () => {
  const id = await pending();
  await setup.admin('POST', `/requests/${id}/approve`);
  await setup.settle();
  const { body } = await setup.send('GET', `${setup.carrier.origin}/jwks`);
  const keys = body['keys'] ?? null;
  const jwk = isJsonList(keys) ? keys[0] : undefined;
  if (!isJsonObject(jwk)) throw new Error('no key');
  const { n: _, ...rest } = jwk;
  expect(rest).toEqual({ kty: 'RSA', kid: 'carrierkey01', alg: 'RS256', use: 'sig', e: 'AQAB' });
  expect(Buffer.from(textMember(jwk, 'n'), 'base64url')).toHaveLength(256);
  const [head = '', payload = '', signature = ''] = textMember(onlyCallback().body, 'id_token').split('.');
  expect(JSON.parse(Buffer.from(head, 'base64url').toString())).toEqual({
    typ: 'JWT',
    alg: 'RS256',
    kid: 'carrierkey01',
  });
  const key = createPublicKey({ key: { ...jwk }, format: 'jwk' });
  expect(verify('RSA-SHA256', Buffer.from(`${head}.${payload}`), key, Buffer.from(signature, 'base64url'))).toBe(true);
});

test('a denial is called back as request_denied, without any token', async () => {
  const id = await pending({ correlation_id: undefined, state: undefined, client_notification_token: undefined });
  await setup.admin('POST', `/requests/${id}/deny`);
  await setup.settle();
  const { headers, body } = onlyCallback();
  expect(headers['authorization']).toBeUndefined();
  expect(body).toEqual({
    auth_req_id: id,
    error: 'request_denied',
    error_description: 'the subscriber denied the request',
  });
});

test('an unanswered request times out at the granted moment, not before, and cannot be approved afterwards', async () => {
  const id = await pending({ expires_in: 60 });
  await setup.admin('POST', `/requests/${id}/ignore`);
  await setup.move(59.999);
  expect(setup.callbacks).toEqual([]);
  await setup.move(0.001);
  expect(onlyCallback().body).toMatchObject({ auth_req_id: id, state: 'st-0001', error: 'authentication_timed_out' });
  const { body } = await setup.admin('GET', `/requests/${id}`);
  expect(body).toMatchObject({ state: 'timed-out', card: { shown: false, context: 'Approve-order-4711' } });
  expect((await setup.admin('POST', `/requests/${id}/approve`)).status).toBe(409);
});

test('what the user unticks is not in the scope; without openid there is no id token', async () => {
  const id = await pending();
  await setup.admin('POST', `/requests/${id}/approve`, { scopes: ['name'] });
  await setup.settle();
  const { body } = onlyCallback();
  expect(body['scope']).toBe('name');
  expect(body).not.toHaveProperty('id_token');
});

test('a scope not consented yet is consented before the context, once', async () => {
  const first = await pending({ scope: 'openid birthdate' });
  const screen = async (id: string) => (await setup.admin('GET', `/requests/${id}`)).body['card'];
  expect(await screen(first)).toMatchObject({ consentScreen: ['birthdate'], order: ['consent', 'context'] });
  await setup.admin('POST', `/requests/${first}/approve`);
  expect(await screen(await pending({ scope: 'openid birthdate' }))).toMatchObject({
    consentScreen: [],
    order: ['context'],
  });
  expect(await screen(await pending({ scope: 'openid name', prompt: 'consent' }))).toMatchObject({
    consentScreen: ['openid', 'name'],
  });
  await setup.settle();
});

test('consent, key or registration removed while pending ends in server_error', async () => {
  const client = '/clients/ccid-conftestclient01';
  const consent = { client_id: 'ccid-conftestclient01' };
  const id = await pending();
  await setup.admin('POST', '/subscribers/first/remove-consent', consent);
  expect((await setup.admin('POST', `/requests/${id}/approve`)).body).toEqual({ state: 'failed' });
  await setup.admin('POST', '/subscribers/first/consent', { ...consent, scopes: ['openid', 'name'] });
  const other = await pending();
  await setup.admin('DELETE', `${client}/keys/conftestkey01`);
  expect((await setup.authorize()).body['error']).toBe('invalid_client');
  await setup.admin('POST', `/requests/${other}/approve`);
  await setup.admin('POST', `${client}/keys/restore`);
  const third = await pending();
  await setup.admin('PUT', `${client}/flags`, { server_initiated: false });
  await setup.admin('POST', `/requests/${third}/approve`);
  await setup.admin('PUT', `${client}/flags`, { server_initiated: true });
  await setup.settle();
  expect(setup.callbacks.map(({ body }) => body['error'])).toEqual(['server_error', 'server_error', 'server_error']);
});

test('the callback goes to the URI named, is not redirected and not repeated', async () => {
  setup.replies.push({ status: 302, headers: { location: `${setup.receiver}/elsewhere` } });
  const id = await pending({ notification_uri: `${setup.receiver}/si/notify-alternate` });
  await setup.admin('POST', `/requests/${id}/approve`);
  await setup.settle();
  await setup.move(600);
  expect(setup.callbacks.map(({ target }) => target)).toEqual(['/si/notify-alternate']);
});

test('a receiver that does not answer is given up after 30 seconds of the carrier clock', async () => {
  setup.replies.push({ status: 200, hold: true });
  const id = await pending();
  await setup.admin('POST', `/requests/${id}/deny`);
  const { body } = await setup.admin('GET', '/clock');
  expect(body).toMatchObject({ inFlight: 1 });
  expect(Number(body['nextDue']) - Number(body['now'])).toBe(30_000);
  await setup.move(30);
  expect((await setup.admin('GET', '/clock')).body).toMatchObject({ inFlight: 0 });
});

test('local_redirect opens redirect_uri with the state and nothing else', async () => {
  const id = await pending({ options: 'dark local_redirect', state: 'a b&c', redirect_uri: 'sptest://cb' });
  await setup.admin('POST', `/requests/${id}/approve`);
  await setup.settle();
  const { body } = await setup.admin('GET', `/requests/${id}`);
  expect(body['card']).toMatchObject({ openedUri: 'sptest://cb?state=a%20b%26c', colourMode: 'dark', shown: false });
});

test('authentication follows prompt, acr_values and the last one', async () => {
  await setup.move(1801);
  const run = async (more: Record<string, string>) => {
    const id = await pending({ login_hint: setup.sub('second'), ...more });
    const { body } = await setup.admin('GET', `/requests/${id}`);
    await setup.admin('POST', `/requests/${id}/approve`);
    await setup.settle();
    const { acr, auth_time: authTime } = decodeClaims(textMember(setup.callbacks.at(-1)?.body, 'id_token'));
    return [
      objectMember(body, 'card')['authentication'],
      acr,
      authTime === undefined ? undefined : setup.now() - Number(authTime),
    ];
  };
  expect(await run({ acr_values: 'a1' })).toEqual(['none', 'a1', undefined]);
  expect(await run({ acr_values: 'a3' })).toEqual(['full', 'a3', 0]);
  await setup.move(59);
  expect(await run({ prompt: 'login' })).toEqual(['reused', 'a3', 59]);
  await setup.move(1);
  expect(await run({ prompt: 'login', acr_values: 'a1' })).toEqual(['full', 'a1', 0]);
  await setup.move(1800);
  expect(await run({})).toEqual(['reused', 'a3', 1800]);
  await setup.move(1);
  expect(await run({})).toEqual(['full', 'a3', 0]);
  await setup.move(1000);
  await setup.admin('POST', '/subscribers/second/open-app');
  expect(await run({})).toEqual(['reused', 'a3', 0]);
});

test('prompt none needs the flag; with it the callback comes by itself', async () => {
  expect((await setup.authorize({ prompt: 'none' })).body).toMatchObject({ error: 'interaction_required' });
  const { status, body } = await setup.authorize(
    { prompt: 'none', client_id: 'ccid-conftestclient04', login_hint: setup.sub('third', 'privileged') },
    { key: 'privileged' },
  );
  expect(status).toBe(200);
  await setup.settle();
  expect(onlyCallback().body).toMatchObject({ auth_req_id: body['auth_req_id'], token_type: 'Bearer' });
});

test('referred_binding is what the access token is bound to', async () => {
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
    y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
  };
  const id = await pending({ referred_binding: jwk });
  await setup.admin('POST', `/requests/${id}/approve`);
  await setup.settle();
  expect(decodeClaims(textMember(onlyCallback().body, 'access_token'))['cnf']).toEqual({ jwk });
});
