import { check, type ClientContext } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';

/** §1.3: the client registered public keys; a secret does not count. */
export const clientHasAKey = check('client-has-a-key', ({ client }: ClientContext) => {
  if (client.keys.size === 0) refuse('invalid_client', 'the client has registered no key');
});
