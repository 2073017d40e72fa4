import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { fastify } from 'fastify';
import type { HeaderLines } from '../model/exchange.ts';
import type { ReceiverAnswer } from '../model/suite.ts';
import { bodyLimit } from './send.ts';

/** A request that reached our receiver, as it was on the wire. */
export interface Inbound {
  readonly method: string;
  /** The request target, byte for byte. */
  readonly target: string;
  readonly headers: HeaderLines;
  readonly body: Buffer;
  /** Milliseconds since the epoch on the run's clock, taken when its header had arrived. */
  readonly receivedAt: number;
}

/** Hosts the SP's endpoints for the length of a run. */
export interface Receiver {
  readonly origin: string;
  readonly close: () => Promise<void>;
}

export interface ReceiverOptions {
  readonly host: string;
  readonly port: number;
  readonly now: () => number;
  /** Decides the answer; it may take its time. */
  readonly onDelivery: (inbound: Inbound) => Promise<ReceiverAnswer>;
}

function headerLines(request: IncomingMessage): HeaderLines {
  const lines: [string, string][] = [];
  for (let at = 0; at + 1 < request.rawHeaders.length; at += 2) {
    lines.push([request.rawHeaders[at] ?? '', request.rawHeaders[at + 1] ?? '']);
  }
  return lines;
}

export async function createReceiver({ host, port, now, onDelivery }: ReceiverOptions): Promise<Receiver> {
  const server = fastify({ bodyLimit, logger: false, forceCloseConnections: true });
  const arrivals = new WeakMap<IncomingMessage, number>();
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
  server.addHook('onRequest', (request, _, done) => {
    arrivals.set(request.raw, now());
    done();
  });
  server.all('/*', async (request, reply) => {
    const answer = await onDelivery({
      method: request.method,
      target: request.raw.url ?? '',
      headers: headerLines(request.raw),
      body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
      receivedAt: arrivals.get(request.raw) ?? now(),
    });
    if (answer.reset === true) {
      const socket: Socket = request.raw.socket;
      reply.hijack();
      socket.resetAndDestroy();
      return reply;
    }
    return reply
      .code(answer.status)
      .headers(answer.headers ?? {})
      .send(answer.body ?? '');
  });
  await server.listen({ host, port });
  const address = server.server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the receiver has no TCP address');
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    origin: `http://${shown}:${address.port}`,
    close: () => server.close(),
  };
}
