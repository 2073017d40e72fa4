import { check, type KeyContext, requireString } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';

/** §2.3 iss: equals client_id. */
export const issIsTheClient = check('iss-is-the-client', (context: KeyContext) => {
  const iss = requireString(context, 'iss', 'invalid_client');
  if (iss !== context.client.clientId) refuse('invalid_client', 'iss must equal client_id');
});
