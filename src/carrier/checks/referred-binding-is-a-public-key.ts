import { importPublicJwk } from '../state/accounts.ts';
import { check, hasClaim, type KeyContext } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';

/** §2.3 referred_binding: a public JWK strong enough to bind a token to. */
export const referredBindingIsAPublicKey = check('referred-binding-is-a-public-key', (context: KeyContext) => {
  if (hasClaim(context, 'referred_binding') && importPublicJwk(context.claims['referred_binding']) === undefined) {
    refuse('invalid_request', 'referred_binding must be a public JWK: RSA of 2048 bits or more, or EC P-256');
  }
});
