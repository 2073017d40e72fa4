import type { Dispatcher } from 'undici';
import type { HeaderLines } from '../../model/exchange.ts';
import { type Calling, openAgent } from './connect.ts';
import type { HttpRequest } from '../build/http-request.ts';
import { sendWritten } from './raw.ts';
import { bodyLimit, headerLines, nameFailure, RequestTimeout, type Sent } from './sent.ts';

/** Sends requests over one keep-alive pool; follows no redirect and repeats nothing. */
export interface Sender {
  readonly send: (request: HttpRequest) => Promise<Sent>;
  readonly close: () => Promise<void>;
}

/** Bytes after which the connection is closed: no response of a carrier is that long. */
const floodLimit = 8 * 1024 * 1024;

function collect(resolve: (sent: Sent) => void, requestTimeout: number): Dispatcher.DispatchHandler {
  const chunks: Buffer[] = [];
  let kept = 0;
  let bytes = 0;
  let status = 0;
  let headers: HeaderLines = [];
  let timer: NodeJS.Timeout | undefined;
  const finish = (sent: Sent): void => {
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
    onResponseError: (_, error) => finish({ noResponse: { reason: nameFailure(error), detail: error.message } }),
  };
}

/** The request timeout covers the whole of an exchange; the pool has `connections` connections for each origin. */
export function createSender(calling: Calling): Sender {
  const { requestTimeout } = calling;
  const agent = openAgent(calling);
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        const { method, url, headers, body, writing } = request;
        if (writing !== undefined) {
          resolve(sendWritten(request, writing, calling));
          return;
        }
        const { origin, pathname, search } = new URL(url);
        const flat = headers.flat();
        try {
          agent.dispatch(
            { origin, path: `${pathname}${search}`, method, headers: flat, body: body ?? null },
            collect(resolve, requestTimeout),
          );
        } catch (cause) {
          reject(cause instanceof Error ? cause : new Error(String(cause)));
        }
      }),
    close: () => agent.destroy(),
  };
}
