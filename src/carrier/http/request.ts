import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Policy } from '../policy.ts';
import { parseStrictObjectOr } from '../jose/strict-json.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import { Refusal, refuse } from '../refusal.ts';

/** Maximum bytes read of an oversized body, so that its sender gets the response and not a broken pipe. */
const maxDrain = 33_554_432;

/** Yields the chunks of a body; throws a Refusal if the sender disconnects before the end. */
async function* readChunks(payload: IncomingMessage): AsyncGenerator<unknown> {
  try {
    yield* payload;
  } catch (cause) {
    if (!payload.complete) throw new Refusal('invalid_request', 'the body ends too early');
    throw cause;
  }
}

/** Hands every body to the endpoints as bytes, whatever its content type: the checks decide. */
export function takeBodiesAsBytes(
  app: FastifyInstance,
  { bodyMax, bodiesAtOnce }: Pick<Policy, 'bodyMax' | 'bodiesAtOnce'>,
): void {
  const inTurn = limitConcurrency(bodiesAtOnce);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request: FastifyRequest, payload: IncomingMessage) =>
    inTurn(() => readBytes(payload, bodyMax)),
  );
}

/** Runs at most `most` tasks at a time; the others wait in order of arrival. */
function limitConcurrency(most: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let taken = 0;
  return async (task) => {
    if (taken < most) taken += 1;
    else await new Promise<void>((begin) => waiting.push(begin));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next === undefined) taken -= 1;
      else next();
    }
  };
}

export const bodyBytes = ({ body }: FastifyRequest): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0));

async function readBytes(payload: IncomingMessage, max: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of readChunks(payload)) {
    if (!Buffer.isBuffer(chunk)) throw new TypeError('a body that is not bytes');
    const bytes: Buffer = chunk;
    length += bytes.length;
    if (length <= max) chunks.push(bytes);
    else chunks.length = 0;
    if (length > maxDrain) break;
  }
  if (length > max) throw new Refusal('invalid_request', 'the body is too long');
  return Buffer.concat(chunks);
}

/** The query parameters; a repeated one is a list. */
export const queryParameters = ({ query }: FastifyRequest): JsonObject => (isJsonObject(query) ? { ...query } : {});

/** The path parameters or the JSON body of an admin call. */
export function readRequestPart(request: FastifyRequest, part: 'params' | 'body'): JsonObject {
  const value: unknown = request[part];
  if (value === null || value === undefined) return {};
  return isJsonObject(value) ? value : refuse('invalid_request', `the ${part} must be a JSON object`);
}

/** Parameters of a POST, a form or JSON; refuses one given twice. */
export function readParameters(request: FastifyRequest): JsonObject {
  const type = parseMediaType(request.headers['content-type'] ?? '');
  const bytes = bodyBytes(request);
  if (type === 'application/json') return readJson(bytes);
  if (type !== formType) refuse('invalid_request', 'the content type must be a form or JSON', 415);
  return readForm(bytes);
}

export const formType = 'application/x-www-form-urlencoded';

export const parseMediaType = (contentType: string): string => (contentType.split(';')[0] ?? '').trim().toLowerCase();

/** Parameters of a form; refuses one given twice. */
export function readForm(bytes: Uint8Array): JsonObject {
  const pairs = [...new URLSearchParams(Buffer.from(bytes).toString('utf8'))];
  const members = Object.fromEntries(pairs);
  if (Object.keys(members).length < pairs.length) refuse('invalid_request', 'a parameter is given twice');
  return members;
}

/** Reads one JSON object; refuses duplicate members. */
export const readJson = (bytes: Uint8Array): JsonObject =>
  parseStrictObjectOr(bytes, () => refuse('invalid_request', 'the body must be one JSON object')).value;
