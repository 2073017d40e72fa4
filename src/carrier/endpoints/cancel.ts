import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Carrier } from '../carrier.ts';
import { authenticateClient } from '../client-authentication.ts';
import { cancel as cancelRequest } from '../outcomes.ts';
import { onlyPost } from './only-post.ts';
import { parametersOf } from './parameters.ts';

const path = '/cancel';

/** §4.4. */
export function cancel(app: FastifyInstance, carrier: Carrier): void {
  app.post(path, (request, reply) => answer(carrier, request, reply));
  onlyPost(app, path);
}

function answer(carrier: Carrier, call: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { readRequest, onRequest } = carrier.definition.cancel;
  const parameters = parametersOf(call);
  const { authorization } = call.headers;
  const client = authenticateClient({ carrier, parameters, authorization, endpoint: path });
  const context = readRequest.read({ client, parameters, requests: carrier.requests });
  for (const { run } of onRequest) run(context);
  cancelRequest(carrier, context.request);
  return reply.send({ auth_req_id: context.request.id });
}
