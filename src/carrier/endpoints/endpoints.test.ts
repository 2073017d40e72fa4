import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Json } from '../json.ts';
import { openSetup, type TestSetup, uniqueText } from '../testing/setup.ts';

let setup: TestSetup;
beforeAll(async () => {
  setup = await openSetup();
});
afterAll(() => setup.close());

const get = (path: string, headers?: Record<string, string>) =>
  setup.send('GET', `${setup.carrier.origin}${path}`, undefined, headers);

test.each([
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

test.each([
  ['PUT', '/bc-authorize', 'POST'],
  ['GET', '/token', 'POST'],
  ['DELETE', '/userinfo', 'GET, POST'],
  ['POST', '/jwks', 'GET'],
])('%s %s is 405, and the response names what is allowed', async (method, path, allowed) => {
  const { status, headers, body } = await setup.send(method, `${setup.carrier.origin}${path}`);
  expect([status, headers['allow'], body['error']]).toEqual([405, allowed, 'invalid_request']);
});
