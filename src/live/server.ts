import type { OperatorAnswer } from '../engine/context/operator.ts';
import { isJsonObject, type Json, type JsonObject, parseJson, omitUndefined } from '../lib/json.ts';
import { maxPersonName } from '../model/person-act.ts';
import { CarrierspecError } from '../model/problem.ts';
import { scripts } from '../report/html/assets.ts';
import { html, type Markup } from '../report/html/links.ts';
import { liveStyle } from '../report/html/page.ts';
import { boundConnections } from '../wire/receive/connections.ts';
import { type AnswerAttempt, type Person, type Desk, type DeskOutcome, unnamedPerson } from './desk.ts';
import { createGuard, type LiveAddress, refusalWords } from './guard.ts';
import { heartbeat, type Streams } from './streams.ts';
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';

/** Only the page's own server may supply content; the page cannot be framed, and no text becomes markup. */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const partSection = (id: string, title: string, content: Markup): Markup =>
  html`<section class="live-part" id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title" tabindex="-1">${title}</h2>${content}</section>`;

const nameForm: Markup = html`<form class="who" id="who"><label for="name">Your name</label><input id="name" name="name" maxlength="40" autocomplete="nickname"></form>`;

const messageStrip: Markup = html`<section class="strip" id="strip" aria-label="Messages"><p class="connection" id="connection" role="status">connecting</p><p id="told" role="status"></p></section>`;

const rows = (id: string): Markup => html`<ol class="plain-list" id="${id}"></ol>`;

const parts: Markup = html`${partSection('due', 'To do', html`<p id="acts"></p><p id="nothing">Nothing to do now.</p><div id="questions"></div><p id="later" class="quiet"></p>`)}
${partSection('progress', 'Progress', html`<svg class="bar" viewBox="0 0 100 2" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="2"/><rect class="full" id="bar" width="0" height="2"/></svg><p id="done"></p><p id="times" class="quiet"></p>`)}
${partSection('waits', 'What waits', html`<div id="wait-rows"></div>`)}
${partSection('findings', 'Findings', rows('finding-rows'))}
${partSection('answers', 'Answered', rows('answer-rows'))}
${partSection('exchanges', 'Exchanges', html`<h3 class="quiet">The last come first</h3>${rows('message-rows')}`)}`;

/** The page, which its script fills. `subject` describes the run. */
function renderLivePage(subject: string): string {
  const body = html`<header class="live-head"><h1>${subject}</h1>${nameForm}</header>${messageStrip}<main>
${parts}
</main><noscript><p class="note">This page needs JavaScript; the terminal asks the same questions.</p></noscript>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${html`${subject}`.markup} – carrierspec</title>
<link rel="stylesheet" href="style.css">
<script defer src="live.js"></script>
</head>
<body data-heartbeat="${heartbeat}">
${body.markup}
</body>
</html>
`;
}

/** Character limits of a request; one that exceeds them is malformed. */
const maxIdLength = 64;
const maxAnswerNote = 2000;

const acceptedWords: readonly OperatorAnswer['word'][] = ['done', 'yes', 'no', 'cannot'];
const idPattern = /^[\w-]+$/;

const boundedText = (from: JsonObject, name: string, longest: number): string | undefined => {
  const value = from[name];
  return typeof value === 'string' && value.length <= longest ? value : undefined;
};

function boundedId(from: JsonObject, name: string): string | undefined {
  const id = boundedText(from, name, maxIdLength);
  return id !== undefined && idPattern.test(id) ? id : undefined;
}

/** Sender of a request, with a default name. */
function parsePerson(body: Json | undefined): Person | undefined {
  if (!isJsonObject(body)) return undefined;
  const id = boundedId(body, 'person');
  const name = boundedText(body, 'name', maxPersonName);
  if (id === undefined || name === undefined) return undefined;
  const plain = name.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return { id, name: plain === '' ? unnamedPerson : plain };
}

interface TakeRequest {
  readonly question: string;
  readonly person: Person;
}

function parseTakeRequest(body: Json | undefined): TakeRequest | undefined {
  const person = parsePerson(body);
  if (person === undefined || !isJsonObject(body)) return undefined;
  const question = boundedId(body, 'question');
  return question === undefined ? undefined : { question, person };
}

/** Answer in a request; undefined if its word or note is invalid. */
function parseAnswer(body: JsonObject): OperatorAnswer | undefined {
  const word = acceptedWords.find((one) => one === body['word']);
  const note = body['note'] === undefined ? '' : boundedText(body, 'note', maxAnswerNote);
  if (word === undefined || note === undefined) return undefined;
  return { word, ...omitUndefined({ note: note.trim() || undefined }) };
}

function parseAnswerRequest(body: Json | undefined): (AnswerAttempt & { readonly question: string }) | undefined {
  const taking = parseTakeRequest(body);
  if (taking === undefined || !isJsonObject(body)) return undefined;
  const attempt = boundedId(body, 'attempt');
  const answer = parseAnswer(body);
  if (attempt === undefined || answer === undefined) return undefined;
  return { question: taking.question, person: taking.person, attempt, answer };
}

/** Largest request body, in bytes. */
const maxBody = 16 * 1024;
const maxConnections = 100;

/** Time limit for receiving a request, in milliseconds. */
const requestTimeout = 60_000;

interface LivePage {
  readonly subject: string;
  readonly token: string;
  readonly desk: Desk;
  readonly streams: Streams;
}

/** Skips fastify's schema compilers: no route has a schema, and loading them would take most of the start-up time. */
const schemaController = { compilersFactory: { buildValidator: () => noSchema, buildSerializer: () => noSchema } };

function noSchema(): never {
  throw new TypeError('no route of this server has a schema');
}

const headers = {
  'content-security-policy': contentPolicy,
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

function addFiles(app: FastifyInstance, { token, subject }: LivePage): void {
  const send = (path: string, type: string, text: string): void => {
    app.get(`/${token}/${path}`, (_request, reply) => reply.type(`${type}; charset=utf-8`).send(text));
  };
  send('', 'text/html', renderLivePage(subject));
  // A chat may drop the final slash when it turns the address into a link.
  app.get(`/${token}`, (_request, reply) => reply.redirect(`/${token}/`, 308));
  send('style.css', 'text/css', liveStyle);
  send('live.js', 'text/javascript', scripts.live);
}

const parseJsonBody = (body: unknown): Json | undefined => (typeof body === 'string' ? parseJson(body) : undefined);

const sendWords = (reply: FastifyReply, status: number, words: string): FastifyReply =>
  reply.code(status).type('text/plain; charset=utf-8').send(words);

const sendRefusal = (reply: FastifyReply, status: number, why: string): FastifyReply =>
  reply.code(status).send({ why });

/** 404: no such question; 409: another person was first; 400: the answer does not fit the question. */
const outcomeStatuses = { unknown: 404, held: 409, answered: 409, unfit: 400 } as const;

const sendOutcome = (reply: FastifyReply, outcome: DeskOutcome): FastifyReply =>
  reply.code(outcome.done ? 200 : outcomeStatuses[outcome.why]).send(outcome);

function addQuestions(app: FastifyInstance, { token, desk }: LivePage): void {
  app.post(`/${token}/take`, (request, reply) => {
    const taking = parseTakeRequest(parseJsonBody(request.body));
    if (taking === undefined) return sendRefusal(reply, 400, 'malformed');
    return sendOutcome(reply, desk.take(taking.question, taking.person));
  });
  app.post(`/${token}/release`, (request, reply) => {
    const taking = parseTakeRequest(parseJsonBody(request.body));
    if (taking === undefined) return sendRefusal(reply, 400, 'malformed');
    return sendOutcome(reply, desk.release(taking.question, taking.person));
  });
  app.post(`/${token}/answer`, (request, reply) => {
    const given = parseAnswerRequest(parseJsonBody(request.body));
    if (given === undefined) return sendRefusal(reply, 400, 'malformed');
    return sendOutcome(reply, desk.answer(given.question, given));
  });
}

function addEvents(app: FastifyInstance, { token, streams }: LivePage): void {
  app.get(`/${token}/events`, (request, reply) => {
    const asked = isJsonObject(request.query) ? request.query : {};
    const person = boundedId(asked, 'person');
    if (person === undefined) return sendRefusal(reply, 400, 'malformed');
    const last = Number(request.headers['last-event-id'] ?? asked['seq']);
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, { ...headers, 'content-type': 'text/event-stream' });
    if (!streams.open(raw, { person, seq: Number.isSafeInteger(last) ? last : 0 })) raw.end();
    return reply;
  });
}

/** Whether the guard refuses the request; if so, the response is sent here. */
function sendIfRefused(guard: ReturnType<typeof createGuard>, request: FastifyRequest, reply: FastifyReply): boolean {
  reply.headers(headers);
  const refused = guard({ method: request.method, url: request.raw.url ?? '', headers: request.headers });
  if (refused === undefined) return false;
  void sendWords(reply, refused.status, refusalWords(refused, request.socket.localPort));
  return true;
}

/** Server without routes: every request is bounded and passes the guard first. */
function openApp(guardOf: () => ReturnType<typeof createGuard>): FastifyInstance {
  const app = fastify({
    schemaController,
    logger: false,
    bodyLimit: maxBody,
    requestTimeout,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    // A malformed URL passes no hook, so the guard checks it here.
    frameworkErrors: (_error, request, reply) => {
      if (!sendIfRefused(guardOf(), request, reply)) void sendRefusal(reply, 400, 'refused');
    },
  });
  boundConnections(app.server, maxConnections);
  app.addHook('onRequest', (request, reply, done) => {
    if (!sendIfRefused(guardOf(), request, reply)) done();
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.setErrorHandler((error, _request, reply) => {
    const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
    return sendRefusal(reply, status >= 400 && status <= 599 ? status : 500, status === 413 ? 'too large' : 'refused');
  });
  app.setNotFoundHandler((request, reply) =>
    sendWords(reply, 404, refusalWords({ why: 'token' }, request.socket.localPort)),
  );
  return app;
}

function cannotServe({ host, port }: LiveAddress, cause: unknown): CarrierspecError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
  const why = code === 'EADDRINUSE' ? 'another program listens there; give another port, or none for a free one' : code;
  return new CarrierspecError(`--live: the page cannot be served on ${host} port ${port}: ${why}`, {
    code: 'bad-flag',
    cause,
  });
}

/** Serves the page. Throws bad-flag if it cannot listen. */
export async function serveLive(
  address: LiveAddress,
  served: LivePage,
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
