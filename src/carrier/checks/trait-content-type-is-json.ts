import { check } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';
import type { TraitMessage } from '../pipeline/usertrait-context.ts';
import { mediaType } from './content-type-is-json.ts';

/** §4.7: no form here. */
export const traitContentTypeIsJson = check('trait-content-type-is-json', ({ contentType }: TraitMessage) => {
  if (mediaType(contentType) !== 'application/json') {
    refuse('invalid_request', 'the content type must be application/json', 415);
  }
});
