import type { NamedCheck } from '../../../../judge/check.ts';
import { cancelEndpointSeparate } from './cancel-endpoint-separate.ts';
import { hintTokenIsJwe, hintTokenIsOpaque } from './hint-token-form.ts';
import { hintTokenHasPrecedence } from './hint-token-has-precedence.ts';

/** The named checks of cancel and login_hint_token (§2.7, §4.4), by the name a suite uses. */
export const tokensChecks: Readonly<Record<string, NamedCheck>> = {
  'cancel-endpoint-separate': cancelEndpointSeparate,
  'hint-token-has-precedence': hintTokenHasPrecedence,
  'hint-token-is-jwe': hintTokenIsJwe,
  'hint-token-is-opaque': hintTokenIsOpaque,
};
