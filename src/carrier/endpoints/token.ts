import type { FastifyInstance, FastifyRequest } from 'fastify';
import { bytesOf } from '../body.ts';
import { formType, mediaType } from '../checks/content-type-is-json.ts';
import type { Carrier } from '../carrier.ts';
import type { JsonObject } from '../json.ts';
import { refuse } from '../refusal.ts';
import { parseStrictObject, StrictJsonError } from '../strict-json.ts';

/** §4.3: form or JSON; only the grant types of the definition. */
export function token(app: FastifyInstance, carrier: Carrier): void {
  app.post('/token', (request, reply) => {
    const parameters = readParameters(request);
    const type = parameters['grant_type'];
    if (typeof type !== 'string') refuse('invalid_request', 'grant_type is required');
    const { grants } = carrier.definition;
    const grant = Object.hasOwn(grants, type) ? grants[type] : undefined;
    if (grant === undefined) refuse('unsupported_grant_type', 'the grant type is not supported');
    return reply.send(grant({ carrier, parameters, authorization: request.headers.authorization }));
  });
}

function readParameters(request: FastifyRequest): JsonObject {
  const type = mediaType(request.headers['content-type'] ?? '');
  const bytes = bytesOf(request);
  if (type === 'application/json') return readJson(bytes);
  if (type !== formType) refuse('invalid_request', 'the content type must be a form or JSON', 415);
  const pairs = [...new URLSearchParams(bytes.toString('utf8'))];
  const members = Object.fromEntries(pairs);
  if (Object.keys(members).length < pairs.length) refuse('invalid_request', 'a parameter is given twice');
  return members;
}

function readJson(bytes: Uint8Array): JsonObject {
  try {
    return parseStrictObject(bytes).value;
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    return refuse('invalid_request', 'the body must be one JSON object');
  }
}
