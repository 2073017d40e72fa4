import type { FastifyRequest } from 'fastify';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { refuse } from '../refusal.ts';

/** The query parameters; a repeated one is a list. */
export function queryOf({ query }: FastifyRequest): JsonObject {
  const members: Record<string, Json> = {};
  if (!isJsonObject(query)) return members;
  for (const [name, value] of Object.entries(query)) members[name] = value;
  return members;
}

/** The path parameters or the JSON body of an admin call. */
export function memberOf(request: FastifyRequest, part: 'params' | 'body'): JsonObject {
  const value: unknown = request[part];
  if (value === null || value === undefined) return {};
  return isJsonObject(value) ? value : refuse('invalid_request', `the ${part} must be a JSON object`);
}
