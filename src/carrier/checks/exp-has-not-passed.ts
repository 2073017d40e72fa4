import { check, type KeyContext, seconds } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';

/** RFC 7519 §4.1.4: not after exp; and exp comes after iat. */
export const expHasNotPassed = check('exp-has-not-passed', (context: KeyContext) => {
  const exp = Number(context.claims['exp']);
  if (exp + context.policy.expLeeway <= seconds(context)) refuse('invalid_request', 'exp has passed');
  if (exp <= Number(context.claims['iat'])) refuse('invalid_request', 'exp is not after iat');
});
