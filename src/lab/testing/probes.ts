import { expect, test } from 'vitest';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../carrier/json.ts';
import type { AlteredCarrierOptions } from '../reference/altered-carrier.ts';
import { openAlteredSetup } from './altered-setup.ts';
import {
  askUserinfo,
  clientAssertion,
  authorizeAs,
  jwtHeader,
  parties,
  postForm,
  verifiesRsa,
} from '../../carrier/testing/calls.ts';
import {
  type HttpAnswer,
  type Callback,
  decodeClaims,
  objectMember,
  type KeyName,
  privateJwk,
  type TestSetup,
  signText,
  textMember,
} from '../../carrier/testing/setup.ts';
import type { DeepFault } from '../edit/fault-table.ts';

export type ClaimChanges = Record<string, Json | undefined>;

/** Probe of a carrier, and its result without and with the fault. */
export type ProbeRow = readonly [
  probe: (setup: TestSetup) => Promise<unknown>,
  conforming: unknown,
  faulty: unknown,
  options?: Partial<AlteredCarrierOptions>,
];

type ClientName = keyof typeof parties | 'two-keys';

/** Client, subscriber and key of a request, and the user's decision. */
export interface ProbeOptions {
  readonly client?: ClientName;
  readonly subscriber?: string;
  readonly key?: KeyName;
  /** Overrides members of the header; undefined removes one. */
  readonly header?: ClaimChanges;
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
function claimsFor(
  setup: TestSetup,
  more: ClaimChanges = {},
  { client = 'main', subscriber = 'first' }: ProbeOptions = {},
) {
  const { id, redirectUri, notify } = client === 'two-keys' ? twoKeys : parties[client];
  return setup.claims({
    client_id: id,
    login_hint: setup.sub(subscriber, client),
    redirect_uri: redirectUri,
    notification_uri: `${setup.receiver}${notify}`,
    ...more,
  });
}

export function signProbe(setup: TestSetup, more: ClaimChanges = {}, how: ProbeOptions = {}): string {
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
export function postProbe(setup: TestSetup, more: ClaimChanges = {}, how: ProbeOptions = {}): Promise<HttpAnswer> {
  return sendRaw(setup, JSON.stringify({ request: signProbe(setup, more, how), ...how.beside }), how);
}

/** Sends any body as JSON. */
export function sendRaw(
  setup: TestSetup,
  body: string | Buffer,
  { fields, query = '' }: ProbeOptions = {},
): Promise<HttpAnswer> {
  const headers = { 'content-type': 'application/json', ...fields };
  return setup.send('POST', `${setup.carrier.origin}/bc-authorize${query}`, body, headers);
}

/** Request object with claims as text, which need not be writable as an object. */
export function signClaimsText(claims: string): string {
  return signText(JSON.stringify({ typ: 'JWT', alg: 'RS256', kid: parties.main.kid }), claims, 'main');
}

/** JSON text of the claims of a plain request, with `more` before its end. */
export function claimsText(setup: TestSetup, more: string): string {
  return `${JSON.stringify(setup.claims()).slice(0, -1)},${more}}`;
}

export const status =
  (more: ClaimChanges, how: ProbeOptions = {}): ProbeRow[0] =>
  async (setup) =>
    (await postProbe(setup, more, how)).status;

/** Like status, with claims that depend on the setup. */
export const statusWith =
  (more: (setup: TestSetup) => ClaimChanges, how: ProbeOptions = {}): ProbeRow[0] =>
  async (setup) =>
    (await postProbe(setup, more(setup), how)).status;

/** Status and error code. */
export async function refusal(setup: TestSetup, more: ClaimChanges, how: ProbeOptions = {}): Promise<string> {
  const { status: code, body } = await postProbe(setup, more, how);
  return `${code} ${textMember(body, 'error')}`.trim();
}

interface DecidedRequest {
  readonly answer: HttpAnswer;
  /** Card before and after the user's decision. */
  readonly card: JsonObject;
  readonly cardAfter: JsonObject;
  readonly callback: Callback | undefined;
  readonly body: JsonObject;
  readonly idToken: JsonObject;
  readonly accessToken: JsonObject;
}

export async function readCard(setup: TestSetup, id: string): Promise<JsonObject> {
  return objectMember((await setup.admin('GET', `/requests/${id}`)).body, 'card');
}

/** Last callback for the request that got this answer. */
export function findCallback({ callbacks }: TestSetup, { body }: HttpAnswer): Callback | undefined {
  return callbacks.findLast((one) => one.body['auth_req_id'] === body['auth_req_id']);
}

/** Sends a request, lets the user decide, and returns the outcome. */
export async function decideRequest(
  setup: TestSetup,
  more: ClaimChanges = {},
  how: ProbeOptions = {},
): Promise<DecidedRequest> {
  const answer = await postProbe(setup, more, how);
  const card = await readCard(setup, authReqId(answer));
  const body = how.ticked === undefined ? {} : { scopes: how.ticked };
  await setup.admin('POST', `/requests/${textMember(answer.body, 'auth_req_id')}/${how.act ?? 'approve'}`, body);
  await setup.settle();
  const callback = findCallback(setup, answer);
  return {
    answer,
    card,
    cardAfter: await readCard(setup, authReqId(answer)),
    callback,
    body: callback?.body ?? {},
    idToken: decodeClaims(textMember(callback?.body, 'id_token')),
    accessToken: decodeClaims(textMember(callback?.body, 'access_token')),
  };
}

export async function hintToken(setup: TestSetup, more: Record<string, Json> = {}): Promise<string> {
  const body = { client_id: parties.main.id, subscriber: 'first', ...more };
  return textMember((await setup.admin('POST', '/login-hint-tokens', body)).body, 'login_hint_token');
}

/** Expects that a plain request is accepted, approved and called back correctly. */
async function expectHealthy(setup: TestSetup): Promise<void> {
  const { answer, card, callback, body, idToken } = await decideRequest(setup, {
    correlation_id: 'plain-1',
    nonce: 'n-7',
  });
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
  const profile = await askUserinfo(setup, textMember(body, 'access_token'));
  expect(profile.status).toBe(200);
  expect(Object.keys(profile.body).toSorted()).toEqual(['name', 'sub']);
}

async function withSetup<T>(
  options: Partial<AlteredCarrierOptions>,
  work: (setup: TestSetup) => Promise<T>,
): Promise<T> {
  const setup = await openAlteredSetup(options);
  try {
    return await work(setup);
  } finally {
    await setup.close();
  }
}

/** Tests that each fault shows in its row, and in no plain request. */
export function proveFaults(faults: readonly DeepFault[], rows: Readonly<Record<string, ProbeRow>>): void {
  test('each fault has a row', () => {
    expect(Object.keys(rows).toSorted()).toEqual(faults.map(({ name }) => name).toSorted());
  });
  test.each(Object.entries(rows))('%s', async (name, [probe, conforming, faulty, options = {}]) => {
    expect(await withSetup(options, probe), 'without the fault').toEqual(conforming);
    expect(await withSetup({ ...options, faults: [name] }, probe), 'with the fault').toEqual(faulty);
    await withSetup({ faults: [name] }, expectHealthy);
  });
}

export const authReqId = (answer: HttpAnswer): string => textMember(answer.body, 'auth_req_id');

/** Sends a request and returns its auth_req_id. */
export async function openAccepted(setup: TestSetup, ask: Parameters<typeof authorizeAs>[1] = {}): Promise<string> {
  return authReqId(await authorizeAs(setup, ask));
}

export async function actOn(
  setup: TestSetup,
  id: string,
  how: 'approve' | 'deny',
  body?: JsonObject,
): Promise<HttpAnswer> {
  const answer = await setup.admin('POST', `/requests/${id}/${how}`, body);
  await setup.settle();
  return answer;
}

/** Opens a request, lets the user decide, and returns the callback. */
export async function openAndDecide(
  setup: TestSetup,
  how: 'approve' | 'deny',
  ask: Parameters<typeof authorizeAs>[1] = {},
): Promise<TestSetup['callbacks'][number]> {
  const before = setup.callbacks.length;
  await actOn(setup, await openAccepted(setup, ask), how);
  const callback = setup.callbacks[before];
  if (callback === undefined) throw new Error('no callback came');
  return callback;
}

export async function readRequestState(setup: TestSetup, id: string): Promise<string> {
  return textMember((await setup.admin('GET', `/requests/${id}`)).body, 'state');
}

export function postCancel(setup: TestSetup, id: string): Promise<HttpAnswer> {
  return postForm(setup, '/cancel', { ...clientAssertion(setup), auth_req_id: id });
}

export async function setFlags(
  setup: TestSetup,
  members: JsonObject,
  client: keyof typeof parties = 'main',
): Promise<void> {
  await setup.admin('PUT', `/clients/${parties[client].id}/flags`, members);
}

export const callbackIdToken = ({ body }: TestSetup['callbacks'][number]): JsonObject =>
  decodeClaims(textMember(body, 'id_token'));

/** Name of the subscriber that a request is pushed to. */
export async function readSubscriberName(setup: TestSetup, id: string): Promise<string> {
  return textMember((await setup.admin('GET', `/requests/${id}`)).body, 'subscriber');
}

/** Whether the key of a token's kid at jwks_uri verifies the token. */
export async function verifiesByKeySet(setup: TestSetup, token: string): Promise<boolean> {
  const { keys } = (await setup.send('GET', `${setup.carrier.origin}/jwks`)).body;
  const { kid } = jwtHeader(token);
  const key = isJsonList(keys) ? keys.filter(isJsonObject).find((one) => one['kid'] === kid) : undefined;
  return key !== undefined && verifiesRsa(key, token);
}
