import { readFileSync } from 'node:fs';
import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { packageFile } from '../../lib/package-file.ts';
import type { FloodTarget } from './lanes.ts';

type Bytes = Buffer | string;

/** A request as sent on the wire; `turn` counts the flood's requests. */
type Request = (place: FloodTarget, turn: number) => Bytes;

const json = 'Content-Type: application/json';

function buildBytes(line: string, lines: readonly string[], body: Bytes = ''): Buffer {
  const head = [line, 'Host: sp.test', ...lines, `Content-Length: ${Buffer.byteLength(body)}`, '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body)]);
}

const post = ({ path }: Pick<FloodTarget, 'path'>, body: Bytes, ...lines: readonly string[]): Buffer =>
  buildBytes(`POST ${path} HTTP/1.1`, [json, ...lines], body);

const bodyless =
  (method: string): Request =>
  ({ path }) =>
    buildBytes(`${method} ${path} HTTP/1.1`, []);

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

type Claims = Readonly<Record<string, unknown>>;

/** Claims of a security event token in which only the signature is wrong. */
const tokenClaims = ({ issuer, clientId }: FloodTarget, turn: number): Claims => ({
  iss: issuer,
  aud: clientId,
  iat: Math.floor(Date.now() / 1000),
  jti: `stranger-${turn}`,
  events: turn % 2 === 0 ? ['device_change'] : ['consent_revoked'],
});

const tokenHeader = (alg: string) => ({ typ: 'set+jwt', alg, kid: 'carrierkey01' });

function signed(claims: Claims): string {
  const input = `${part(tokenHeader('RS256'))}.${part(claims)}`;
  return `${input}.${sign('sha256', Buffer.from(input), privateKey).toString('base64url')}`;
}

const unsigned = (claims: Claims, alg = 'none', signature = ''): string =>
  `${part(tokenHeader(alg))}.${part(claims)}.${signature}`;

const setBody = (jws: string): string => JSON.stringify({ set: jws });

const digits = (count: number): string => randomBytes(count).toString('hex').slice(0, count);

const tokens = (turn: number): Claims => ({
  access_token: `stranger-${turn}-${digits(20)}`,
  token_type: 'Bearer',
  expires_in: 1800,
  scope: 'openid',
});

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

const megabyte = 1024 * 1024;
const zeros = once(() => Buffer.alloc(64 * megabyte));
const gzipBomb = once(() => gzipSync(zeros()));
const brotliBomb = once(() => brotliCompressSync(zeros()));
const tenMegabytes = once(() => JSON.stringify({ set: 'x'.repeat(10 * megabyte) }));

const unknownSignerSet: Request = (place, turn) => post(place, setBody(signed(tokenClaims(place, turn))));

/** Subscriber ids of the client main, which every result of a run shows. */
const publishedSubs = once(() => {
  const file = readFileSync(packageFile('fixtures/reference/carrier.yaml'), 'utf8');
  return Array.from(file.matchAll(/^ +main: (001010-[\da-f]{20})$/gm), ([, sub = '']) => sub);
});

/** Repeats its first request. */
function replayFirst(request: Request): Request {
  let first: Bytes | undefined;
  return (place, turn) => {
    first ??= request(place, turn);
    return first;
  };
}

/** Variants of a registered path. */
const pathVariants: readonly ((path: string) => string)[] = [
  (path) => `${path}/`,
  (path) => `/${path}`,
  (path) => path.toUpperCase(),
  (path) => `${path}?x=y`,
  (path) => `${path}#x`,
  (path) => `/x/..${path}`,
  (path) => `${path}/.`,
  (path) => `${path}/${digits(32)}`,
  (path) => `http://sp.test${path}`,
  (path) => `${path}%00`,
  (path) => `${path};a=b`,
  (path) => `${path}%2f`,
  () => '*',
  () => `/canary/${digits(16)}`,
  () => '/',
];

const cycle = <T>(list: readonly T[], turn: number): T => {
  const found = list[turn % list.length];
  if (found === undefined) throw new RangeError('an empty list');
  return found;
};

const shortStates = ['1', 'a', 'x', 's', 'state', 'abc', 'null', '0', 'af0ifjsldkj', '42'];
const wrongTypes = ['text/html', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', ';;;', ''];
const oddMethods = ['PROPFIND', 'PURGE', 'M-SEARCH', 'QUERY', 'DELETE', 'PATCH', 'LINK', 'BIND'];

/** Requests by name of the flood. */
export const requests: Readonly<Record<string, Request>> = {
  'set-unsigned': (place, turn) => post(place, setBody(unsigned(tokenClaims(place, turn)).replace(/\.$/, ''))),
  'set-alg-none': (place, turn) => post(place, setBody(unsigned(tokenClaims(place, turn)))),
  'set-of-another-key': unknownSignerSet,
  'set-of-a-public-secret': (place, turn) => {
    const input = `${part(tokenHeader('HS256'))}.${part(tokenClaims(place, turn))}`;
    return post(place, setBody(`${input}.${createHmac('sha256', 'secret').update(input).digest('base64url')}`));
  },
  'set-of-another-sub': (place, turn) =>
    post(place, setBody(signed({ ...tokenClaims(place, turn), sub: `001010-${digits(20)}` }))),
  'set-of-a-known-sub': (place, turn) => {
    const claims = { ...tokenClaims(place, turn), sub: cycle(publishedSubs(), Math.floor(turn / 2)) };
    return post(place, setBody(turn % 4 < 2 ? signed(claims) : unsigned(claims)));
  },
  'set-of-a-short-sub': (place, turn) =>
    post(place, setBody(signed({ ...tokenClaims(place, turn), sub: String(turn) }))),
  'set-of-another-issuer': (place, turn) =>
    post(place, setBody(signed({ ...tokenClaims(place, turn), iss: 'https://other.carrier.test', aud: 'x' }))),
  'set-of-odd-claims': (place, turn) =>
    post(place, setBody(signed({ ...tokenClaims(place, turn), aud: [[]], sub: { a: 1 }, events: 'x', iat: '1e999' }))),
  'set-replayed': replayFirst(unknownSignerSet),
  'set-with-a-long-signature': (place, turn) =>
    post(place, setBody(unsigned(tokenClaims(place, turn), 'RS256', 'A'.repeat(200_000)))),
  rubbish: (place) => post(place, randomBytes(500)),
  empty: (place) => post(place, ''),
  'json-null': (place) => post(place, 'null'),
  'json-list': (place) => post(place, JSON.stringify([{ set: 'x' }, [], 1])),
  'json-deep': (place) => post(place, '['.repeat(100_000)),
  'json-of-nulls': (place) => post(place, `{"set":[${'null,'.repeat(40_000)}null]}`),
  'json-many-members': (place) =>
    post(place, `{${Array.from({ length: 20_000 }, (_, at) => `"m${at}":${at}`).join(',')}}`),
  'body-of-10-mb': (place) => post(place, tenMegabytes()),
  'wrong-type': (place, turn) =>
    buildBytes(
      `POST ${place.path} HTTP/1.1`,
      [`Content-Type: ${cycle(wrongTypes, turn)}`],
      setBody(signed(tokenClaims(place, turn))),
    ),
  'gzip-bomb': (place) => post(place, gzipBomb(), 'Content-Encoding: gzip'),
  'brotli-bomb': (place) => post(place, brotliBomb(), 'Content-Encoding: br'),
  'gzip-that-is-none': (place) => post(place, '{"set":"x"}', 'Content-Encoding: gzip, gzip, deflate'),
  get: bodyless('GET'),
  head: bodyless('HEAD'),
  options: bodyless('OPTIONS'),
  trace: bodyless('TRACE'),
  put: ({ path }, turn) => buildBytes(`PUT ${path} HTTP/1.1`, [json], JSON.stringify(tokens(turn))),
  'odd-methods': ({ path }, turn) => buildBytes(`${cycle(oddMethods, turn)} ${path} HTTP/1.1`, []),
  'paths-around': (place, turn) => {
    const path = cycle(pathVariants, turn)(place.path);
    return buildBytes(`POST ${path} HTTP/1.1`, [json], setBody(signed(tokenClaims(place, turn))));
  },
  'expect-continue': (place, turn) => post(place, JSON.stringify(tokens(turn)), 'Expect: 100-continue'),
  'expect-something': (place, turn) => post(place, JSON.stringify(tokens(turn)), 'Expect: a miracle'),
  upgrade: ({ path }) =>
    buildBytes(`GET ${path} HTTP/1.1`, ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']),
  'many-headers': (place) => post(place, '{}', ...Array.from({ length: 900 }, (_, at) => `X-${at}: ${at}`)),
  'long-header': (place) => post(place, '{}', `X-Long: ${'h'.repeat(15_000)}`),
  'too-long-header': (place) => post(place, '{}', `X-Long: ${'h'.repeat(60_000)}`),
  'bearer-guesses': (place, turn) =>
    post(place, JSON.stringify(tokens(turn)), `Authorization: Bearer ${turn % 2 === 0 ? digits(22) : turn}`),
  'auth-req-id-guesses': (place, turn) =>
    post(place, JSON.stringify({ auth_req_id: turn % 2 === 0 ? digits(36) : String(turn), error: 'request_denied' })),
  'state-guesses': (place, turn) =>
    post(place, JSON.stringify({ state: cycle(shortStates, turn), error: 'request_denied' })),
  'callback-with-tokens': (place, turn) =>
    post(place, JSON.stringify({ ...tokens(turn), id_token: unsigned(tokenClaims(place, turn)) })),
  pipelined: (place, turn) =>
    Buffer.concat(
      Array.from({ length: 20 }, (_, at) =>
        Buffer.from(post(place, setBody(unsigned(tokenClaims(place, turn * 20 + at))))),
      ),
    ),
  smuggled: ({ path }) =>
    [
      `POST ${path} HTTP/1.1`,
      'Host: sp.test',
      'Content-Length: 4',
      'Transfer-Encoding: chunked',
      '',
      '0\r\n\r\nGET',
    ].join('\r\n'),
  'http-09': ({ path }) => `GET ${path}\r\n`,
  'http-10': ({ path }) => `POST ${path} HTTP/1.0\r\nContent-Length: 2\r\n\r\n{}`,
  'garbage-lines': () => Buffer.concat([randomBytes(200), Buffer.from('\r\n\r\n')]),
  'tls-hello': () =>
    Buffer.concat([Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]), randomBytes(500)]),
  'http2-preface': () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
};
