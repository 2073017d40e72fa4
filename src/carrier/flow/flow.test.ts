import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { decodeClaims, objectMember, openSetup, type TestSetup, textMember } from '../testing/setup.ts';

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
