import { check, type KeyContext, seconds } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';

/** §5.1: exp at most 5 minutes ahead. */
export const expWithin5Minutes = check('exp-within-5-minutes', (context: KeyContext) => {
  if (Number(context.claims['exp']) - seconds(context) > context.policy.expMaxAhead) {
    refuse('invalid_request', 'exp is more than 5 minutes ahead');
  }
});
