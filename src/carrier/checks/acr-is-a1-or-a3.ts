import { check, type KeyContext, optionalString } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';

/** §2.3 acr_values: one of a1 and a3; a2 must not be used and anything else is not recognized. */
export const acrIsA1OrA3 = check('acr-is-a1-or-a3', (context: KeyContext) => {
  const acr = optionalString(context, 'acr_values');
  if (acr !== undefined && acr !== 'a1' && acr !== 'a3') refuse('invalid_request', 'acr_values must be a1 or a3');
});
