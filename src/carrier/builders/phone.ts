import type { JsonObject } from '../json.ts';
import type { Policy } from '../policy.ts';
import type { Client, Subscriber } from '../state/accounts.ts';
import type { Authentication, AuthorizationRequest, Wanted } from '../state/requests.ts';

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

/** §2.3: with prompt=consent all scopes, otherwise those not yet consented. */
export function scopesToConsent(wanted: Wanted, subscriber: Subscriber, client: Client): readonly string[] {
  const consented = subscriber.consents.get(client.name);
  return wanted.prompt.includes('consent')
    ? wanted.scopes
    : wanted.scopes.filter((scope) => consented?.has(scope) !== true);
}

/** §2.3 prompt and acr_values: what an approval at `now` (milliseconds) takes. */
export function authenticationNeeded(request: AuthorizationRequest, policy: Policy, now: number): Authentication {
  const age = (now - (request.subscriber.authenticatedAt ?? -Infinity)) / 1000;
  if (request.wanted.prompt.includes('login')) return age < policy.loginReuse ? 'reused' : 'full';
  if ((request.wanted.acr ?? policy.defaultAcr) === 'a1') return 'none';
  return age <= policy.authenticationReuse ? 'reused' : 'full';
}

/** §2.3 local_redirect: the client state, without the auth code. */
export function openedUri({ wanted: { options, redirectUri, state } }: AuthorizationRequest): string | undefined {
  if (!options.includes('local_redirect')) return undefined;
  if (state === undefined) return redirectUri;
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}state=${encodeURIComponent(state)}`;
}
