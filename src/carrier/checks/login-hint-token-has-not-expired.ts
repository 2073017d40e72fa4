import { check, type HintTokenContext, seconds } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';

/** §2.7 exp. */
export const loginHintTokenHasNotExpired = check('login-hint-token-has-not-expired', (context: HintTokenContext) => {
  if (!(Number(context.hint['exp']) > seconds(context))) {
    refuse('expired_login_hint_token', 'login_hint_token has expired');
  }
});
