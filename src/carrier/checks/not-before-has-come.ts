import { check, hasClaim, type KeyContext, requireInteger, seconds } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';

/** RFC 7519 §4.1.5: not before nbf. */
export const notBeforeHasCome = check('not-before-has-come', (context: KeyContext) => {
  if (!hasClaim(context, 'nbf')) return;
  if (requireInteger(context, 'nbf') > seconds(context) + context.policy.notBeforeLeeway) {
    refuse('invalid_request', 'nbf is in the future');
  }
});
