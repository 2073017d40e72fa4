import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Connections that are open at the same time. */
const mostConnections = 500;

/** Milliseconds. A header, a request as a whole and a TLS handshake have to come in time; an idle connection stays open so long. */
export const receiverTimeouts = { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 5000 };
export const handshakeTimeout = 10_000;

/** Milliseconds between two looks for connections that are too slow. */
export const connectionsCheckingInterval = 1000;

const endOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/**
 * Keeps the number of open connections within bounds. Where one more comes, that one is closed for it which has waited for a whole
 * request for the longest time: who opens many connections closes the door to nobody else.
 */
export function boundConnections(server: Server, most = mostConnections): void {
  /** By the end of the other side: over TLS the socket of a request is another one. */
  const waiting = new Map<string, Socket>();
  const answering = new Map<string, Socket>();
  const move = (end: string, from: Map<string, Socket>, to: Map<string, Socket>): void => {
    const socket = from.get(end);
    if (socket === undefined) return;
    from.delete(end);
    to.set(end, socket);
  };
  server.on('connection', (socket: Socket) => {
    const end = endOf(socket);
    waiting.set(end, socket);
    socket.once('close', () => {
      if (waiting.get(end) === socket) waiting.delete(end);
      if (answering.get(end) === socket) answering.delete(end);
    });
    if (waiting.size + answering.size <= most) return;
    const [oldest] = waiting.values();
    oldest?.destroy();
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const end = endOf(request.socket);
    request.once('end', () => move(end, waiting, answering));
    response.once('close', () => move(end, answering, waiting));
  });
}
