import { check, hasClaim, type KeyContext, requireString } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';

/** §2.3 sub: the client_id; a carrier may do without it (A18), never with another value. */
export const subIsTheClient = check('sub-is-the-client', (context: KeyContext) => {
  if (!hasClaim(context, 'sub') && !context.policy.subRequired) return;
  const sub = requireString(context, 'sub', 'invalid_client');
  if (sub !== context.client.clientId) refuse('invalid_client', 'sub must equal client_id');
});
