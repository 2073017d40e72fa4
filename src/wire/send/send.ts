import type { Dispatcher } from 'undici';
import type { HeaderLines, NoResponse } from '../../model/exchange.ts';
import { type Calling, openAgent } from './connect.ts';
import type { HttpRequest } from '../build/http-request.ts';
import { wasOnReusedConnection } from './reused.ts';

/** A response as it came: header lines in order and case, body bytes up to the limit. */
export interface Response {
  readonly status: number;
  readonly headers: HeaderLines;
  readonly body: Buffer;
  readonly bytes: number;
}

export type Sent =
  | { readonly response: Response }
  | { readonly noResponse: { readonly reason: NoResponse; readonly detail: string } };

/**
 * Sends requests over one keep-alive pool; follows no redirect. What was sent over a connection that the carrier was closing
 * (RFC 9112 §9.3.1) is sent once again on a new one, and nothing else is.
 */
export interface Sender {
  readonly send: (request: HttpRequest) => Promise<Sent>;
  readonly close: () => Promise<void>;
}

class RequestTimeout extends Error {}

const reasons: Readonly<Record<string, NoResponse>> = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  ENOTFOUND: 'unresolved',
  EAI_AGAIN: 'unresolved',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
};

function nameFailure(error: Error): NoResponse {
  if (error instanceof RequestTimeout) return 'timeout';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code)) return 'tls';
  return reasons[code] ?? 'protocol';
}

const latin1 = (part: unknown): string => (Buffer.isBuffer(part) ? part.toString('latin1') : String(part));

function headerLines(raw: unknown): HeaderLines {
  if (!Array.isArray(raw)) return [];
  const lines: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name: unknown = raw[at];
    const value: unknown = raw[at + 1];
    for (const one of Array.isArray(value) ? value : [value]) lines.push([latin1(name), latin1(one)]);
  }
  return lines;
}

/** Bytes of a body that are kept; the rest is counted and dropped. */
export const bodyLimit = 256 * 1024;
/** Bytes after which the connection is closed: no response of a carrier is that long. */
const floodLimit = 8 * 1024 * 1024;

/** Before a byte of the response the connection was gone, and it had carried other requests. */
interface Lost {
  readonly lost: true;
}

function collect(resolve: (sent: Sent | Lost) => void, requestTimeout: number): Dispatcher.DispatchHandler {
  const chunks: Buffer[] = [];
  let kept = 0;
  let bytes = 0;
  let status = 0;
  let headers: HeaderLines = [];
  let timer: NodeJS.Timeout | undefined;
  const finish = (sent: Sent | Lost): void => {
    clearTimeout(timer);
    resolve(sent);
  };
  return {
    onRequestStart: (controller) => {
      clearTimeout(timer);
      timer = setTimeout(
        () => controller.abort(new RequestTimeout(`no response within ${requestTimeout} s`)),
        requestTimeout * 1000,
      );
    },
    onResponseStart: (controller, statusCode) => {
      status = statusCode;
      headers = headerLines(controller.rawHeaders);
    },
    onResponseData: (controller, chunk) => {
      bytes += chunk.length;
      if (kept < bodyLimit) chunks.push(chunk.subarray(0, bodyLimit - kept));
      kept = Math.min(bodyLimit, kept + chunk.length);
      if (bytes > floodLimit) controller.abort(new Error(`the response is longer than ${floodLimit} bytes`));
    },
    onResponseEnd: () => finish({ response: { status, headers, body: Buffer.concat(chunks), bytes } }),
    onResponseError: (_, error) => {
      const reason = nameFailure(error);
      const isLost = reason === 'reset' && status === 0 && wasOnReusedConnection(error);
      finish(isLost ? { lost: true } : { noResponse: { reason, detail: error.message } });
    },
  };
}

const dispatch = (agent: Dispatcher, request: HttpRequest, requestTimeout: number): Promise<Sent | Lost> =>
  new Promise((resolve, reject) => {
    const { method, url, headers, body = null } = request;
    const { origin, pathname, search } = new URL(url);
    try {
      agent.dispatch(
        { origin, path: `${pathname}${search}`, method, headers: headers.flat(), body },
        collect(resolve, requestTimeout),
      );
    } catch (cause) {
      reject(cause instanceof Error ? cause : new Error(String(cause)));
    }
  });

/** The request timeout covers the whole of an exchange; the pool has `connections` connections for each origin. */
export function createSender(calling: Calling): Sender {
  const { requestTimeout } = calling;
  const pool = openAgent(calling);
  const fresh = openAgent({ ...calling, fresh: true });
  return {
    send: async (request) => {
      const sent = await dispatch(pool, request, requestTimeout);
      if (!('lost' in sent)) return sent;
      const again = await dispatch(fresh, request, requestTimeout);
      if ('lost' in again) throw new TypeError('a new connection has carried nothing before');
      return again;
    },
    close: async () => {
      await Promise.all([pool.destroy(), fresh.destroy()]);
    },
  };
}
