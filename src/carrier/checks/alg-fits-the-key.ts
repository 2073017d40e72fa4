import { check, type KeyContext } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';

/** RFC 8725 §3.1: a key is used with the one algorithm it was registered for. */
export const algFitsTheKey = check('alg-fits-the-key', ({ header, key }: KeyContext) => {
  if (header['alg'] !== key.alg) refuse('invalid_request_object', 'alg does not fit the registered key');
});
