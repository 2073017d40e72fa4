import { reader } from '../pipeline/context.ts';
import { stringMember } from '../json.ts';
import { refuse } from '../refusal.ts';
import { refuseProof, type TraitBody, type TraitClient } from '../pipeline/usertrait-context.ts';

/** §2.8 client_id: it says whose key the proof is to show. */
export const traitClientIsRegistered = reader('trait-client-is-registered', (context: TraitBody): TraitClient => {
  const id = stringMember(context.body, 'client_id') ?? refuse('invalid_request', 'client_id is required');
  const client = context.accounts.clients.get(id);
  if (client === undefined || client.disabled) return refuseProof('client_id is not a registered client');
  return { ...context, client };
});
