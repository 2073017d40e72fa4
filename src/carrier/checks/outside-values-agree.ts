import { check, hasClaim, type KeyContext } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';

/** §2.1: a carrier may reject a request whose inside and outside values differ; by default they are not looked at. */
export const outsideValuesAgree = check('outside-values-agree', (context: KeyContext) => {
  if (context.policy.outside === 'ignore') return;
  for (const [name, value] of Object.entries(context.outside)) {
    if (!hasClaim(context, name) || name === 'sdk_version') continue;
    if (JSON.stringify(value) !== JSON.stringify(context.claims[name])) {
      refuse('invalid_request', 'a value differs inside and outside the request object');
    }
  }
});
