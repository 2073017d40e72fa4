import type { HttpRequest } from '../build/http-request.ts';
import { gzippedBomb } from '../build/tamper-signed.ts';
import { createBodyCollector, maxHeaderBytes, maxReceivedBytes } from '../read/collect-body.ts';
import { type ConnectionSettings, nameSender, trustOptions, resolveHost } from './connections.ts';
import { pairHeaderLines, RequestTimeout, type SendResult, toMissingResponse as failed } from './send-result.ts';
import { type ClientRequest, type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';

/** A request as written on the wire: header lines as they are, duplicates included. */
interface WrittenRequest {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  /** The body never completes: `after` bytes go out at once, then one every `every` milliseconds, or none. */
  readonly heldBack?: { readonly after: number; readonly every?: number };
}

interface PlainRequest {
  readonly host: string;
  readonly headers: WrittenRequest['headers'];
  readonly body: Buffer;
}

const addFraming = ({ host, headers, body }: PlainRequest, more: WrittenRequest['headers']): WrittenRequest => ({
  headers: [['Host', host], ...headers, ...more],
  body,
});

const contentLength = ({ body }: PlainRequest): readonly [string, string] => ['Content-Length', String(body.length)];

const halfLength = ({ body }: PlainRequest): number => Math.floor(body.length / 2);

/** Requests that an HTTP client would refuse to write (RFC 9112 §3.2 and §6). */
const requestWritings: Readonly<Record<string, (plain: PlainRequest) => WrittenRequest>> = {
  'host-twice': (plain) => addFraming(plain, [['Host', 'unregistered.example'], contentLength(plain)]),
  'length-twice': (plain) => addFraming(plain, [contentLength(plain), ['Content-Length', '1']]),
  'length-list': (plain) => addFraming(plain, [['Content-Length', `${plain.body.length}, 1`]]),
  'length-negative': (plain) => addFraming(plain, [['Content-Length', `-${plain.body.length}`]]),
  'length-and-chunks': (plain) => addFraming(plain, [contentLength(plain), ['Transfer-Encoding', 'chunked']]),
  'coding-unknown': (plain) => addFraming(plain, [['Transfer-Encoding', 'chunked, unregistered']]),
  'gzip-bomb': ({ body, ...plain }) => {
    const packed = { ...plain, body: gzippedBomb(body, 16) };
    return addFraming(packed, [['Content-Encoding', 'gzip'], contentLength(packed)]);
  },
  'body-stalled': (plain) => ({ ...addFraming(plain, [contentLength(plain)]), heldBack: { after: halfLength(plain) } }),
  'body-trickled': (plain) => ({
    ...addFraming(plain, [contentLength(plain)]),
    heldBack: { after: halfLength(plain), every: 100 },
  }),
};

/** Names that `writing:` takes in a suite. */
export const requestWritingNames: readonly string[] = Object.keys(requestWritings);

/** Writings that cost a careless carrier much memory, or a connection for as long as it lasts. */
export const heavyWritings: ReadonlySet<string> = new Set(['gzip-bomb', 'body-stalled', 'body-trickled']);

/** Writes a request in the named way. Throws TypeError for an unknown name. */
export function writeRequest(name: string, plain: PlainRequest): WrittenRequest {
  const way = Object.hasOwn(requestWritings, name) ? requestWritings[name] : undefined;
  if (way === undefined) throw new TypeError(`unknown writing ${name}`);
  return way(plain);
}

async function readResponse(incoming: IncomingMessage): Promise<SendResult> {
  const collected = createBodyCollector();
  for await (const chunk of incoming) {
    collected.add(Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk)));
    if (collected.bytes() > maxReceivedBytes) break;
  }
  const headers = pairHeaderLines(incoming.rawHeaders);
  return { response: { status: incoming.statusCode ?? 0, headers, body: collected.body(), bytes: collected.bytes() } };
}

/** Milliseconds for a body that is held back: how long to wait for a response, and how long the connection stays open. */
const heldTimes = { wait: 300, open: 5000 };

type StalledRequest = Pick<WrittenRequest, 'body'> & { readonly heldBack: NonNullable<WrittenRequest['heldBack']> };

const isStalled = (written: WrittenRequest): written is WrittenRequest & StalledRequest =>
  written.heldBack !== undefined;

/** Sends the part of a held-back body that goes out, and closes the connection later; the run does not wait for that. */
function holdBack(sent: ClientRequest, { body, heldBack: { after, every } }: StalledRequest, out: () => void): void {
  let at = after;
  sent.write(body.subarray(0, at), out);
  const trickle =
    every === undefined
      ? undefined
      : setInterval(() => {
          // The last byte never goes out.
          if (at >= body.length - 1) return;
          sent.write(body.subarray(at, at + 1));
          at += 1;
        }, every).unref();
  const end = setTimeout(() => sent.destroy(), heldTimes.open).unref();
  sent.once('close', () => {
    clearInterval(trickle);
    clearTimeout(end);
  });
}

/** Sends a request in the named way over its own connection; `closing` ends connections that are still open. */
export function sendWritten(
  request: HttpRequest,
  writing: string,
  { requestTimeout, tls, proxy, closing }: ConnectionSettings & { readonly closing?: AbortSignal },
): Promise<SendResult> {
  if (proxy !== undefined) {
    const detail = 'a request in a writing of its own does not go through a proxy';
    return Promise.resolve({ noResponse: { reason: 'unresolved', detail } });
  }
  const { url, method, headers: given, body = '' } = request;
  const place = new URL(url);
  const written = writeRequest(writing, { host: place.host, headers: nameSender(given), body: Buffer.from(body) });
  const signal = closing === undefined ? {} : { signal: closing };
  const options = {
    method,
    headers: written.headers.flat(),
    agent: false as const,
    maxHeaderSize: maxHeaderBytes,
    lookup: resolveHost,
    ...signal,
  };
  return new Promise((resolve) => {
    const fail = (error: Error): void => resolve({ noResponse: failed(error) });
    const sent =
      place.protocol === 'https:'
        ? requestTls(place, { ...options, ...trustOptions(tls) })
        : requestPlain(place, options);
    sent.on('error', fail);
    sent.once('response', (incoming) => void readResponse(incoming).then(resolve, fail));
    sent.setTimeout(requestTimeout * 1000, () =>
      sent.destroy(new RequestTimeout(`no response within ${requestTimeout} s`)),
    );
    const unanswered = new RequestTimeout('no response while its body was held back');
    if (isStalled(written)) holdBack(sent, written, () => setTimeout(() => fail(unanswered), heldTimes.wait));
    else sent.end(written.body);
  });
}
