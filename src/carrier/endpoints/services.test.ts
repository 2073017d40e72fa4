import { afterEach, beforeEach, expect, test } from 'vitest';
import { isJsonList, type JsonObject } from '../json.ts';
import {
  askTrait,
  askUserinfo,
  clientAssertion,
  codeFor,
  changeSubscriber,
  parties,
  postForm,
  receivedSets,
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
const traitRows: readonly TraitRow[] = [
  ['an empty proof', () => ({ token: '' }), 401, 'invalid_client'],
  [
    'a proof just too old',
    () => ({ proof: { claims: { iat: setup.now() - 131, exp: setup.now() - 11 } } }),
    401,
    'invalid_client',
  ],
  ['a long proof', () => ({ proof: { claims: { exp: setup.now() + 121 } } }), 401, 'invalid_client'],
  ['a proof of later', () => ({ proof: { claims: { iat: setup.now() + 11 } } }), 401, 'invalid_client'],
  ['a proof that signs too little', () => ({ proof: { claims: { ehts: 'Content-Type' } } }), 401, 'invalid_client'],
  ['HS256', () => ({ proof: { header: { alg: 'HS256' } } }), 401, 'invalid_client'],
  ['a long correlation_id', () => ({ members: { correlation_id: 'x'.repeat(129) } }), 400, 'invalid_request'],
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
