import { check } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';
import type { TraitBody } from '../pipeline/usertrait-context.ts';

/** §2.8 usertrait: the only supported value is sim_tenure. */
export const traitIsSimTenure = check('trait-is-sim-tenure', ({ body }: TraitBody) => {
  if (body['usertrait'] !== 'sim_tenure') refuse('invalid_request', 'usertrait must be sim_tenure');
});
