import { type HintTokenContext, type KeyContext, optionalString, reader } from '../pipeline/context.ts';
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
