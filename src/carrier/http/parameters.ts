import type { FastifyRequest } from 'fastify';
import { bytesOf } from './body.ts';
import { formType, mediaType } from '../checks/content-type-is-json.ts';
import type { JsonObject } from '../json.ts';
import { refuse } from '../refusal.ts';
import { parseStrictObject, StrictJsonError } from '../jose/strict-json.ts';

/** The parameters of a POST, form or JSON, each given once. */
export function parametersOf(request: FastifyRequest): JsonObject {
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
