import { check, type ObjectContext } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';

/** RFC 9101 §6.3: a client_id outside names the same client as the one inside. */
export const clientIdBesideIsTheSame = check('client-id-beside-is-the-same', ({ outside, claims }: ObjectContext) => {
  if (Object.hasOwn(outside, 'client_id') && outside['client_id'] !== claims['client_id']) {
    refuse('invalid_request', 'client_id differs inside and outside the request object');
  }
});
