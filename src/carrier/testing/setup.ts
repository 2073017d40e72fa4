import { createPrivateKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { request } from 'undici';
import { createCarrier, type RunningCarrier } from '../create-carrier.ts';
import { isJsonObject, type Json, type JsonObject, stringMember } from '../json.ts';
import type { CarrierOptions } from '../options.ts';
import type { Edit } from '../seams/edit.ts';

const fixtures = new URL('../../../fixtures/reference/', import.meta.url);
export const carrierStart = Date.UTC(2026, 0, 1);

function readJson(name: string, receiver = ''): JsonObject {
  const text = readFileSync(new URL(name, fixtures), 'utf8').replaceAll(/\$\{RECEIVER\}/g, receiver);
  const value: unknown = JSON.parse(text);
  if (!isJsonObject(value)) throw new Error(`${name} is not an object`);
  return value;
}

/** The registrations of fixtures/reference with the receiver's origin in place. */
export const readRegistrations = (receiver: string): JsonObject => readJson('registrations.json', receiver);

const keyFiles = {
  main: 'main-conftestkey01',
  second: 'second-conftestkey02',
  rsa: 'two-keys-conftestkey03AaaaBbbbCcccDdddEeee001',
  ec: 'two-keys-b',
  privileged: 'privileged-conftestkey04',
  plain: 'plain-conftestkey05',
  disabled: 'disabled-conftestkey07',
} as const;
export type KeyName = keyof typeof keyFiles;

const keys = new Map<string, JsonObject>();
export function privateJwk(name: KeyName): JsonObject {
  const known = keys.get(name) ?? readJson(`keys/${keyFiles[name]}.json`);
  keys.set(name, known);
  return known;
}

const encode = (value: string): string => Buffer.from(value, 'utf8').toString('base64url');

/** Compact JWS over raw texts, so that a test can write what an object cannot express. */
export function signText(header: string, claims: string, key: KeyName): string {
  const input = `${encode(header)}.${encode(claims)}`;
  const jwk = privateJwk(key);
  const privateKey = createPrivateKey({ key: { ...jwk }, format: 'jwk' });
  const signature =
    jwk['kty'] === 'RSA'
      ? sign('RSA-SHA256', Buffer.from(input), privateKey)
      : sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
}

export interface Callback {
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: JsonObject;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: JsonObject;
}

export interface TestSetup {
  readonly carrier: RunningCarrier;
  readonly registrations: JsonObject;
  readonly callbacks: Callback[];
  /** Events received (§4.8), and the receiver's replies to them. */
  readonly events: Callback[];
  readonly eventReplies: TestSetup['replies'];
  /** Replies of the receiver, in turn; the last one repeats. */
  readonly replies: { status: number; headers?: Record<string, string>; hold?: boolean }[];
  readonly receiver: string;
  sub(subscriber: string, client?: string): string;
  now(): number;
  claims(more?: Record<string, Json | undefined>): Record<string, Json>;
  sign(claims: Record<string, Json>, options?: { key?: KeyName; header?: Record<string, Json> }): string;
  send(method: string, url: string, body?: string | Buffer, headers?: Record<string, string>): Promise<HttpAnswer>;
  post(body: Json, headers?: Record<string, string>): Promise<HttpAnswer>;
  /** Signs the base claims with these differences and posts them. */
  authorize(
    more?: Record<string, Json | undefined>,
    options?: { key?: KeyName; header?: Record<string, Json> },
  ): Promise<HttpAnswer>;
  admin(method: string, path: string, body?: Json): Promise<HttpAnswer>;
  /** Waits until nothing is in flight. */
  settle(): Promise<void>;
  /** Moves the clock by this many seconds and waits until the carrier settles. */
  move(seconds: number): Promise<void>;
  close(): Promise<void>;
}

let count = 0;
export const uniqueText = (): string => `t${Date.now().toString(36)}${(count++).toString(36)}`;

/** Opens a carrier, a receiver for its callbacks and an SP that signs. */
export async function openSetup(options: Partial<CarrierOptions> = {}, alter?: Edit): Promise<TestSetup> {
  const callbacks: Callback[] = [];
  const replies: TestSetup['replies'] = [];
  const events: Callback[] = [];
  const eventReplies: TestSetup['replies'] = [];
  const server = openReceiver((target) =>
    target.endsWith('/events') ? { kept: events, answers: eventReplies } : { kept: callbacks, answers: replies },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const receiver = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  const registrations = readRegistrations(receiver);
  const carrier = await createCarrier({ registrations, clock: 'virtual', startAt: carrierStart, ...options }, alter);

  const setup: TestSetup = {
    carrier,
    registrations,
    callbacks,
    events,
    eventReplies,
    replies,
    receiver,
    sub: (subscriber, client = 'main') => findSub(registrations, subscriber, client),
    now: () => Math.floor(clockNow / 1000),
    claims: (more = {}) => baseClaims(setup, more),
    sign: (claims, { key = 'main', header } = {}) => {
      const { kid = '', alg = '' } = privateJwk(key);
      return signText(JSON.stringify({ typ: 'JWT', alg, kid, ...header }), JSON.stringify(claims), key);
    },
    send: exchange,
    post: (body, headers) =>
      exchange('POST', `${carrier.origin}/bc-authorize`, JSON.stringify(body), {
        'content-type': 'application/json',
        ...headers,
      }),
    authorize: (more, signing) => setup.post({ request: setup.sign(setup.claims(more), signing) }),
    admin: (method, path, body) =>
      exchange(
        method,
        `${carrier.adminOrigin}${path}`,
        body === undefined ? undefined : JSON.stringify(body),
        body === undefined ? {} : { 'content-type': 'application/json' },
      ),
    async settle() {
      for (;;) {
        const { body } = await setup.admin('GET', '/clock');
        clockNow = Number(body['now']);
        if (body['inFlight'] === 0) return;
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    },
    async move(by) {
      await setup.admin('POST', '/clock', { to: clockNow + by * 1000 });
      await setup.settle();
    },
    async close() {
      await carrier.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  let clockNow = options.startAt ?? (options.clock === 'real' ? Date.now() : carrierStart);
  return setup;
}

type ReceiverBox = (target: string) => { readonly kept: Callback[]; readonly answers: TestSetup['replies'] };

function openReceiver(boxOf: ReceiverBox): Server {
  return createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}');
      const target = incoming.url ?? '';
      const { kept, answers } = boxOf(target);
      kept.push({ target, headers: incoming.headers, body: isJsonObject(body) ? body : {} });
      const reply = (answers.length > 1 ? answers.shift() : answers[0]) ?? { status: 200 };
      if (reply.hold !== true) outgoing.writeHead(reply.status, reply.headers).end();
    });
  });
}

function findSub(registrations: JsonObject, subscriber: string, client: string): string {
  const list = registrations['subscribers'];
  const entries: readonly unknown[] = Array.isArray(list) ? list : [];
  const entry = entries.find((one) => isJsonObject(one) && one['name'] === subscriber);
  const subs = isJsonObject(entry) ? entry['subs'] : undefined;
  return isJsonObject(subs) ? (stringMember(subs, client) ?? '') : '';
}

function baseClaims(setup: TestSetup, more: Record<string, Json | undefined>): Record<string, Json> {
  const clientId = typeof more['client_id'] === 'string' ? more['client_id'] : 'ccid-conftestclient01';
  const base: Record<string, Json | undefined> = {
    iss: clientId,
    sub: clientId,
    client_id: clientId,
    aud: setup.carrier.origin,
    iat: setup.now(),
    exp: setup.now() + 240,
    jti: uniqueText(),
    expires_in: 300,
    response_type: 'async_token',
    redirect_uri: 'https://sp.test/cb',
    notification_uri: `${setup.receiver}/si/notify`,
    client_notification_token: uniqueText(),
    scope: 'openid name',
    state: 'st-0001',
    nonce: 'n-0001',
    login_hint: setup.sub('first'),
    context: 'Approve-order-4711',
    correlation_id: uniqueText(),
    ...more,
  };
  const claims: Record<string, Json> = {};
  for (const [name, value] of Object.entries(base)) if (value !== undefined) claims[name] = value;
  return claims;
}

async function exchange(
  method: string,
  url: string,
  body?: string | Buffer,
  headers: Record<string, string> = {},
): Promise<HttpAnswer> {
  const answer = await request(url, { method, headers, ...(body === undefined ? {} : { body }) });
  const text = await answer.body.text();
  return { status: answer.statusCode, headers: answer.headers, text, body: parseBody(text) };
}

function parseBody(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Returns the member as text; empty if it is not a string. */
export function textMember(object: JsonObject | undefined, name: string): string {
  return object === undefined ? '' : (stringMember(object, name) ?? '');
}

/** Returns the member as an object; empty if it is not one. */
export function objectMember(object: JsonObject | undefined, name: string): JsonObject {
  const value = object?.[name];
  return isJsonObject(value) ? value : {};
}

/** Claims of a JWT, without verification. */
export function decodeClaims(jwt: string): JsonObject {
  return parseBody(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString('utf8'));
}
