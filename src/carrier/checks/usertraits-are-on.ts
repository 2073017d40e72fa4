import { check } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';
import type { ProofContext } from '../pipeline/usertrait-context.ts';

/** §4.7: access requires enabling through the SP portal. */
export const usertraitsAreOn = check('usertraits-are-on', ({ client }: ProofContext) => {
  if (client.flags.get('usertraits_enabled') !== true) {
    refuse('unauthorized_client', 'the client is not registered for usertraits', 403);
  }
});
