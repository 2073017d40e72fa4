import { reader } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';
import { parseStrictObject, StrictJsonError } from '../jose/strict-json.ts';
import type { TraitBody, TraitMessage } from '../pipeline/usertrait-context.ts';

/** §4.7: the payload is a JSON object. */
export const traitBodyIsJson = reader('trait-body-is-json', (context: TraitMessage): TraitBody => {
  try {
    return { ...context, body: parseStrictObject(context.bytes).value };
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    return refuse('invalid_request', 'the body must be one JSON object');
  }
});
