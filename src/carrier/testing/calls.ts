import { createHash, createPublicKey, verify } from 'node:crypto';
import { asText, type Json, type JsonObject } from '../json.ts';
import {
  type HttpAnswer,
  decodeClaims,
  type KeyName,
  type TestSetup,
  signText,
  textMember,
  uniqueText,
} from './setup.ts';

interface Party {
  readonly id: string;
  readonly key: KeyName;
  readonly kid: string;
  readonly redirectUri: string;
  readonly notify: string;
}

/** Clients of fixtures/reference that can do the whole flow. */
export const parties = {
  main: {
    id: 'ccid-conftestclient01',
    key: 'main',
    kid: 'conftestkey01',
    redirectUri: 'https://sp.test/cb',
    notify: '/si/notify',
  },
  second: {
    id: 'ccid-conftestclient02',
    key: 'second',
    kid: 'conftestkey02',
    redirectUri: 'https://second.test/cb',
    notify: '/second/notify',
  },
  privileged: {
    id: 'ccid-conftestclient04',
    key: 'privileged',
    kid: 'conftestkey04',
    redirectUri: 'https://sp.test/cb',
    notify: '/si/notify',
  },
} as const satisfies Record<string, Party>;
type PartyName = keyof typeof parties;

interface RequestCall {
  readonly client?: PartyName;
  readonly subscriber?: string;
  readonly scope?: string;
  readonly more?: Record<string, Json | undefined>;
}

export function authorizeAs(
  setup: TestSetup,
  { client = 'main', subscriber = 'first', scope = 'openid', more }: RequestCall,
): Promise<HttpAnswer> {
  const { id, key, redirectUri, notify } = parties[client];
  const claims = {
    client_id: id,
    login_hint: setup.sub(subscriber, client),
    redirect_uri: redirectUri,
    notification_uri: `${setup.receiver}${notify}`,
    scope,
    ...more,
  };
  return setup.authorize(claims, { key });
}

/** Tokens of an approved request. */
async function tokensFor(setup: TestSetup, ask: RequestCall): Promise<JsonObject> {
  const id = textMember((await authorizeAs(setup, ask)).body, 'auth_req_id');
  await setup.admin('POST', `/requests/${id}/approve`);
  await setup.settle();
  return setup.callbacks.at(-1)?.body ?? {};
}

export function askUserinfo(setup: TestSetup, token: string): Promise<HttpAnswer> {
  return setup.send('GET', `${setup.carrier.origin}/userinfo`, undefined, { authorization: `Bearer ${token}` });
}

/** Userinfo response on a subscriber for a client. */
export async function readUserinfo(setup: TestSetup, ask: RequestCall): Promise<JsonObject> {
  return (await askUserinfo(setup, textMember(await tokensFor(setup, ask), 'access_token'))).body;
}

interface TraitCall {
  readonly client?: PartyName;
  readonly subscriber?: string;
  readonly members?: Record<string, Json | undefined>;
  /** Key, header, claims and signed body of the proof; null: no proof. */
  readonly proof?: {
    key?: KeyName;
    kid?: string;
    claims?: Record<string, Json>;
    body?: string;
    header?: JsonObject;
  } | null;
  readonly token?: string;
  readonly contentType?: string;
  readonly form?: boolean;
}

/** A usertrait query with a header-signing proof. */
export function askTrait(setup: TestSetup, ask: TraitCall = {}): Promise<HttpAnswer> {
  const { client = 'main', subscriber = 'first', contentType = 'application/json' } = ask;
  const { id } = parties[client];
  const members: Record<string, Json | undefined> = {
    client_id: id,
    sub: setup.sub(subscriber, client),
    usertrait: 'sim_tenure',
    ...ask.members,
  };
  const body = ask.form === true ? formText(members) : JSON.stringify(members);
  const proof = ask.proof === null ? undefined : (ask.token ?? traitProof(setup, { ...ask, contentType }, body));
  return setup.send('POST', `${setup.carrier.origin}/v1/usertrait`, body, {
    'content-type': contentType,
    ...(proof === undefined ? {} : { 'x-authorization': proof }),
  });
}

function formText(members: Record<string, Json | undefined>): string {
  return new URLSearchParams(
    Object.fromEntries(Object.entries(members).map(([name, value]) => [name, asText(value)])),
  ).toString();
}

/** Header-signing proof over content type, path, method and body. */
function traitProof(setup: TestSetup, ask: TraitCall, body: string): string {
  const { client = 'main', proof, contentType = 'application/json' } = ask;
  const party: Party = parties[client];
  const values = `${contentType}/v1/usertraitPOST${proof?.body ?? body}`;
  const claims = {
    v: '1',
    ehts: 'Content-Type;uri;http-method;body',
    edts: createHash('sha256').update(values, 'utf8').digest('base64url'),
    jti: uniqueText(),
    iat: setup.now(),
    exp: setup.now() + 120,
    ...proof?.claims,
  };
  const header = { typ: 'JWT', alg: 'RS256', kid: proof?.kid ?? party.kid, ...proof?.header };
  return signText(JSON.stringify(header), JSON.stringify(claims), proof?.key ?? party.key);
}

/** Client assertion for the token and cancel endpoints, as parameters. */
export function clientAssertion(
  setup: TestSetup,
  client: PartyName = 'main',
  { claims: more = {}, key }: { readonly claims?: Record<string, Json>; readonly key?: KeyName } = {},
): Record<string, string> {
  const { id, kid, key: own } = parties[client];
  const claims = {
    iss: id,
    sub: id,
    aud: `${setup.carrier.origin}/token`,
    iat: setup.now(),
    exp: setup.now() + 60,
    jti: uniqueText(),
    ...more,
  };
  return {
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: signText(JSON.stringify({ typ: 'JWT', alg: 'RS256', kid }), JSON.stringify(claims), key ?? own),
  };
}

export function postForm(
  setup: TestSetup,
  path: string,
  members: Record<string, Json | undefined>,
): Promise<HttpAnswer> {
  return setup.send('POST', `${setup.carrier.origin}${path}`, formText(members), {
    'content-type': 'application/x-www-form-urlencoded',
  });
}

export async function codeFor(setup: TestSetup, client: PartyName = 'main', scope = 'openid'): Promise<string> {
  const body = { client_id: parties[client].id, subscriber: 'first', redirect_uri: parties[client].redirectUri, scope };
  return textMember((await setup.admin('POST', '/codes', body)).body, 'code');
}

/** Applies a change to a subscriber and waits until it settles. */
export async function changeSubscriber(
  setup: TestSetup,
  change: string,
  { subscriber = 'first', body = {} }: { readonly subscriber?: string; readonly body?: Json } = {},
): Promise<void> {
  await setup.admin('POST', `/subscribers/${subscriber}/${change}`, body);
  await setup.settle();
}

/** Claims of the received event tokens, of one client or of all. */
export function receivedSets(setup: TestSetup, client?: PartyName): JsonObject[] {
  const wanted = client === undefined ? undefined : parties[client].id;
  return setup.events
    .map(({ body }) => decodeClaims(textMember(body, 'set')))
    .filter(({ aud }) => wanted === undefined || aud === wanted);
}

export function jwtHeader(jwt: string): JsonObject {
  return decodeClaims(`.${jwt.split('.')[0] ?? ''}`);
}

export function verifiesRsa(jwk: JsonObject, token: string): boolean {
  const [head, payload, signature = ''] = token.split('.');
  const key = createPublicKey({ key: { ...jwk }, format: 'jwk' });
  return verify('RSA-SHA256', Buffer.from(`${head}.${payload}`), key, Buffer.from(signature, 'base64url'));
}
