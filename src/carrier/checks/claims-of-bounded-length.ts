import { check, type ObjectContext } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';

/** No claim of §2.3 needs this much; it bounds what is stored while the request is pending. */
export const claimsOfBoundedLength = check('claims-of-bounded-length', ({ texts, policy }: ObjectContext) => {
  for (const text of texts.values()) {
    if (text.length > policy.claimMax) refuse('invalid_request', 'a claim is too long');
  }
});
