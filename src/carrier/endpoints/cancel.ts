import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Carrier } from '../carrier.ts';
import { authenticateClient } from '../flow/client-authentication.ts';
import { cancel as cancelRequest } from '../flow/outcomes.ts';
import { parametersOf } from '../http/request.ts';
import { runCancelPipeline } from '../pipeline/cancel.ts';

/** §4.4. */
export function cancel(carrier: Carrier, call: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { definition, requests } = carrier;
  const parameters = parametersOf(call);
  const { authorization } = call.headers;
  const client = authenticateClient({ carrier, parameters, authorization, endpoint: '/cancel' });
  const request = runCancelPipeline(definition.cancel, { client, parameters, requests });
  cancelRequest(carrier, request);
  return reply.send({ auth_req_id: request.id });
}
