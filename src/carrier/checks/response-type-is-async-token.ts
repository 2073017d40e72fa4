import { check, type KeyContext, requireString } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';

/** §2.3 response_type: async_token, as the text spells it (A1). */
export const responseTypeIsAsyncToken = check('response-type-is-async-token', (context: KeyContext) => {
  if (context.claims['response_type'] === '') refuse('unsupported_response_type', 'response_type must be async_token');
  if (requireString(context, 'response_type') !== 'async_token') {
    refuse('unsupported_response_type', 'response_type must be async_token');
  }
});
