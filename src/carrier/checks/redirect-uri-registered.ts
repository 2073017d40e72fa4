import { check, type KeyContext, requireString } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';

/** §2.3 redirect_uri: equals a registered URI, character by character; registration admits https and custom schemes only. */
export const redirectUriRegistered = check('redirect-uri-registered', (context: KeyContext) => {
  if (!context.client.redirectUris.includes(requireString(context, 'redirect_uri'))) {
    refuse('invalid_request', 'redirect_uri is not registered for the client');
  }
});
