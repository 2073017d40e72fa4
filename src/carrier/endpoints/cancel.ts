import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Carrier } from '../carrier.ts';
import { authenticateClient } from '../flow/client-authentication.ts';
import { cancel as cancelRequest } from '../flow/outcomes.ts';
import { parametersOf } from '../http/parameters.ts';

/** §4.4. */
export function cancel(carrier: Carrier, call: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { readRequest, onRequest } = carrier.definition.cancel;
  const parameters = parametersOf(call);
  const { authorization } = call.headers;
  const client = authenticateClient({ carrier, parameters, authorization, endpoint: '/cancel' });
  const context = readRequest.read({ client, parameters, requests: carrier.requests });
  for (const { run } of onRequest) run(context);
  cancelRequest(carrier, context.request);
  return reply.send({ auth_req_id: context.request.id });
}
