import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Json } from '../json.ts';
import { decodeClaims, openSetup, type TestSetup, textMember, uniqueText } from '../testing/setup.ts';

let setup: TestSetup;
beforeAll(async () => {
  setup = await openSetup();
});
afterAll(() => setup.close());

const get = (path: string, headers?: Record<string, string>) =>
  setup.send('GET', `${setup.carrier.origin}${path}`, undefined, headers);

test('discovery answers for a registered client and this carrier code', async () => {
  const { status, headers, body } = await get(
    '/.well-known/openid_configuration?client_id=ccid-conftestclient01&mccmnc=001010',
  );
  expect(status).toBe(200);
  expect(headers['cache-control']).toBe('max-age=3600');
  const { origin } = setup.carrier;
  expect(body).toMatchObject({
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    jwks_uri: `${origin}/jwks`,
    userinfo_endpoint: `${origin}/userinfo`,
    server_initiated_endpoint: `${origin}/bc-authorize`,
    server_initiated_authorization_endpoint: `${origin}/bc-authorize`,
    response_types_supported: ['code', 'token', 'async_token'],
    subject_types_supported: ['pairwise'],
    id_token_signing_alg_values_supported: ['RS256'],
    mccmnc: '001010',
  });
  expect((await get('/.well-known/openid-configuration')).body).toEqual(body);
});

test.each([
  '',
  '?client_id=ccid-conftestclient01',
  '?mccmnc=001010',
  '?client_id=ccid-conftestclient01&mccmnc=000000',
  '?client_id=ccid-conftestclient01&mccmnc=00101',
  '?client_id=ccid-0000000000000000&mccmnc=001010',
  '?client_id=ccid-conftestclient07&mccmnc=001010',
  '?client_id=ccid-conftestclient01&mccmnc=001010&mccmnc=001010',
])('discovery knows no provider for %s', async (query) => {
  const { status, body } = await get(`/.well-known/openid_configuration${query}`);
  expect(status).toBe(200);
  expect(body).toEqual({
    error: 'provider_not_found',
    error_description: 'client_id and mccmnc name no carrier of this platform',
    redirect_uri: 'https://discovery.test/ui/discovery-ui',
  });
});

const authorize = (query: Record<string, string>) =>
  get(
    `/authorize?${new URLSearchParams({ client_id: 'ccid-conftestclient01', redirect_uri: 'https://sp.test/cb', state: 'a b', ...query }).toString()}`,
  );

test('the authorization endpoint supports response_type code only', async () => {
  const code = await authorize({ response_type: 'code' });
  expect([code.status, code.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  for (const type of ['token', 'id_token', 'async_token', 'code id_token']) {
    const { status, headers } = await authorize({ response_type: type });
    expect(status).toBe(302);
    expect(headers['location']).toBe('https://sp.test/cb?error=unsupported_response_type&state=a+b');
  }
  expect((await authorize({})).headers['location']).toBe('https://sp.test/cb?error=invalid_request&state=a+b');
});

test('the authorization endpoint does not redirect to what is not registered', async () => {
  for (const query of [{ client_id: 'x' }, { redirect_uri: 'https://evil.test' }]) {
    const { status, headers, body } = await authorize({ response_type: 'token', ...query });
    expect([status, headers['location'], 'error' in body]).toEqual([400, undefined, true]);
  }
});

const form = (parameters: Record<string, string>, headers: Record<string, string> = {}) =>
  setup.send('POST', `${setup.carrier.origin}/token`, new URLSearchParams(parameters).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
    ...headers,
  });
const assertion = (more: Record<string, Json> = {}): Record<string, string> => ({
  client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  client_assertion: setup.sign({
    iss: 'ccid-conftestclient01',
    sub: 'ccid-conftestclient01',
    aud: `${setup.carrier.origin}/token`,
    iat: setup.now(),
    exp: setup.now() + 3600,
    jti: uniqueText(),
    ...more,
  }),
});
const code = { grant_type: 'authorization_code', code: 'x', redirect_uri: 'https://sp.test/cb' };

test('the token endpoint does not poll', async () => {
  const ciba = { grant_type: 'urn:openid:params:grant-type:ciba', auth_req_id: 'ccid-x' };
  for (const parameters of [ciba, { ...ciba, ...assertion() }, { grant_type: 'constructor' }]) {
    const { status, body } = await form(parameters);
    expect([status, body['error']]).toEqual([400, 'unsupported_grant_type']);
  }
  expect((await form({})).body['error']).toBe('invalid_request');
});

test('the token endpoint wants the SP to sign again, or its secret', async () => {
  const basic = (id: string, password: string) => ({
    authorization: `Basic ${Buffer.from(`${id}:${password}`).toString('base64')}`,
  });
  const refused = [
    await form({ ...code, client_id: 'ccid-conftestclient01' }),
    await form({ ...code, ...assertion({ aud: setup.carrier.origin }) }),
    await form({ ...code, ...assertion({ iss: 'ccid-conftestclient02' }) }),
    await form({ ...code, ...assertion({ exp: setup.now() }) }),
    await form({ ...code, ...assertion({ exp: setup.now() + 90_000 }) }),
    await form({ ...code, ...assertion({ response_type: 'async_token' }) }),
    await form({ ...code, ...assertion(), client_assertion: setup.sign(setup.claims()) }),
    await form({ ...code, ...assertion(), client_assertion: 'a.b' }),
    await form(code, basic('ccid-conftestclient06', 'wrong')),
    await form(code, basic('ccid-conftestclient01', '')),
  ];
  for (const { status, headers, body } of refused) {
    expect([status, body['error'], headers['www-authenticate']]).toEqual([401, 'invalid_client', 'Basic']);
  }
  const once = assertion();
  expect((await form({ ...code, ...once })).body['error']).toBe('invalid_grant');
  expect((await form({ ...code, ...once })).body['error']).toBe('invalid_client');
  const clients = setup.registrations['clients'] ?? null;
  const known = JSON.stringify(clients).match(/"secret":"([^"]+)"/)?.[1] ?? '';
  expect((await form({ grant_type: 'refresh_token' }, basic('ccid-conftestclient06', known))).status).toBe(400);
});

test('the token endpoint reads JSON, too, and nothing else', async () => {
  const url = `${setup.carrier.origin}/token`;
  const body = JSON.stringify({ ...code, ...assertion() });
  expect((await setup.send('POST', url, body, { 'content-type': 'application/json' })).body['error']).toBe(
    'invalid_grant',
  );
  expect((await setup.send('POST', url, body, { 'content-type': 'text/plain' })).status).toBe(415);
  expect(
    (
      await setup.send('POST', url, 'grant_type=a&grant_type=b', {
        'content-type': 'application/x-www-form-urlencoded',
      })
    ).body['error'],
  ).toBe('invalid_request');
});

async function accessToken(more: Record<string, Json>): Promise<string> {
  const id = textMember((await setup.authorize(more)).body, 'auth_req_id');
  await setup.admin('POST', `/requests/${id}/approve`);
  await setup.settle();
  return textMember(setup.callbacks.at(-1)?.body, 'access_token');
}
const userinfo = (token: string) => get('/userinfo', { authorization: `Bearer ${token}` });

test('userinfo gives what the token allows, to an a1 token as well', async () => {
  const { status, headers, body } = await userinfo(await accessToken({ scope: 'openid phone', acr_values: 'a1' }));
  expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
  expect(body).toEqual({ sub: setup.sub('first'), phone: { value: '+12175550101' } });
  expect((await userinfo(await accessToken({ scope: 'name' }))).status).toBe(403);
});

test('userinfo refuses what is not a living access token', async () => {
  const token = await accessToken({});
  const idToken = textMember(setup.callbacks.at(-1)?.body, 'id_token');
  expect(decodeClaims(idToken)['sub']).toBe(setup.sub('first'));
  expect((await get('/userinfo')).headers['www-authenticate']).toBe('Bearer');
  expect((await get(`/userinfo?access_token=${token}`)).status).toBe(400);
  for (const bad of [idToken, 'x', `${token.slice(0, -8)}AAAAAAAA`]) {
    const { status, headers } = await userinfo(bad);
    expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer error="invalid_token"']);
  }
  await setup.move(1799);
  expect((await userinfo(token)).status).toBe(200);
  await setup.move(1);
  expect((await userinfo(token)).status).toBe(401);
});

test.each([
  ['PUT', '/bc-authorize', 'POST'],
  ['GET', '/token', 'POST'],
  ['DELETE', '/userinfo', 'GET, POST'],
  ['POST', '/jwks', 'GET'],
])('%s %s is 405, and the response names what is allowed', async (method, path, allowed) => {
  const { status, headers, body } = await setup.send(method, `${setup.carrier.origin}${path}`);
  expect([status, headers['allow'], body['error']]).toEqual([405, allowed, 'invalid_request']);
});
