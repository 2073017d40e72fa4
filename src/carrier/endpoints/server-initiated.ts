import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Carrier } from '../carrier.ts';
import { stringMember } from '../json.ts';
import { approveSilently, openRequest } from '../flow/outcomes.ts';
import { runPipeline } from '../pipeline/server-initiated.ts';
import { Refusal } from '../refusal.ts';
import { messageOf } from './message.ts';
import { write } from './write.ts';

/** §4.1. */
export async function serverInitiated(carrier: Carrier, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  let correlationId: string | undefined;
  try {
    const context = await runPipeline(carrier.definition.pipeline, messageOf(carrier, request), ({ claims }) => {
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
