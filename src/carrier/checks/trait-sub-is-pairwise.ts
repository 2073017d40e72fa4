import { check } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';
import type { TraitBody } from '../pipeline/usertrait-context.ts';

/** §2.8 sub: the carrier code, a dash, and the rest. */
export const traitSubIsPairwise = check('trait-sub-is-pairwise', ({ body, mccmnc }: TraitBody) => {
  const { sub } = body;
  if (typeof sub !== 'string' || !sub.startsWith(`${mccmnc}-`) || sub.length > 255) {
    refuse('invalid_request', 'sub must be a subscriber id of this carrier');
  }
});
