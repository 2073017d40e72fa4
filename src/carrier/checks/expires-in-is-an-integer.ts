import { check, type KeyContext, requireInteger } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';

/** §2.3 expires_in: a JSON integer, at least one second. */
export const expiresInIsAnInteger = check('expires-in-is-an-integer', (context: KeyContext) => {
  if (requireInteger(context, 'expires_in') < 1) refuse('invalid_request', 'expires_in must be at least 1');
});
