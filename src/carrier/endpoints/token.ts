import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Carrier } from '../carrier.ts';
import { refuse } from '../refusal.ts';
import { parametersOf } from '../http/parameters.ts';

/** §4.3: form or JSON; only the grant types of the definition. */
export function token(carrier: Carrier, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const parameters = parametersOf(request);
  const type = parameters['grant_type'];
  if (typeof type !== 'string') refuse('invalid_request', 'grant_type is required');
  const { grants } = carrier.definition;
  const grant = Object.hasOwn(grants, type) ? grants[type] : undefined;
  if (grant === undefined) refuse('unsupported_grant_type', 'the grant type is not supported');
  return reply.send(grant({ carrier, parameters, authorization: request.headers.authorization }));
}
