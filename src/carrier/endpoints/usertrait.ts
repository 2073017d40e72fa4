import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Carrier } from '../carrier.ts';
import { stringMember } from '../json.ts';
import { Refusal } from '../refusal.ts';
import { optional } from '../state/requests.ts';
import type { TraitBody } from '../pipeline/usertrait-context.ts';
import { runTraitPipeline } from '../pipeline/usertrait.ts';
import { messageOf } from './message.ts';

/** One query, as the audit log of §4.7 keeps it. */
export interface AuditEntry {
  /** Milliseconds. */
  readonly at: number;
  readonly client_id?: string;
  readonly sub?: string;
  readonly correlation_id?: string;
  /** What was answered, or the code of the refusal. */
  readonly outcome: string;
}

/** §4.7. */
export async function usertrait(carrier: Carrier, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { usertraits, traits, policy } = carrier.definition;
  let body: TraitBody['body'] = {};
  try {
    const { subscriber } = runTraitPipeline(usertraits, readMessage(carrier, request), (seen) => {
      body = seen.body;
    });
    const tenure = traits.tenure(subscriber, { policy, now: carrier.clock.now() });
    audit(carrier, body, tenure);
    await reply.send(traits.answer(tenure));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    audit(carrier, body, error.error);
    await reply.code(error.status).headers(error.headers).send(traits.refusal(error));
  }
}

function readMessage(carrier: Carrier, request: FastifyRequest) {
  return {
    ...messageOf(carrier, request),
    method: request.method,
    target: request.url,
    origin: carrier.origin,
    mccmnc: carrier.mccmnc,
    header: (name: string) => {
      const value = request.headers[name];
      return typeof value === 'string' ? value : undefined;
    },
  };
}

function audit({ audited, clock }: Carrier, body: TraitBody['body'], outcome: string): void {
  audited.push({
    at: clock.now(),
    ...optional('client_id', stringMember(body, 'client_id')),
    ...optional('sub', stringMember(body, 'sub')),
    ...optional('correlation_id', stringMember(body, 'correlation_id')),
    outcome,
  });
}
