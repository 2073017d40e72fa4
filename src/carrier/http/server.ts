import fastify, { type FastifyInstance } from 'fastify';
import type { CarrierClock } from '../state/clock.ts';
import { applyByteHabits, type ServerHabits, applyTextHabits } from './habits.ts';
import { Refusal } from '../refusal.ts';
import type { EncodedContent } from '../builders/content.ts';

/** Time a client has to send its request, in milliseconds. */
const requestTimeout = 10_000;

/** Maximum length of a path parameter; an auth_req_id has up to 205 characters (§2.4). */
const maxParamLength = 512;

/** Stubs: no route has a schema, and loading fastify's schema compilers would dominate its start-up time. */
const schemaController = {
  compilersFactory: { buildValidator: () => refuseSchema, buildSerializer: () => refuseSchema },
};

function refuseSchema(): never {
  throw new TypeError('no route of this server has a schema');
}

/** A certificate and its private key, in PEM. */
export interface TlsCredentials {
  readonly cert: string;
  readonly key: string;
}

export interface ServerOptions {
  readonly tls?: TlsCredentials | undefined;
  readonly habits?: ServerHabits | undefined;
  /** Encodes the text of a response. */
  readonly write?: ((text: string) => EncodedContent) | undefined;
  /** Returns a response, as it is written, for bytes that the HTTP parser refused; by default they get a 400. */
  readonly readAgain?: ((packet: Buffer) => Promise<string>) | undefined;
}

function encodeResponses(app: FastifyInstance, write: NonNullable<ServerOptions['write']>): void {
  app.addHook('onSend', (_request, reply, payload: unknown) => {
    if (typeof payload !== 'string') return Promise.resolve(payload);
    const { bytes, headers } = write(payload);
    reply.headers(headers);
    return Promise.resolve(bytes);
  });
}

/** Opens a server that takes Date from the carrier's clock, writes errors as JSON and forbids caching. */
export function openServer(
  clock: CarrierClock,
  log: (line: string) => void,
  options: ServerOptions = {},
): FastifyInstance {
  const { tls, habits, write, readAgain } = options;
  const app = fastify({
    schemaController,
    exposeHeadRoutes: false,
    requestTimeout,
    https: tls === undefined ? null : { cert: tls.cert, key: tls.key },
    forceCloseConnections: true,
    routerOptions: { maxParamLength },
    ...(readAgain === undefined
      ? {}
      : {
          clientErrorHandler: ({ rawPacket: packet }: { readonly rawPacket?: unknown }, socket) => {
            if (!Buffer.isBuffer(packet)) socket.destroy();
            else
              void readAgain(packet)
                .then((response) => socket.end(response))
                .catch(() => socket.destroy());
          },
        }),
  });
  app.addHook('onRequest', (_request, reply, done) => {
    reply.raw.sendDate = false;
    reply.header('date', new Date(clock.now()).toUTCString());
    reply.header('cache-control', 'no-store');
    done();
  });
  if (habits !== undefined) applyTextHabits(app, habits, clock);
  if (write !== undefined) encodeResponses(app, write);
  if (habits !== undefined) applyByteHabits(app, habits);
  if ((habits?.notFound ?? 'json') === 'json') {
    app.setNotFoundHandler((_request, reply) =>
      reply.code(404).send({ error: 'invalid_request', error_description: 'there is nothing at this address' }),
    );
  }
  app.setErrorHandler((error, _request, reply) => {
    const refusal = error instanceof Refusal ? error : toRefusal(error, log);
    return reply
      .code(refusal.status)
      .headers(refusal.headers)
      .send({ error: refusal.error, error_description: refusal.description });
  });
  return app;
}

/** Turns fastify's own 4xx into a refusal; logs any other error and returns a 500. */
function toRefusal(error: unknown, log: (line: string) => void): Refusal {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status >= 400 && status < 500) return new Refusal('invalid_request', 'the request cannot be read', { status });
  log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return new Refusal('server_error', 'the carrier failed', { status: 500 });
}
