import { expect, test } from 'vitest';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../../json.ts';
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
import {
  type Answer,
  type Callback,
  claimsOf,
  inner,
  type KeyName,
  openSetup,
  privateJwk,
  type Setup,
  signText,
  text,
} from '../../../testing/setup.ts';
import type { DeepFault } from '../../edit/define.ts';

export type Claims = Record<string, Json | undefined>;

/** Probe of a carrier, and its result without and with the fault. */
export type Row = readonly [
  probe: (setup: Setup) => Promise<unknown>,
  conforming: unknown,
  faulty: unknown,
  options?: Partial<CarrierOptions>,
];

type ClientName = keyof typeof parties | 'two-keys';

/** Client, subscriber and key of a request, and the user's decision. */
export interface How {
  readonly client?: ClientName;
  readonly subscriber?: string;
  readonly key?: KeyName;
  /** Overrides members of the header; undefined removes one. */
  readonly header?: Claims;
  /** Header fields, members beside `request`, and the query. */
  readonly fields?: Record<string, string>;
  readonly beside?: Record<string, Json>;
  readonly query?: string;
  readonly act?: 'approve' | 'deny';
  /** Scopes that the user ticks. */
  readonly ticked?: readonly string[];
}

const twoKeys = { ...parties.main, id: 'ccid-conftestclient03', key: 'rsa' } as const;

/** Claims of a plain request of this client, with changes. */
function claimsFor(setup: Setup, more: Claims = {}, { client = 'main', subscriber = 'first' }: How = {}) {
  const { id, redirectUri, notify } = client === 'two-keys' ? twoKeys : parties[client];
  return setup.claims({
    client_id: id,
    login_hint: setup.sub(subscriber, client),
    redirect_uri: redirectUri,
    notification_uri: `${setup.receiver}${notify}`,
    ...more,
  });
}

export function signed(setup: Setup, more: Claims = {}, how: How = {}): string {
  const { client = 'main', header } = how;
  const key = how.key ?? (client === 'two-keys' ? twoKeys.key : parties[client].key);
  const { kid = '', alg = '' } = privateJwk(key);
  return signText(
    JSON.stringify({ typ: 'JWT', alg, kid, ...header }),
    JSON.stringify(claimsFor(setup, more, how)),
    key,
  );
}

/** Sends a new request object. */
export function ask(setup: Setup, more: Claims = {}, how: How = {}): Promise<Answer> {
  return sendRaw(setup, JSON.stringify({ request: signed(setup, more, how), ...how.beside }), how);
}

/** Sends any body as JSON. */
export function sendRaw(setup: Setup, body: string | Buffer, { fields, query = '' }: How = {}): Promise<Answer> {
  const headers = { 'content-type': 'application/json', ...fields };
  return setup.send('POST', `${setup.carrier.origin}/bc-authorize${query}`, body, headers);
}

/** Request object with claims as text, which need not be writable as an object. */
export function signedText(claims: string): string {
  return signText(JSON.stringify({ typ: 'JWT', alg: 'RS256', kid: parties.main.kid }), claims, 'main');
}

/** JSON text of the claims of a plain request, with `more` before its end. */
export function claimsText(setup: Setup, more: string): string {
  return `${JSON.stringify(setup.claims()).slice(0, -1)},${more}}`;
}

export const status =
  (more: Claims, how: How = {}): Row[0] =>
  async (setup) =>
    (await ask(setup, more, how)).status;

/** Like status, with claims that depend on the setup. */
export const statusWith =
  (more: (setup: Setup) => Claims, how: How = {}): Row[0] =>
  async (setup) =>
    (await ask(setup, more(setup), how)).status;

/** Status and error code. */
export async function refusal(setup: Setup, more: Claims, how: How = {}): Promise<string> {
  const { status: code, body } = await ask(setup, more, how);
  return `${code} ${text(body, 'error')}`.trim();
}

interface Ended {
  readonly answer: Answer;
  /** Card before and after the user's decision. */
  readonly card: JsonObject;
  readonly cardAfter: JsonObject;
  readonly callback: Callback | undefined;
  readonly body: JsonObject;
  readonly idToken: JsonObject;
  readonly accessToken: JsonObject;
}

export async function cardOf(setup: Setup, id: string): Promise<JsonObject> {
  return inner((await setup.admin('GET', `/requests/${id}`)).body, 'card');
}

/** Last callback for the request that got this answer. */
export function callbackOf({ callbacks }: Setup, { body }: Answer): Callback | undefined {
  return callbacks.findLast((one) => one.body['auth_req_id'] === body['auth_req_id']);
}

/** Sends a request, lets the user decide, and returns the outcome. */
export async function ended(setup: Setup, more: Claims = {}, how: How = {}): Promise<Ended> {
  const answer = await ask(setup, more, how);
  const card = await cardOf(setup, idOf(answer));
  const body = how.ticked === undefined ? {} : { scopes: how.ticked };
  await setup.admin('POST', `/requests/${text(answer.body, 'auth_req_id')}/${how.act ?? 'approve'}`, body);
  await setup.settle();
  const callback = callbackOf(setup, answer);
  return {
    answer,
    card,
    cardAfter: await cardOf(setup, idOf(answer)),
    callback,
    body: callback?.body ?? {},
    idToken: claimsOf(text(callback?.body, 'id_token')),
    accessToken: claimsOf(text(callback?.body, 'access_token')),
  };
}

export async function hintToken(setup: Setup, more: Record<string, Json> = {}): Promise<string> {
  const body = { client_id: parties.main.id, subscriber: 'first', ...more };
  return text((await setup.admin('POST', '/login-hint-tokens', body)).body, 'login_hint_token');
}

/** Expects that a plain request is accepted, approved and called back correctly. */
async function expectHealthy(setup: Setup): Promise<void> {
  const { answer, card, callback, body, idToken } = await ended(setup, { correlation_id: 'plain-1', nonce: 'n-7' });
  expect(setup.callbacks).toHaveLength(1);
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ correlation_id: 'plain-1', expires_in: 300 });
  expect(card).toMatchObject({
    shown: true,
    context: 'Approve-order-4711',
    scopes: ['openid', 'name'],
    consentScreen: [],
  });
  expect(callback?.target).toBe('/si/notify');
  expect(callback?.headers.authorization).toMatch(/^Bearer t/);
  expect(body).toMatchObject({ correlation_id: 'plain-1', state: 'st-0001', scope: 'openid name', expires_in: 1800 });
  expect(idToken).toMatchObject({ nonce: 'n-7', context: 'Approve-order-4711', acr: 'a3', sub: setup.sub('first') });
  const profile = await askUserinfo(setup, text(body, 'access_token'));
  expect(profile.status).toBe(200);
  expect(Object.keys(profile.body).toSorted()).toEqual(['name', 'sub']);
}

async function withSetup<T>(options: Partial<CarrierOptions>, work: (setup: Setup) => Promise<T>): Promise<T> {
  const setup = await openSetup(options);
  try {
    return await work(setup);
  } finally {
    await setup.close();
  }
}

/** Tests that each fault shows in its row, and in no plain request. */
export function proveFaults(faults: readonly DeepFault[], rows: Readonly<Record<string, Row>>): void {
  test('each fault has a row', () => {
    expect(Object.keys(rows).toSorted()).toEqual(faults.map(({ name }) => name).toSorted());
  });
  test.each(Object.entries(rows))('%s', async (name, [probe, conforming, faulty, options = {}]) => {
    expect(await withSetup(options, probe), 'without the fault').toEqual(conforming);
    expect(await withSetup({ ...options, faults: [name] }, probe), 'with the fault').toEqual(faulty);
    await withSetup({ faults: [name] }, expectHealthy);
  });
}

export const idOf = (answer: Answer): string => text(answer.body, 'auth_req_id');

/** Sends a request and returns its auth_req_id. */
export async function opening(setup: Setup, ask: Parameters<typeof authorizeAs>[1] = {}): Promise<string> {
  return idOf(await authorizeAs(setup, ask));
}

export async function act(setup: Setup, id: string, how: 'approve' | 'deny', body?: JsonObject): Promise<Answer> {
  const answer = await setup.admin('POST', `/requests/${id}/${how}`, body);
  await setup.settle();
  return answer;
}

/** Opens a request, lets the user decide, and returns the callback. */
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

export function cancel(setup: Setup, id: string): Promise<Answer> {
  return postForm(setup, '/cancel', { ...assertionOf(setup), auth_req_id: id });
}

export async function flags(setup: Setup, members: JsonObject, client: keyof typeof parties = 'main'): Promise<void> {
  await setup.admin('PUT', `/clients/${parties[client].id}/flags`, members);
}

export const idTokenOf = ({ body }: Setup['callbacks'][number]): JsonObject => claimsOf(text(body, 'id_token'));

/** Name of the subscriber that a request is pushed to. */
export async function subscriberOf(setup: Setup, id: string): Promise<string> {
  return text((await setup.admin('GET', `/requests/${id}`)).body, 'subscriber');
}

/** Whether the key of a token's kid at jwks_uri verifies the token. */
export async function verifiesByKeySet(setup: Setup, token: string): Promise<boolean> {
  const { keys } = (await setup.send('GET', `${setup.carrier.origin}/jwks`)).body;
  const { kid } = headerOf(token);
  const key = isJsonList(keys) ? keys.filter(isJsonObject).find((one) => one['kid'] === kid) : undefined;
  return key !== undefined && verifiesWith(key, token);
}
