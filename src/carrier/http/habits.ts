import { Readable } from 'node:stream';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { isJsonList, isJsonObject, type Json } from '../json.ts';
import type { CarrierClock } from '../state/clock.ts';

/** Ways to write the same JSON: white space, order of members and escapes do not matter (RFC 8259). */
type JsonStyle = 'plain' | 'pretty' | 'sorted' | 'reversed' | 'escaped';

function orderMembers(value: Json, order: (names: readonly string[]) => readonly string[]): Json {
  if (isJsonList(value)) return value.map((item) => orderMembers(item, order));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(order(Object.keys(value)).map((name) => [name, orderMembers(value[name] ?? null, order)]));
}

const styles: Readonly<Record<JsonStyle, (value: Json) => string>> = {
  plain: (value) => JSON.stringify(value),
  pretty: (value) => `${JSON.stringify(value, null, 2)}\n`,
  sorted: (value) => JSON.stringify(orderMembers(value, (names) => names.toSorted())),
  reversed: (value) => JSON.stringify(orderMembers(value, (names) => names.toReversed())),
  escaped: (value) =>
    JSON.stringify(value)
      .replaceAll('/', String.raw`\/`)
      .replaceAll(/[\u0080-\uffff]/g, (unit) => String.raw`\u` + unit.charCodeAt(0).toString(16).padStart(4, '0')),
};

export const writeJson = (value: Json, style: JsonStyle): string => styles[style](value);

/** Rewrites JSON in a style; returns any other text unchanged. */
function restyleJson(text: string, style: JsonStyle): string {
  if (style === 'plain') return text;
  try {
    // JSON.parse returns Json by definition.
    return writeJson(JSON.parse(text) as Json, style);
  } catch {
    return text;
  }
}

/** HTTP behaviour of a carrier that leaves its messages the same; the first value of each habit is the default. */
export interface ServerHabits {
  /** Keeps connections, closes each, or closes those idle for some milliseconds. */
  readonly connection?: 'keep' | 'close' | 'short';
  /** RFC 9110 §6.6.1: `slow` changes every five seconds, `wrong` is four days off, `moving` is off by hours. */
  readonly date?: 'right' | 'missing' | 'ahead' | 'behind' | 'slow' | 'wrong' | 'epoch' | 'end' | 'garbage' | 'moving';
  /** RFC 9110 §5.1: the case of field names does not matter. */
  readonly headerNames?: 'lower' | 'title' | 'upper';
  /** Form of the body of a 404. */
  readonly notFound?: 'json' | 'html' | 'text' | 'empty';
  readonly json?: JsonStyle;
  /** RFC 8259 §11: charset has no meaning for JSON. */
  readonly charset?: 'spaced' | 'tight' | 'upper' | 'none';
  readonly more?: 'none' | 'security' | 'gateway' | 'cookies';
  /** RFC 9112 §6: Content-Length, or chunks. */
  readonly length?: 'counted' | 'chunked';
  /** RFC 9110 §12.5.3: a request without Accept-Encoding leaves the coding open. */
  readonly coding?: 'none' | 'gzip' | 'br' | 'deflate';
}

const dateHabits: Readonly<Record<NonNullable<ServerHabits['date']>, (now: number) => number | undefined>> = {
  right: (now) => now,
  missing: () => undefined,
  ahead: (now) => now + 2000,
  behind: (now) => now - 2000,
  slow: (now) => now - (now % 5000),
  wrong: (now) => now - 4 * 86_400_000,
  epoch: () => 0,
  end: () => Date.UTC(9999, 11, 31, 23, 59, 59),
  garbage: () => Number.NaN,
  moving: (now) => now + ((Math.floor(now / 1000) % 7) - 3) * 3_600_000,
};

const headerCases: Readonly<Record<NonNullable<ServerHabits['headerNames']>, (name: string) => string>> = {
  lower: (name) => name,
  title: (name) =>
    name.replaceAll(/(^|-)([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase()),
  upper: (name) => name.toUpperCase(),
};

const jsonTypes: Readonly<Record<NonNullable<ServerHabits['charset']>, string>> = {
  spaced: 'application/json; charset=utf-8',
  tight: 'application/json;charset=utf-8',
  upper: 'application/json; charset=UTF-8',
  none: 'application/json',
};

type Headers = Readonly<Record<string, string>>;

const furtherHeaders: Readonly<Record<NonNullable<ServerHabits['more']>, Headers>> = {
  none: {},
  security: {
    'strict-transport-security': 'max-age=63072000',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
  },
  cookies: { 'set-cookie': 'lb=9f1c; Path=/; HttpOnly; SameSite=Lax' },
  gateway: { via: '1.1 gateway', server: 'gateway/2.4', 'x-gateway-trace': '7f3a', vary: 'Accept-Encoding' },
};

/** Milliseconds after which an idle connection is closed. */
const idleTimeout = 30;

export function writeHeaders(headers: Headers, { headerNames = 'lower', more = 'none' }: ServerHabits): Headers {
  const all = Object.entries({ ...furtherHeaders[more], ...headers });
  return Object.fromEntries(all.map(([name, value]) => [headerCases[headerNames](name), value]));
}

/** Writes header names in this case, however they are set. */
function recase({ raw }: FastifyReply, written: (name: string) => string): void {
  const set = raw.setHeader.bind(raw);
  raw.setHeader = (name, value) => set(written(name), value);
}

export function applyTextHabits(app: FastifyInstance, habits: ServerHabits, clock: CarrierClock): void {
  const { connection = 'keep', date = 'right', headerNames = 'lower', more = 'none' } = habits;
  if (connection === 'short') app.server.keepAliveTimeout = idleTimeout;
  app.addHook('onRequest', (_request, reply, done) => {
    const shown = dateHabits[date](clock.now());
    if (shown === undefined) reply.removeHeader('date');
    else reply.header('date', new Date(shown).toUTCString());
    if (connection === 'close') reply.header('connection', 'close');
    reply.headers(furtherHeaders[more]);
    if (headerNames !== 'lower') recase(reply, headerCases[headerNames]);
    done();
  });
  app.addHook('onSend', (_request, reply, payload: unknown) =>
    Promise.resolve(typeof payload === 'string' ? rewriteJson(reply, payload, habits) : payload),
  );
  takeNotFound(app, habits);
}

function rewriteJson(reply: FastifyReply, text: string, { json = 'plain', charset = 'spaced' }: ServerHabits): string {
  if (String(reply.getHeader('content-type')) !== jsonTypes.spaced) return text;
  reply.header('content-type', jsonTypes[charset]);
  return restyleJson(text, json);
}

const codings: Readonly<Record<NonNullable<ServerHabits['coding']>, (bytes: Buffer) => Buffer>> = {
  none: (bytes) => bytes,
  gzip: (bytes) => gzipSync(bytes),
  br: (bytes) => brotliCompressSync(bytes),
  deflate: (bytes) => deflateSync(bytes),
};

/** Sends the bytes of a response by these habits; registered after the hook that encodes the text. */
export function applyByteHabits(app: FastifyInstance, habits: ServerHabits): void {
  const { length = 'counted', headerNames = 'lower', coding = 'none' } = habits;
  app.addHook('onSend', (_request, reply, payload: unknown) => {
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return Promise.resolve(payload);
    const plain = Buffer.from(payload);
    const isCoded = coding !== 'none' && plain.length > 0 && reply.getHeader('content-encoding') === undefined;
    const bytes = isCoded ? codings[coding](plain) : plain;
    if (isCoded) reply.header('content-encoding', coding);
    // A stream is written through setHeader, where `recase` renames headers; its length is unknown.
    if (length !== 'chunked' && headerNames === 'lower') return Promise.resolve(bytes);
    if (length === 'counted') reply.header('content-length', bytes.length);
    return Promise.resolve(Readable.from([bytes]));
  });
}

const notFoundPage = '<!doctype html><html lang="en"><title>404</title><h1>Not found</h1></html>';

function takeNotFound(app: FastifyInstance, { notFound = 'json' }: ServerHabits): void {
  if (notFound === 'json') return;
  const type = { html: 'text/html; charset=utf-8', text: 'text/plain; charset=utf-8', empty: undefined }[notFound];
  const body = { html: notFoundPage, text: 'Not found', empty: '' }[notFound];
  app.setNotFoundHandler((_request, reply) => {
    if (type !== undefined) reply.type(type);
    return reply.code(404).send(body);
  });
}
