import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import type { HttpRequest } from '../build/http-request.ts';
import { write } from '../build/writing.ts';
import { type Calling, trustOptions } from './connect.ts';
import { bodyLimit, headerLines, nameFailure, RequestTimeout, type Sent } from './sent.ts';

async function readResponse(incoming: IncomingMessage): Promise<Sent> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming) {
    const part: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    if (bytes < bodyLimit) chunks.push(part.subarray(0, bodyLimit - bytes));
    bytes += part.length;
  }
  const headers = headerLines(incoming.rawHeaders);
  return { response: { status: incoming.statusCode ?? 0, headers, body: Buffer.concat(chunks), bytes } };
}

/** Sends a request in a writing of its own, over a connection of its own. */
export function sendWritten(
  request: HttpRequest,
  writing: string,
  { requestTimeout, tls, proxy }: Calling,
): Promise<Sent> {
  if (proxy !== undefined) {
    const detail = 'a request in a writing of its own does not go through a proxy';
    return Promise.resolve({ noResponse: { reason: 'unresolved', detail } });
  }
  const { url, method, headers: given, body = '' } = request;
  const place = new URL(url);
  const { headers, body: bytes } = write(writing, { host: place.host, headers: given, body: Buffer.from(body) });
  const options = { method, headers: headers.flat(), agent: false as const };
  return new Promise((resolve) => {
    const fail = (error: Error): void => resolve({ noResponse: { reason: nameFailure(error), detail: error.message } });
    const sent =
      place.protocol === 'https:'
        ? requestTls(place, { ...options, ...trustOptions(tls) })
        : requestPlain(place, options);
    sent.setTimeout(requestTimeout * 1000, () =>
      sent.destroy(new RequestTimeout(`no response within ${requestTimeout} s`)),
    );
    sent.once('error', fail);
    sent.once('response', (incoming) => void readResponse(incoming).then(resolve, fail));
    sent.end(bytes);
  });
}
