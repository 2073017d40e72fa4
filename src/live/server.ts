import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { isJsonObject, type Json, parseJson } from '../lib/json.ts';
import { CarrierspecError } from '../model/problem.ts';
import { scripts } from '../report/html/assets.ts';
import { liveStyle } from '../report/html/page.ts';
import { boundConnections } from '../wire/receive/connections.ts';
import type { Desk, Outcome } from './desk.ts';
import { createGuard, type LiveAddress, refusedWords } from './guard.ts';
import { policy, renderLivePage } from './page.ts';
import { idIn, parseAnswering, parseTaking } from './requests.ts';
import type { Streams } from './streams.ts';

/** Bytes of what a page sends. */
const largestBody = 16 * 1024;
const mostConnections = 100;

/** Milliseconds in which a request has to be there. */
const requestTimeout = 60_000;

export interface Served {
  readonly subject: string;
  readonly token: string;
  readonly desk: Desk;
  readonly streams: Streams;
}

/** No route has a schema, and loading fastify's compilers of schemas would be most of its start. */
const schemaController = {
  compilersFactory: { buildValidator: () => noSchema, buildSerializer: () => noSchema },
};

function noSchema(): never {
  throw new TypeError('no route of this server has a schema');
}

const headers = {
  'content-security-policy': policy,
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

function addFiles(app: FastifyInstance, { token, subject }: Served): void {
  const send = (path: string, type: string, text: string): void => {
    app.get(`/${token}/${path}`, (_request, reply) => reply.type(`${type}; charset=utf-8`).send(text));
  };
  send('', 'text/html', renderLivePage(subject));
  // A chat that makes a link of an address may leave out its last character.
  app.get(`/${token}`, (_request, reply) => reply.redirect(`/${token}/`, 308));
  send('style.css', 'text/css', liveStyle);
  send('live.js', 'text/javascript', scripts.live);
}

function bodyOf(body: unknown): Json | undefined {
  return typeof body === 'string' ? parseJson(body) : undefined;
}

const sendWords = (reply: FastifyReply, status: number, words: string): FastifyReply =>
  reply.code(status).type('text/plain; charset=utf-8').send(words);

const refuse = (reply: FastifyReply, status: number, why: string): FastifyReply => reply.code(status).send({ why });

/** 404: there is no such question; 409: somebody else was first; 400: it is no answer to that. */
const statuses = { unknown: 404, held: 409, answered: 409, unfit: 400 } as const;

const sendOutcome = (reply: FastifyReply, outcome: Outcome): FastifyReply =>
  reply.code(outcome.done ? 200 : statuses[outcome.why]).send(outcome);

function addQuestions(app: FastifyInstance, { token, desk }: Served): void {
  app.post(`/${token}/take`, (request, reply) => {
    const taking = parseTaking(bodyOf(request.body));
    if (taking === undefined) return refuse(reply, 400, 'malformed');
    return sendOutcome(reply, desk.take(taking.question, taking.person));
  });
  app.post(`/${token}/release`, (request, reply) => {
    const taking = parseTaking(bodyOf(request.body));
    if (taking === undefined) return refuse(reply, 400, 'malformed');
    return sendOutcome(reply, desk.release(taking.question, taking.person));
  });
  app.post(`/${token}/answer`, (request, reply) => {
    const given = parseAnswering(bodyOf(request.body));
    if (given === undefined) return refuse(reply, 400, 'malformed');
    return sendOutcome(reply, desk.answer(given.question, given));
  });
}

function addEvents(app: FastifyInstance, { token, streams }: Served): void {
  app.get(`/${token}/events`, (request, reply) => {
    const asked = isJsonObject(request.query) ? request.query : {};
    const person = idIn(asked, 'person');
    if (person === undefined) return refuse(reply, 400, 'malformed');
    const last = Number(request.headers['last-event-id'] ?? asked['seq']);
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, { ...headers, 'content-type': 'text/event-stream' });
    if (!streams.open(raw, { person, seq: Number.isSafeInteger(last) ? last : 0 })) raw.end();
    return reply;
  });
}

/** Whether the guard refuses a request, which is then answered. */
function refuses(guard: ReturnType<typeof createGuard>, request: FastifyRequest, reply: FastifyReply): boolean {
  reply.headers(headers);
  const refused = guard({ method: request.method, url: request.raw.url ?? '', headers: request.headers });
  if (refused === undefined) return false;
  void sendWords(reply, refused.status, refusedWords(refused, request.socket.localPort));
  return true;
}

/** What a server has before any route: what comes is bounded, and goes past the guard first. */
function openApp(guardOf: () => ReturnType<typeof createGuard>): FastifyInstance {
  const app = fastify({
    schemaController,
    logger: false,
    bodyLimit: largestBody,
    requestTimeout,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    // An address that cannot be read goes past no hook, and is refused as any other that is wrong.
    frameworkErrors: (_error, request, reply) => {
      if (!refuses(guardOf(), request, reply)) void refuse(reply, 400, 'refused');
    },
  });
  boundConnections(app.server, mostConnections);
  app.addHook('onRequest', (request, reply, done) => {
    if (!refuses(guardOf(), request, reply)) done();
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.setErrorHandler((error, _request, reply) => {
    const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
    return refuse(reply, status >= 400 && status <= 599 ? status : 500, status === 413 ? 'too large' : 'refused');
  });
  app.setNotFoundHandler((request, reply) =>
    sendWords(reply, 404, refusedWords({ why: 'token' }, request.socket.localPort)),
  );
  return app;
}

function cannotServe({ host, port }: LiveAddress, cause: unknown): CarrierspecError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
  const why = code === 'EADDRINUSE' ? 'another program listens there; another port, or none, chooses another' : code;
  return new CarrierspecError(`--live: the page cannot be served on ${host} port ${port}: ${why}`, {
    code: 'bad-flag',
    cause,
  });
}

/** Serves the page. Throws bad-flag where it cannot listen. */
export async function serveLive(
  address: LiveAddress,
  served: Served,
  hostsAt: (at: LiveAddress) => readonly string[],
): Promise<{ readonly port: number; readonly close: () => Promise<void> }> {
  let guard = createGuard(served.token, []);
  const app = openApp(() => guard);
  addFiles(app, served);
  addQuestions(app, served);
  addEvents(app, served);
  try {
    await app.listen(address);
  } catch (cause) {
    throw cannotServe(address, cause);
  }
  const bound = app.server.address();
  if (bound === null || typeof bound === 'string') throw new TypeError('the page has no TCP address');
  guard = createGuard(served.token, hostsAt({ host: address.host, port: bound.port }));
  return { port: bound.port, close: () => app.close() };
}
