import { plainRequest } from '../../wire/build/http-request.ts';
import { type CaseContext, Unmet } from '../context/case-context.ts';
import { endpointUrl } from '../context/endpoints.ts';
import { exchange, inTurn } from '../context/exchange.ts';
import { observationContext } from '../context/open-context.ts';

/**
 * Reads what the invariants need to judge what came so far: the keys, where no key that was read verifies a token, as an SP
 * does. It belongs to no step. Where it cannot be read, the invariants say what they could not judge.
 */
export async function readLacked(ctx: CaseContext): Promise<void> {
  for (const to of ctx.world.invariants.lacks()) {
    try {
      const http = plainRequest(endpointUrl(to, ctx.world), { to, method: 'GET' }, ctx.scope());
      const order = { step: '', purpose: to, http, differences: [], endpoint: to, unrecorded: true } as const;
      const response = await inTurn(ctx, () => exchange(order, ctx));
      ctx.world.invariants.onReading(response, observationContext(ctx, { sent: response, response }));
    } catch (error) {
      if (!(error instanceof Unmet)) throw error;
    }
  }
}
