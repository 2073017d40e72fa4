import type { RegisteredKey } from '../state/accounts.ts';
import { type ClientContext, type KeyContext, reader } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';

/** §2.2 kid: required where the client registered more than one key, and then it names one of them. */
export const kidSelectsTheKey = reader(
  'kid-selects-the-key',
  (context: ClientContext): KeyContext => ({
    ...context,
    key: selectKey(context),
  }),
);

function selectKey({ header, client }: ClientContext): RegisteredKey {
  if (!Object.hasOwn(header, 'kid')) {
    const [only, ...others] = client.keys.values();
    if (only !== undefined && others.length === 0) return only;
    return refuse('invalid_request_object', 'kid is required: the client registered several keys');
  }
  const kid = header['kid'];
  const key = typeof kid === 'string' ? client.keys.get(kid) : undefined;
  return key ?? refuse('invalid_request_object', 'kid names no registered key of the client');
}
