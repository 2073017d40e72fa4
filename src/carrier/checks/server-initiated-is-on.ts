import { check, type KeyContext } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';

/** §1.3: the client is registered for server-initiated access. */
export const serverInitiatedIsOn = check('server-initiated-is-on', ({ client }: KeyContext) => {
  if (client.flags.get('server_initiated') !== true) {
    refuse('unauthorized_client', 'the client is not registered for server-initiated access');
  }
});
