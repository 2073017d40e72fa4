import type { HeaderLines } from '../../model/exchange.ts';
import type { HttpRequest } from '../build/http-request.ts';
import { maxReceivedBytes, createBodyCollector } from '../read/collect-body.ts';
import { type ConnectionSettings, nameSender, openAgent } from './connections.ts';
import { sendWritten } from './written-request.ts';
import { pairHeaderLines, RequestTimeout, type SendResult, toMissingResponse } from './send-result.ts';
import { subscribe } from 'node:diagnostics_channel';
import { setMaxListeners } from 'node:events';
import type { Dispatcher } from 'undici';

/** Message of an undici channel: `request` is the same object on each channel. */
interface ChannelReport {
  readonly request: object;
  readonly socket?: object;
  readonly error?: object;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isChannelReport = (value: unknown): value is ChannelReport =>
  isObject(value) && 'request' in value && isObject(value.request);

/** Sockets that have carried a request, later requests on such a socket, and the errors that ended those. */
const usedSockets = new WeakSet<object>();
const lateRequests = new WeakSet<object>();
const lostErrors = new WeakSet<object>();

subscribe('undici:client:sendHeaders', (said) => {
  if (!isChannelReport(said) || said.socket === undefined) return;
  if (usedSockets.has(said.socket)) lateRequests.add(said.request);
  usedSockets.add(said.socket);
});

subscribe('undici:request:error', (said) => {
  if (isChannelReport(said) && isObject(said.error) && lateRequests.has(said.request)) lostErrors.add(said.error);
});

/** Whether the failed request went over a connection that had carried another before. */
const wasOnReusedConnection = (error: Error): boolean => lostErrors.has(error);

/** Sends requests over a keep-alive pool, follows no redirects, and repeats only requests lost on a closing connection. */
export interface Sender {
  readonly send: (request: HttpRequest) => Promise<SendResult>;
  readonly close: () => Promise<void>;
}

/** A reused connection closed before the first byte of the response. */
interface LostRequest {
  readonly lost: true;
}

/** Request timeouts for which a request waits for a proxy to open a tunnel: undici asks a proxy that hangs up again without end. */
const tunnelTimeouts = 2;

function collectResponse(
  resolve: (sent: SendResult | LostRequest) => void,
  { requestTimeout, proxy }: Pick<ConnectionSettings, 'requestTimeout' | 'proxy'>,
): Dispatcher.DispatchHandler {
  const collected = createBodyCollector();
  let status = 0;
  let headers: HeaderLines = [];
  const noTunnel = new RequestTimeout(`the proxy opened no connection within ${tunnelTimeouts * requestTimeout} s`);
  let isLate = false;
  let timer: NodeJS.Timeout | undefined;
  if (proxy !== undefined) {
    timer = setTimeout(
      () => {
        isLate = true;
        resolve({ noResponse: toMissingResponse(noTunnel) });
      },
      tunnelTimeouts * requestTimeout * 1000,
    );
  }
  const finish = (sent: SendResult | LostRequest): void => {
    clearTimeout(timer);
    resolve(sent);
  };
  /** The response as far as it was read: a body that is too long is a finding of the rule of bodies, and no missing response. */
  const received = (): SendResult => ({
    response: { status, headers, body: collected.body(), bytes: collected.bytes() },
  });
  return {
    onRequestStart: (controller) => {
      clearTimeout(timer);
      if (isLate) {
        controller.abort(noTunnel);
        return;
      }
      timer = setTimeout(
        () => controller.abort(new RequestTimeout(`no response within ${requestTimeout} s`)),
        requestTimeout * 1000,
      );
    },
    onResponseStart: (controller, statusCode) => {
      status = statusCode;
      headers = pairHeaderLines(controller.rawHeaders);
    },
    onResponseData: (controller, chunk) => {
      collected.add(chunk);
      if (collected.bytes() <= maxReceivedBytes) return;
      finish(received());
      controller.abort(new Error('the body is too long'));
    },
    onResponseEnd: () => finish(received()),
    onResponseError: (_, error) => {
      const noResponse = toMissingResponse(error);
      const isLost = noResponse.reason === 'reset' && status === 0 && wasOnReusedConnection(error);
      finish(isLost ? { lost: true } : { noResponse });
    },
  };
}

const dispatchRequest = (
  agent: Dispatcher,
  request: HttpRequest,
  calling: ConnectionSettings,
): Promise<SendResult | LostRequest> =>
  new Promise((resolve, reject) => {
    const { method, url, headers, body = null } = request;
    const { origin, pathname, search } = new URL(url);
    try {
      agent.dispatch(
        { origin, path: `${pathname}${search}`, method, headers: nameSender(headers).flat(), body },
        collectResponse(resolve, calling),
      );
    } catch (cause) {
      reject(cause instanceof Error ? cause : new Error(String(cause)));
    }
  });

/** Throws a shortage of this machine, so that it is not blamed on the carrier. */
function throwShortage(sent: SendResult): SendResult {
  if ('noResponse' in sent && sent.noResponse.shortage !== undefined) throw sent.noResponse.shortage;
  return sent;
}

/** The carrier may have taken a request whose connection broke; then it refuses the copy, which says nothing of the request. */
function unlessRefused(again: SendResult): SendResult {
  const isRefused = 'response' in again && again.response.status >= 400 && again.response.status < 500;
  const detail = 'the connection broke, and the same request was refused when it was sent again';
  return isRefused ? { noResponse: { reason: 'reset', detail } } : again;
}

/** The request timeout covers the whole exchange; the pool opens up to `connections` connections to each origin. */
export function createSender(calling: ConnectionSettings): Sender {
  const closing = new AbortController();
  // Every request in progress listens to the signal, without a limit.
  setMaxListeners(0, closing.signal);
  const pool = openAgent(calling);
  const fresh = openAgent({ ...calling, fresh: true });
  return {
    send: async (request) => {
      if (request.writing !== undefined) {
        return throwShortage(await sendWritten(request, request.writing, { ...calling, closing: closing.signal }));
      }
      const sent = await dispatchRequest(pool, request, calling);
      if (!('lost' in sent)) return throwShortage(sent);
      const again = await dispatchRequest(fresh, request, calling);
      if ('lost' in again) throw new TypeError('a new connection has carried nothing before');
      return throwShortage(request.method === 'POST' ? unlessRefused(again) : again);
    },
    close: async () => {
      closing.abort();
      await Promise.all([pool.destroy(), fresh.destroy()]);
    },
  };
}
