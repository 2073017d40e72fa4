import { type ClientContext, type ObjectContext, reader, requireString } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';

/** §2.3 client_id: a registered client that has not been disabled. */
export const clientIsRegistered = reader('client-is-registered', (context: ObjectContext): ClientContext => {
  const client = context.accounts.clients.get(requireString(context, 'client_id'));
  if (client === undefined || client.disabled) refuse('invalid_client', 'client_id is not a registered client');
  return { ...context, client };
});
