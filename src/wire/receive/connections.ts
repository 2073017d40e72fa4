import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Connections that are open at the same time, where the open files of the process do not bound them further. */
export const mostConnections = 500;

/** Milliseconds. A header, a request as a whole and a TLS handshake have to come in time; an idle connection stays open so long. */
export const receiverTimeouts = { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 5000 };
export const handshakeTimeout = 10_000;

/** Milliseconds between two looks for connections that are too slow. */
export const connectionsCheckingInterval = 1000;

/** An open connection, by the end of the other side: over TLS the socket of a request is another one. */
interface Connection {
  readonly socket: Socket;
  readonly address: string;
  /** When it was opened, by performance.now(). */
  readonly at: number;
  /** Requests that have begun: all but the latest have come whole. */
  requests: number;
  latest?: IncomingMessage;
  /** Requests that are not answered yet; not all of them have come whole. */
  readonly open: Set<IncomingMessage>;
}

const hasBroughtOne = ({ requests, latest }: Connection): boolean => requests > 1 || latest?.complete === true;

/** Whether it waits for an answer to a whole request: a stream of events does, as long as it lasts. */
const awaitsAnswer = ({ open }: Connection): boolean => [...open].some(({ complete }) => complete);

/** Milliseconds in which the first request of a connection may be on its way. */
const patience = 1000;

const endOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/** The connection to close for a new one: of the busiest address the slowest, else the oldest idle one. */
function leastMissed(open: Iterable<Connection>): Connection | undefined {
  const waiting = Array.from(open).filter((connection) => !awaitsAnswer(connection));
  const counts = new Map<string, number>();
  for (const { address } of waiting) counts.set(address, (counts.get(address) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  const crowd = waiting.filter(({ address }) => counts.get(address) === most);
  const opened = performance.now() - patience;
  const isSilent = (connection: Connection): boolean => !hasBroughtOne(connection) && connection.at < opened;
  return crowd.find(isSilent) ?? crowd.find(hasBroughtOne) ?? crowd[0];
}

/** Bounds the open connections by closing one; `onFull` hears where a request may be lost. */
export function boundConnections(server: Server, most = mostConnections, onFull: () => void = () => undefined): void {
  const open = new Map<string, Connection>();
  server.on('connection', (socket: Socket) => {
    const end = endOf(socket);
    const address = String(socket.remoteAddress);
    const connection: Connection = { socket, address, at: performance.now(), requests: 0, open: new Set() };
    open.set(end, connection);
    const forget = (): void => {
      if (open.get(end) === connection) open.delete(end);
    };
    socket.once('close', forget);
    if (open.size <= most) return;
    const left = leastMissed(open.values());
    // It counts no more: the next connection may come before this one has been closed.
    if (left !== undefined) open.delete(endOf(left.socket));
    left?.socket.destroy();
    if (left === undefined || left.requests === 0) onFull();
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = open.get(endOf(request.socket));
    if (connection === undefined) return;
    connection.requests += 1;
    connection.latest = request;
    connection.open.add(request);
    response.once('close', () => connection.open.delete(request));
  });
}
