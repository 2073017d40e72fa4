import { check, hasClaim, type KeyContext } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';

/** §2.3: one of login_hint and login_hint_token is required. */
export const oneLoginHint = check('one-login-hint', (context: KeyContext) => {
  if (!hasClaim(context, 'login_hint') && !hasClaim(context, 'login_hint_token')) {
    refuse('invalid_request', 'login_hint is required');
  }
});
