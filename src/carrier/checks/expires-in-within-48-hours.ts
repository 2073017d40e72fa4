import { check, type KeyContext } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';

/** §2.3 expires_in: carriers may error above 48 hours. */
export const expiresInWithin48Hours = check('expires-in-within-48-hours', ({ claims, policy }: KeyContext) => {
  if (Number(claims['expires_in']) > policy.maxExpiresIn) refuse('invalid_request', 'expires_in is above 48 hours');
});
