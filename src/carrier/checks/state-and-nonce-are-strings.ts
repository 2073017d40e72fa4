import { check, type KeyContext, optionalString } from '../pipeline/context.ts';

/** §2.3 state, nonce: strings, carried unchanged. */
export const stateAndNonceAreStrings = check('state-and-nonce-are-strings', (context: KeyContext) => {
  optionalString(context, 'state');
  optionalString(context, 'nonce');
});
