import { causeCode } from '../../lib/errors.ts';
import { packageFile, readPackageText } from '../../lib/package-file.ts';
import type { HeaderLines } from '../../model/exchange.ts';
import { CarrierspecError } from '../../model/problem.ts';
import type { ReceiverResponse } from '../../model/suite.ts';
import type { Identity } from '../../model/target.ts';
import { createBodyCollector, maxHeaderBytes, maxReceivedBytes } from '../read/collect-body.ts';
import { isHeaderOverflow } from '../send/send-result.ts';
import { toShortage } from '../shortage.ts';
import { boundConnections, connectionsCheckingInterval, handshakeTimeout, receiverTimeouts } from './connections.ts';
import { fastify } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIPv6 } from 'node:net';
import { TLSSocket } from 'node:tls';

const certificateFolder = packageFile('fixtures/wrong-certificate/');

/** A certificate that no carrier should trust: self-signed, and for a reserved host name, RFC 6761 §6.4 (SEC-24). */
export const readWrongCertificate = (): Identity => ({
  cert: readPackageText(new URL('cert.pem', certificateFolder)),
  key: readPackageText(new URL('key.pem', certificateFolder)),
});

/** Bytes of incomplete bodies, over all connections. */
const maxHeldBytes = 16 * 1024 * 1024;

/** Bounds the memory for bodies that are still arriving. */
interface HeldBodies {
  /** Sets the bytes kept of this request's body. */
  readonly hold: (request: IncomingMessage, bytes: number) => void;
  readonly release: (request: IncomingMessage) => void;
}

/** Over the limit, closes the connection with the largest body: a carrier's body is small and arrives at once. */
export function createHeldBodies(most = maxHeldBytes): HeldBodies {
  const held = new Map<IncomingMessage, number>();
  let sum = 0;
  const release = (request: IncomingMessage): void => {
    sum -= held.get(request) ?? 0;
    held.delete(request);
  };
  return {
    hold: (request, bytes) => {
      sum += bytes - (held.get(request) ?? 0);
      held.set(request, bytes);
      if (sum <= most) return;
      const [largest] = [...held].reduce((one, other) => (other[1] > one[1] ? other : one));
      release(largest);
      largest.destroy();
    },
    release,
  };
}

/** The receiver cannot listen, because the host or port of the target file or the command line is wrong. */
export function listenError(
  { host, port }: { readonly host: string; readonly port: number },
  cause: unknown,
): CarrierspecError {
  const shortage = toShortage(cause);
  if (shortage !== undefined && causeCode(cause) !== 'EADDRNOTAVAIL') return shortage;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
  const isTaken = code === 'EADDRINUSE';
  const why = isTaken ? 'another program listens there, such as another run; receiver.port chooses another' : code;
  const message = `the receiver cannot listen on ${host} port ${port}: ${why}`;
  return new CarrierspecError(message, { code: 'receiver-unusable', cause });
}

/** A request that reached the receiver, as it was on the wire. */
export interface Inbound {
  readonly method: string;
  /** Request target, byte for byte; of an absolute form (RFC 9112 §3.2.2) what follows the authority. */
  readonly target: string;
  readonly headers: HeaderLines;
  /** The body up to the limit. */
  readonly body: Buffer;
  /** Bytes of the whole body. */
  readonly bytes: number;
  /** Source address. */
  readonly from: string;
  /** The client certificate is from one of the receiver's authorities. */
  readonly isCertified: boolean;
  /** Milliseconds since the epoch on the run's clock, taken when the header had arrived. */
  readonly receivedAt: number;
  /** Milliseconds that it may have lain unread before that; absent if none. */
  readonly lag?: number;
  /** Aborted when the connection has closed, be it before the response. */
  readonly gone?: AbortSignal;
}

/** Hosts the SP's endpoints for the length of a run. */
export interface Receiver {
  readonly origin: string;
  readonly close: () => Promise<void>;
}

export interface ReceiverOptions {
  readonly host: string;
  readonly port: number;
  /** Certificate and key for https. */
  readonly tls?: Identity | undefined;
  /** Authorities of client certificates, in PEM; https only. */
  readonly clientAuthorities?: string | undefined;
  readonly now: () => number;
  /** Milliseconds by which a request may have come before it is read now. */
  readonly lag?: () => number;
  /** Connections that may be open at the same time. */
  readonly connections?: number;
  /** Called when a connection that may carry a request is closed because of that limit. */
  readonly onFull?: () => void;
  /** Called when the header of a delivery is longer than we read. */
  readonly onLongHeader?: () => void;
  /** Decides the response; may take long. */
  readonly onDelivery: (inbound: Inbound) => Promise<ReceiverResponse>;
}

function readHeaderLines({ rawHeaders }: IncomingMessage): HeaderLines {
  const lines: [string, string][] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) lines.push([rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '']);
  return lines;
}

async function collectRequestBody(
  request: IncomingMessage,
  held: HeldBodies,
): Promise<{ body: Buffer; bytes: number }> {
  const collected = createBodyCollector();
  try {
    for await (const chunk of request) {
      collected.add(Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk)));
      held.hold(request, collected.body().length);
      if (collected.bytes() > maxReceivedBytes) break;
    }
  } finally {
    held.release(request);
  }
  return { body: collected.body(), bytes: collected.bytes() };
}

function writeResponse(response: ServerResponse, { status, headers, body = '', reset }: ReceiverResponse): void {
  if (reset === true) {
    const { socket } = response.req;
    // A TLS connection cannot be reset: close it without a response.
    if (socket instanceof TLSSocket) socket.destroy();
    else socket.resetAndDestroy();
    return;
  }
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

/** A certificate from another authority is accepted but not authorized, so that the connection is not refused for it. */
const askForCertificate = (ca: string) => ({ ca, requestCert: true, rejectUnauthorized: false });

function listenOptions({ tls, clientAuthorities }: ReceiverOptions) {
  const limits = { connectionsCheckingInterval, maxHeaderSize: maxHeaderBytes };
  if (tls === undefined) return { http: limits, https: null };
  const asked = clientAuthorities === undefined ? {} : askForCertificate(clientAuthorities);
  return { https: { cert: tls.cert, key: tls.key, ...asked, ...limits, handshakeTimeout } };
}

/** No route has a schema, and loading fastify's schema compilers would take most of its start. */
const schemaController = { compilersFactory: { buildValidator: () => noSchema, buildSerializer: () => noSchema } };

function noSchema(): never {
  throw new TypeError('no route of this server has a schema');
}

/** Origin of a receiver that listens at an IP address. */
export const listenOrigin = ({
  tls,
  host,
  port,
}: Pick<ReceiverOptions, 'host' | 'port'> & { readonly tls?: unknown }): string =>
  `${tls === undefined ? 'http' : 'https'}://${isIPv6(host) ? `[${host}]` : host}:${port}`;

/** Listens for deliveries, and passes on every request, however odd its method, target or length. */
export async function createReceiver(options: ReceiverOptions): Promise<Receiver> {
  const { host, port } = options;
  const take = createTake(options);
  const server = fastify({
    schemaController,
    logger: false,
    forceCloseConnections: true,
    ...listenOptions(options),
    frameworkErrors: (_, request, reply) => {
      reply.hijack();
      void take(request.raw, reply.raw);
    },
  });
  server.addHook('onRequest', (request, reply) => {
    reply.hijack();
    void take(request.raw, reply.raw);
  });
  Object.assign(server.server, receiverTimeouts);
  server.server.on('clientError', (error: Error) => {
    if (isHeaderOverflow(error)) options.onLongHeader?.();
  });
  boundConnections(server.server, options.connections, options.onFull);
  await server.listen({ host, port });
  const address = server.server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the receiver has no TCP address');
  return {
    origin: listenOrigin({ tls: options.tls, host: address.address, port: address.port }),
    close: () => server.close(),
  };
}

/** RFC 9112 §3.2.2: a server accepts the absolute form, which means the same as the origin form. */
const toOriginForm = (target: string): string =>
  /^https?:\/\//i.test(target) ? target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/^(?!\/)/, '/') : target;

/** Passes on one request and writes the response. */
function createTake({ now, lag = () => 0, onDelivery }: ReceiverOptions) {
  const held = createHeldBodies();
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [receivedAt, behind] = [now(), lag()];
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    try {
      const { method = '', url: target = '', socket } = request;
      // Read now: a closed connection no longer knows its address.
      const [from, isCertified] = [socket.remoteAddress ?? '', socket instanceof TLSSocket && socket.authorized];
      const headers = readHeaderLines(request);
      const inbound = {
        method,
        target: toOriginForm(target),
        headers,
        ...(await collectRequestBody(request, held)),
        from,
        isCertified,
        receivedAt,
        gone: gone.signal,
      };
      writeResponse(response, await onDelivery({ ...inbound, ...(behind > 0 ? { lag: behind } : {}) }));
    } catch {
      // The sender closed the connection, or the run is over.
      response.destroy();
    }
  };
}
