import type { JsonObject } from '../json.ts';
import type { Authentication, AuthorizationRequest } from '../state/requests.ts';

/** What the phone shows for a request, or showed last (§2.3 context, prompt, options). */
export function renderCard(request: AuthorizationRequest, authentication: Authentication): JsonObject {
  const { wanted, consentScreen, state, openedUri } = request;
  const asked = wanted.context === undefined ? [] : ['context'];
  return {
    shown: state === 'pending',
    context: wanted.context ?? null,
    scopes: wanted.scopes,
    consentScreen,
    order: consentScreen.length === 0 ? asked : ['consent', ...asked],
    authentication,
    colourMode: colourMode(wanted.options),
    openedUri: openedUri ?? null,
  };
}

/** §2.3 options: light and dark together are ignored. */
function colourMode(options: readonly string[]): string {
  const light = options.includes('light');
  const dark = options.includes('dark');
  if (light === dark) return 'system';
  return light ? 'light' : 'dark';
}
