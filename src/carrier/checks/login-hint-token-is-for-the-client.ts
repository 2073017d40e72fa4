import { check, type HintTokenContext } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';

/** It is usable by the SP it was handed to, and by no other. */
export const loginHintTokenIsForTheClient = check('login-hint-token-is-for-the-client', (context: HintTokenContext) => {
  if (context.hint['client_id'] !== context.client.clientId) {
    refuse('invalid_login_hint_token', 'login_hint_token is not valid');
  }
});
