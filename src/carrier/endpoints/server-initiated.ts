import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { bytesOf } from '../body.ts';
import type { Carrier } from '../carrier.ts';
import { type JsonObject, stringMember } from '../json.ts';
import type { Reply } from '../makers.ts';
import { approveSilently, openRequest } from '../outcomes.ts';
import { runPipeline } from '../pipeline.ts';
import { refuse, Refusal } from '../refusal.ts';
import { queryOf } from './query.ts';

const path = '/bc-authorize';

/** §4.1. */
export function serverInitiated(app: FastifyInstance, carrier: Carrier): void {
  app.post(path, (request, reply) => authorize(carrier, request, reply));
  app.route({
    method: ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    url: path,
    handler: (_request, reply) => {
      reply.header('allow', 'POST');
      refuse('invalid_request', 'the method must be POST', 405);
    },
  });
}

async function authorize(carrier: Carrier, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  let correlationId: string | undefined;
  try {
    const context = runPipeline(carrier.definition.pipeline, readMessage(carrier, request), ({ claims }) => {
      correlationId = stringMember(claims, 'correlation_id');
    });
    const accepted = openRequest(carrier, context);
    const answer = carrier.definition.makers.answer(accepted, carrier.definition.policy);
    if (accepted.wanted.prompt.includes('none')) approveSilently(carrier, accepted);
    await write(reply, answer);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await write(reply, carrier.definition.makers.refusal(error, correlationId));
  }
}

/** As text, so that the content type is the maker's to choose. */
async function write(reply: FastifyReply, { status, headers, body }: Reply): Promise<void> {
  const type = { 'content-type': 'application/json; charset=utf-8' };
  await reply
    .code(status)
    .headers({ ...type, ...headers })
    .send(JSON.stringify(body));
}

function readMessage(carrier: Carrier, request: FastifyRequest) {
  const query: JsonObject = queryOf(request);
  return {
    policy: carrier.definition.policy,
    now: carrier.clock.now(),
    issuer: carrier.issuer,
    accounts: carrier.accounts,
    replays: carrier.replays,
    contentType: request.headers['content-type'] ?? '',
    accept: request.headers.accept ?? '',
    bytes: bytesOf(request),
    query,
  };
}
