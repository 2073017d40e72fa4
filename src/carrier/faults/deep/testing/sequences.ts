import { afterEach, describe, expect, test } from 'vitest';
import { faults as listedFaults } from '../../../catalogue.ts';
import { isJsonList, isJsonObject, type JsonObject } from '../../../json.ts';
import type { CarrierOptions } from '../../../options.ts';
import {
  askUserinfo,
  assertionOf,
  authorizeAs,
  headerOf,
  parties,
  postForm,
  verifiesWith,
} from '../../../testing/calls.ts';
import { type Answer, claimsOf, inner, openSetup, type Setup, text } from '../../../testing/setup.ts';
import type { DeepFault } from '../define.ts';

/** What an SP does, what it sees of a conforming carrier, and what of one with the fault. */
export type SequenceRow = readonly [
  sequence: (setup: Setup) => Promise<unknown>,
  right: unknown,
  wrong: unknown,
  options?: Partial<CarrierOptions>,
];

const open: Setup[] = [];

async function opened(options: Partial<CarrierOptions>): Promise<Setup> {
  const setup = await openSetup(options);
  open.push(setup);
  return setup;
}

/** Each fault is shown by its sequence, and by no plain request. */
export function testSequences(faults: readonly DeepFault[], rows: Readonly<Record<string, SequenceRow>>): void {
  afterEach(async () => {
    await Promise.all(open.splice(0).map((setup) => setup.close()));
  });
  test('every fault has a sequence, and a name of its own', () => {
    const names = faults.map(({ name }) => name);
    expect(Object.keys(rows).toSorted()).toEqual(names.toSorted());
    expect(listedFaults.map(({ name }) => name).filter((name) => names.includes(name))).toEqual([]);
  });
  describe.each(Object.entries(rows))('%s', (name, [sequence, right, wrong, options = {}]) => {
    test('a conforming carrier is right', async () => {
      expect(await sequence(await opened(options))).toEqual(right);
    });
    test('a carrier with the fault is wrong', async () => {
      expect(await sequence(await opened({ ...options, faults: [name] }))).toEqual(wrong);
    });
    test('the plain request works with it', async () => {
      await expectPlain(await opened({ faults: [name] }));
    });
  });
}

async function expectPlain(setup: Setup): Promise<void> {
  const answer = await setup.authorize({ correlation_id: 'plain-1' });
  expect([answer.status, answer.body['correlation_id'], answer.body['expires_in']]).toEqual([200, 'plain-1', 300]);
  const id = idOf(answer);
  expect(await cardOf(setup, id)).toMatchObject({ shown: true, context: 'Approve-order-4711', consentScreen: [] });
  await act(setup, id, 'approve');
  const [callback, ...others] = setup.callbacks;
  expect(others).toEqual([]);
  expect(callback?.headers.authorization?.startsWith('Bearer t')).toBe(true);
  const { body } = callback ?? { body: {} };
  expect(body).toMatchObject({ auth_req_id: id, correlation_id: 'plain-1', state: 'st-0001', scope: 'openid name' });
  expect(claimsOf(text(body, 'id_token'))).toMatchObject({ nonce: 'n-0001', sub: setup.sub('first') });
  expect((await askUserinfo(setup, text(body, 'access_token'))).status).toBe(200);
}

export const idOf = (answer: Answer): string => text(answer.body, 'auth_req_id');

/** A request that is accepted. */
export async function opening(setup: Setup, ask: Parameters<typeof authorizeAs>[1] = {}): Promise<string> {
  return idOf(await authorizeAs(setup, ask));
}

export async function act(setup: Setup, id: string, how: 'approve' | 'deny', body?: JsonObject): Promise<Answer> {
  const answer = await setup.admin('POST', `/requests/${id}/${how}`, body);
  await setup.settle();
  return answer;
}

/** Opens a request and lets the user act; the callback that comes of it. */
export async function acted(
  setup: Setup,
  how: 'approve' | 'deny',
  ask: Parameters<typeof authorizeAs>[1] = {},
): Promise<Setup['callbacks'][number]> {
  const before = setup.callbacks.length;
  await act(setup, await opening(setup, ask), how);
  const callback = setup.callbacks[before];
  if (callback === undefined) throw new Error('no callback came');
  return callback;
}

export async function stateOf(setup: Setup, id: string): Promise<string> {
  return text((await setup.admin('GET', `/requests/${id}`)).body, 'state');
}

export async function cardOf(setup: Setup, id: string): Promise<JsonObject> {
  return inner((await setup.admin('GET', `/requests/${id}`)).body, 'card');
}

export function cancel(setup: Setup, id: string): Promise<Answer> {
  return postForm(setup, '/cancel', { ...assertionOf(setup), auth_req_id: id });
}

export async function flags(setup: Setup, members: JsonObject, client: keyof typeof parties = 'main'): Promise<void> {
  await setup.admin('PUT', `/clients/${parties[client].id}/flags`, members);
}

export const idTokenOf = ({ body }: Setup['callbacks'][number]): JsonObject => claimsOf(text(body, 'id_token'));

/** Whom the push of a request reaches. */
export async function subscriberOf(setup: Setup, id: string): Promise<string> {
  return text((await setup.admin('GET', `/requests/${id}`)).body, 'subscriber');
}

/** Whether the key of its kid at jwks_uri verifies a token. */
export async function verifiesByKeySet(setup: Setup, token: string): Promise<boolean> {
  const { keys } = (await setup.send('GET', `${setup.carrier.origin}/jwks`)).body;
  const { kid } = headerOf(token);
  const key = isJsonList(keys) ? keys.filter(isJsonObject).find((one) => one['kid'] === kid) : undefined;
  return key !== undefined && verifiesWith(key, token);
}
