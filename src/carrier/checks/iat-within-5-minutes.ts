import { check, type KeyContext, seconds } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';

/** §5.1: a request object is at most 5 minutes old; one from the future is nobody's. */
export const iatWithin5Minutes = check('iat-within-5-minutes', (context: KeyContext) => {
  const age = seconds(context) - Number(context.claims['iat']);
  if (age > context.policy.iatMaxAge) refuse('invalid_request', 'iat is more than 5 minutes ago');
  if (-age > context.policy.iatMaxAhead) refuse('invalid_request', 'iat is in the future');
});
