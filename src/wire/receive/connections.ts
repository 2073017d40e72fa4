import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Connections open at the same time, unless the limit of open files is lower. */
export const maxReceiverConnections = 500;

/** Milliseconds within which a header, a whole request and a TLS handshake must arrive; an idle connection stays open as long. */
export const receiverTimeouts = { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 5000 };
export const handshakeTimeout = 10_000;

/** Milliseconds between two checks for slow connections. */
export const connectionsCheckingInterval = 1000;

/** An open connection, keyed by its remote end, because over TLS a request has another socket object. */
interface Connection {
  readonly socket: Socket;
  readonly address: string;
  /** Time of opening, by performance.now(). */
  readonly at: number;
  /** Requests begun; all but the latest have arrived in full. */
  requests: number;
  latest?: IncomingMessage;
  /** Requests without a response so far; some may still be arriving. */
  readonly open: Set<IncomingMessage>;
}

const hasSentRequest = ({ requests, latest }: Connection): boolean => requests > 1 || latest?.complete === true;

/** Whether the connection waits for the response to a complete request, as an event stream does while it lasts. */
const awaitsAnswer = ({ open }: Connection): boolean => [...open].some(({ complete }) => complete);

/** Milliseconds that a new connection has to send its first request. */
const firstRequestTime = 1000;

const remoteEnd = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/** Chooses the connection to close for a new one: from the busiest address, the slowest, else the oldest idle one. */
function chooseVictim(open: Iterable<Connection>): Connection | undefined {
  const waiting = Array.from(open).filter((connection) => !awaitsAnswer(connection));
  const counts = new Map<string, number>();
  for (const { address } of waiting) counts.set(address, (counts.get(address) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  const crowd = waiting.filter(({ address }) => counts.get(address) === most);
  const opened = performance.now() - firstRequestTime;
  const isSilent = (connection: Connection): boolean => !hasSentRequest(connection) && connection.at < opened;
  return crowd.find(isSilent) ?? crowd.find(hasSentRequest) ?? crowd[0];
}

/** Bounds the open connections by closing one; `onFull` is called if that may lose a request. */
export function boundConnections(
  server: Server,
  most = maxReceiverConnections,
  onFull: () => void = () => undefined,
): void {
  const open = new Map<string, Connection>();
  server.on('connection', (socket: Socket) => {
    const end = remoteEnd(socket);
    const address = String(socket.remoteAddress);
    const connection: Connection = { socket, address, at: performance.now(), requests: 0, open: new Set() };
    open.set(end, connection);
    const forget = (): void => {
      if (open.get(end) === connection) open.delete(end);
    };
    socket.once('close', forget);
    if (open.size <= most) return;
    const left = chooseVictim(open.values());
    // Drop it from the count now: the next connection may arrive before this one has closed.
    if (left !== undefined) open.delete(remoteEnd(left.socket));
    left?.socket.destroy();
    if (left === undefined || left.requests === 0) onFull();
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = open.get(remoteEnd(request.socket));
    if (connection === undefined) return;
    connection.requests += 1;
    connection.latest = request;
    connection.open.add(request);
    response.once('close', () => connection.open.delete(request));
  });
}
