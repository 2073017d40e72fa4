import { createHash, createPublicKey, verify } from 'node:crypto';
import { asText, type Json, type JsonObject } from '../json.ts';
import { type Answer, type Callback, claimsOf, type KeyName, type Setup, signText, text, unique } from './setup.ts';

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

interface Ask {
  readonly client?: PartyName;
  readonly subscriber?: string;
  readonly scope?: string;
  readonly more?: Record<string, Json | undefined>;
}

export function authorizeAs(
  setup: Setup,
  { client = 'main', subscriber = 'first', scope = 'openid', more }: Ask,
): Promise<Answer> {
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
export async function tokensFor(setup: Setup, ask: Ask): Promise<JsonObject> {
  const id = text((await authorizeAs(setup, ask)).body, 'auth_req_id');
  await setup.admin('POST', `/requests/${id}/approve`);
  await setup.settle();
  return setup.callbacks.at(-1)?.body ?? {};
}

export function askUserinfo(setup: Setup, token: string): Promise<Answer> {
  return setup.send('GET', `${setup.carrier.origin}/userinfo`, undefined, { authorization: `Bearer ${token}` });
}

/** Userinfo response on a subscriber for a client. */
export async function userinfoOf(setup: Setup, ask: Ask): Promise<JsonObject> {
  return (await askUserinfo(setup, text(await tokensFor(setup, ask), 'access_token'))).body;
}

interface TraitAsk {
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
export function askTrait(setup: Setup, ask: TraitAsk = {}): Promise<Answer> {
  const { client = 'main', subscriber = 'first', contentType = 'application/json' } = ask;
  const { id } = parties[client];
  const members: Record<string, Json | undefined> = {
    client_id: id,
    sub: setup.sub(subscriber, client),
    usertrait: 'sim_tenure',
    ...ask.members,
  };
  const body = ask.form === true ? formOf(members) : JSON.stringify(members);
  const proof = ask.proof === null ? undefined : (ask.token ?? traitProof(setup, { ...ask, contentType }, body));
  return setup.send('POST', `${setup.carrier.origin}/v1/usertrait`, body, {
    'content-type': contentType,
    ...(proof === undefined ? {} : { 'x-authorization': proof }),
  });
}

function formOf(members: Record<string, Json | undefined>): string {
  return new URLSearchParams(
    Object.fromEntries(Object.entries(members).map(([name, value]) => [name, asText(value)])),
  ).toString();
}

/** Header-signing proof over content type, path, method and body. */
export function traitProof(setup: Setup, ask: TraitAsk, body: string): string {
  const { client = 'main', proof, contentType = 'application/json' } = ask;
  const party: Party = parties[client];
  const values = `${contentType}/v1/usertraitPOST${proof?.body ?? body}`;
  const claims = {
    v: '1',
    ehts: 'Content-Type;uri;http-method;body',
    edts: createHash('sha256').update(values, 'utf8').digest('base64url'),
    jti: unique(),
    iat: setup.now(),
    exp: setup.now() + 120,
    ...proof?.claims,
  };
  const header = { typ: 'JWT', alg: 'RS256', kid: proof?.kid ?? party.kid, ...proof?.header };
  return signText(JSON.stringify(header), JSON.stringify(claims), proof?.key ?? party.key);
}

/** Client assertion for the token and cancel endpoints, as parameters. */
export function assertionOf(
  setup: Setup,
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
    jti: unique(),
    ...more,
  };
  return {
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: signText(JSON.stringify({ typ: 'JWT', alg: 'RS256', kid }), JSON.stringify(claims), key ?? own),
  };
}

export function postForm(setup: Setup, path: string, members: Record<string, Json | undefined>): Promise<Answer> {
  return setup.send('POST', `${setup.carrier.origin}${path}`, formOf(members), {
    'content-type': 'application/x-www-form-urlencoded',
  });
}

export async function codeFor(setup: Setup, client: PartyName = 'main', scope = 'openid'): Promise<string> {
  const body = { client_id: parties[client].id, subscriber: 'first', redirect_uri: parties[client].redirectUri, scope };
  return text((await setup.admin('POST', '/codes', body)).body, 'code');
}

/** Applies a change to a subscriber and waits until it settles. */
export async function happen(
  setup: Setup,
  change: string,
  { subscriber = 'first', body = {} }: { readonly subscriber?: string; readonly body?: Json } = {},
): Promise<void> {
  await setup.admin('POST', `/subscribers/${subscriber}/${change}`, body);
  await setup.settle();
}

/** Claims of the received event tokens, of one client or of all. */
export function setsOf(setup: Setup, client?: PartyName): JsonObject[] {
  const wanted = client === undefined ? undefined : parties[client].id;
  return setup.events
    .map(({ body }) => claimsOf(text(body, 'set')))
    .filter(({ aud }) => wanted === undefined || aud === wanted);
}

export function headerOf(jwt: string): JsonObject {
  return claimsOf(`.${jwt.split('.')[0] ?? ''}`);
}

export const targetsOf = (received: readonly Callback[]): string[] => received.map(({ target }) => target).toSorted();

export function verifiesWith(jwk: JsonObject, token: string): boolean {
  const [head, payload, signature = ''] = token.split('.');
  const key = createPublicKey({ key: { ...jwk }, format: 'jwk' });
  return verify('RSA-SHA256', Buffer.from(`${head}.${payload}`), key, Buffer.from(signature, 'base64url'));
}
