import { check, hasClaim, type KeyContext } from '../context.ts';
import { refuse } from '../refusal.ts';

/** §2.3: one of login_hint and login_hint_token; this carrier has issued no token of §4.6, so none can be valid. */
export const oneLoginHint = check('one-login-hint', (context: KeyContext) => {
  if (hasClaim(context, 'login_hint_token')) refuse('invalid_login_hint_token', 'login_hint_token is not valid');
  if (!hasClaim(context, 'login_hint')) refuse('invalid_request', 'login_hint is required');
});
