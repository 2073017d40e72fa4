import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Response } from '../builders/authorization.ts';
import type { Carrier } from '../carrier.ts';
import { approveSilently, openRequest } from '../flow/outcomes.ts';
import { stringMember } from '../json.ts';
import { runPipeline } from '../pipeline/server-initiated.ts';
import { Refusal } from '../refusal.ts';
import { messageOf } from './message.ts';

/** §4.1. */
export async function serverInitiated(carrier: Carrier, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { pipeline, builders, policy } = carrier.definition;
  let correlationId: string | undefined;
  try {
    const context = await runPipeline(pipeline, messageOf(carrier, request), ({ claims }) => {
      correlationId = stringMember(claims, 'correlation_id');
    });
    const accepted = openRequest(carrier, context);
    const response = builders.response(accepted, policy);
    if (accepted.wanted.prompt.includes('none')) approveSilently(carrier, accepted);
    await write(reply, response);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await write(reply, builders.refusal(error, correlationId));
  }
}

/** As text, so that the content type is the builder's to choose. */
async function write(reply: FastifyReply, { status, headers, body }: Response): Promise<void> {
  const type = { 'content-type': 'application/json; charset=utf-8' };
  await reply
    .code(status)
    .headers({ ...type, ...headers })
    .send(JSON.stringify(body));
}
