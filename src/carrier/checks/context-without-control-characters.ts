import { check, type KeyContext, optionalString } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';
import { percentDecoded } from './context-8-to-240.ts';

const control = /\p{Cc}/u;

/** §2.3 context: text for a person to read; control characters are outside every reading of the pattern (A17). */
export const contextWithoutControlCharacters = check('context-without-control-characters', (context: KeyContext) => {
  const text = optionalString(context, 'context');
  if (text !== undefined && control.test(percentDecoded(text))) {
    refuse('invalid_request', 'context holds control characters');
  }
});
