import type { IncomingMessage, ServerResponse } from 'node:http';
import { TLSSocket } from 'node:tls';
import { fastify } from 'fastify';
import type { HeaderLines } from '../model/exchange.ts';
import { CarrierspecError } from '../model/problem.ts';
import type { ReceiverResponse } from '../model/suite.ts';
import type { Identity } from '../model/target.ts';
import { bodyLimit } from './send.ts';

/** Our receiver cannot listen: a mistake of whoever chose its place. */
export function cannotListen(
  { host, port }: { readonly host: string; readonly port: number },
  cause: unknown,
): CarrierspecError {
  const why = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
  const message = `the receiver cannot listen on ${host} port ${port}: ${why}`;
  return new CarrierspecError(message, { code: 'receiver-unusable', cause });
}

/** A request that reached our receiver, as it was on the wire. */
export interface Inbound {
  readonly method: string;
  /** The request target, byte for byte. */
  readonly target: string;
  readonly headers: HeaderLines;
  /** The body up to the limit. */
  readonly body: Buffer;
  /** Bytes of the whole body. */
  readonly bytes: number;
  /** Milliseconds since the epoch on the run's clock, taken when its header had arrived. */
  readonly receivedAt: number;
  /** Milliseconds that it may have lain unread before that; absent where none. */
  readonly lag?: number;
}

/** Hosts the SP's endpoints for the length of a run. */
export interface Receiver {
  readonly origin: string;
  readonly close: () => Promise<void>;
}

export interface ReceiverOptions {
  readonly host: string;
  readonly port: number;
  /** It speaks https with these. */
  readonly tls?: Identity | undefined;
  readonly now: () => number;
  /** How far behind we are: milliseconds. */
  readonly lag?: () => number;
  /** Decides the answer; it may take its time. */
  readonly onDelivery: (inbound: Inbound) => Promise<ReceiverResponse>;
}

/** Bytes after which a sender is cut off: nothing a carrier has to deliver is longer. */
const floodLimit = 8 * 1024 * 1024;

function headerLines({ rawHeaders }: IncomingMessage): HeaderLines {
  const lines: [string, string][] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) lines.push([rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '']);
  return lines;
}

async function readBody(request: IncomingMessage): Promise<{ body: Buffer; bytes: number }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const part: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    if (bytes < bodyLimit) chunks.push(part.subarray(0, bodyLimit - bytes));
    bytes += part.length;
    if (bytes > floodLimit) break;
  }
  return { body: Buffer.concat(chunks), bytes };
}

function writeResponse(response: ServerResponse, { status, headers, body = '', reset }: ReceiverResponse): void {
  if (reset === true) {
    const { socket } = response;
    // Under TLS there is nothing to reset: the connection is gone without an answer and without a farewell.
    if (socket instanceof TLSSocket) socket.destroy();
    else socket?.resetAndDestroy();
    return;
  }
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

/**
 * Listens for deliveries. Whatever arrives is delivered: an odd method, target, content type or length is something a
 * rule may speak of, so the framework gets no chance to answer it by itself.
 */
export async function createReceiver({
  host,
  port,
  tls,
  now,
  lag = () => 0,
  onDelivery,
}: ReceiverOptions): Promise<Receiver> {
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const receivedAt = now();
    const behind = lag();
    try {
      const { body, bytes } = await readBody(request);
      const headers = headerLines(request);
      const { method = '', url: target = '' } = request;
      writeResponse(
        response,
        await onDelivery({ method, target, headers, body, bytes, receivedAt, ...(behind > 0 ? { lag: behind } : {}) }),
      );
    } catch {
      // The sender went away, or the run is over: nobody is left to answer.
      response.destroy();
    }
  };
  const server = fastify({
    logger: false,
    forceCloseConnections: true,
    https: tls === undefined ? null : { cert: tls.cert, key: tls.key },
    frameworkErrors: (_, request, reply) => {
      reply.hijack();
      void take(request.raw, reply.raw);
    },
  });
  server.addHook('onRequest', (request, reply) => {
    reply.hijack();
    void take(request.raw, reply.raw);
  });
  await server.listen({ host, port });
  const address = server.server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the receiver has no TCP address');
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return { origin: `${tls === undefined ? 'http' : 'https'}://${shown}:${address.port}`, close: () => server.close() };
}
