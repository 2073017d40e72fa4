import { type HintTokenContext, type KeyContext, optionalString, seconds } from '../pipeline/context.ts';
import { check, reader } from '../pipeline/step.ts';
import { refuse } from '../refusal.ts';

/** §2.3, §4.6 login_hint_token: encrypted by this carrier, so only it can read it. */
export const loginHintTokenNamesASubscriber = reader(
  'login-hint-token-names-a-subscriber',
  (context: KeyContext): HintTokenContext => {
    const hint = context.openHintToken(optionalString(context, 'login_hint_token') ?? '');
    const subscriber = context.accounts.subscribers.get(typeof hint?.['sub'] === 'string' ? hint['sub'] : '');
    if (hint === undefined || subscriber === undefined) {
      return refuse('invalid_login_hint_token', 'login_hint_token is not valid');
    }
    return { ...context, hint, subscriber };
  },
);

/** §2.7 exp. */
export const loginHintTokenHasNotExpired = check('login-hint-token-has-not-expired', (context: HintTokenContext) => {
  if (!(Number(context.hint['exp']) > seconds(context))) {
    refuse('expired_login_hint_token', 'login_hint_token has expired');
  }
});

/** It is usable by the SP it was handed to, and by no other. */
export const loginHintTokenIsForTheClient = check('login-hint-token-is-for-the-client', (context: HintTokenContext) => {
  if (context.hint['client_id'] !== context.client.clientId) {
    refuse('invalid_login_hint_token', 'login_hint_token is not valid');
  }
});
