import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Carrier } from '../carrier.ts';
import { defined, type JsonObject, stringMember } from '../json.ts';
import type { TraitMessage } from '../pipeline/context.ts';
import { runTraitPipeline } from '../pipeline/usertrait.ts';
import { Refusal } from '../refusal.ts';
import { messageOf } from './message.ts';

/** §4.7. */
export async function usertrait(carrier: Carrier, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { usertraits, traits, policy } = carrier.definition;
  let body: JsonObject = {};
  try {
    const { subscriber } = runTraitPipeline(usertraits, readMessage(carrier, request), (seen) => {
      body = seen.body;
    });
    const tenure = traits.tenure(subscriber, { policy, now: carrier.clock.now() });
    audit(carrier, body, tenure);
    await reply.send(traits.response(tenure));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    audit(carrier, body, error.error);
    await reply.code(error.status).headers(error.headers).send(traits.refusal(error));
  }
}

function readMessage(carrier: Carrier, request: FastifyRequest): TraitMessage {
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

function audit({ audited, clock }: Carrier, body: JsonObject, outcome: string): void {
  const asked = defined({
    client_id: stringMember(body, 'client_id'),
    sub: stringMember(body, 'sub'),
    correlation_id: stringMember(body, 'correlation_id'),
  });
  audited.push({ at: clock.now(), ...asked, outcome });
}
