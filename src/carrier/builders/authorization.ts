import { type CarrierSigningKey, signJwt } from '../jose/jws.ts';
import { definedMembers, type JsonObject } from '../json.ts';
import type { SubscriberContext } from '../context.ts';
import type { Policy } from '../policy.ts';
import type { Refusal } from '../refusal.ts';
import type { ClientState, SubscriberState } from '../state/accounts.ts';
import {
  type Authentication,
  type AuthorizationRequest,
  makeAuthReqId,
  type AcceptedClaims,
} from '../state/requests.ts';
import { accessTokenClaims, type Approval, type RequestFailure, idTokenClaims, type Tokens } from './tokens.ts';

/** Card of a request as the phone shows it, or last showed it (§2.3 context, prompt, options). */
function renderCard(request: AuthorizationRequest, authentication: Authentication): JsonObject {
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
function scopesToConsent(wanted: AcceptedClaims, subscriber: SubscriberState, client: ClientState): readonly string[] {
  const consented = subscriber.consents.get(client.name);
  return wanted.prompt.includes('consent')
    ? wanted.scopes
    : wanted.scopes.filter((scope) => consented?.has(scope) !== true);
}

/** §2.3 prompt and acr_values: authentication that an approval at `now` (milliseconds) needs. */
function requiredAuthentication(request: AuthorizationRequest, policy: Policy, now: number): Authentication {
  const age = (now - (request.subscriber.authenticatedAt ?? -Infinity)) / 1000;
  if (request.wanted.prompt.includes('login')) return age < policy.loginReuse ? 'reused' : 'full';
  if ((request.wanted.acr ?? policy.defaultAcr) === 'a1') return 'none';
  return age <= policy.authenticationReuse ? 'reused' : 'full';
}

/** §2.3 local_redirect: redirect_uri with the state, without a code. */
function openedUri({ wanted: { options, redirectUri, state } }: AuthorizationRequest): string | undefined {
  if (!options.includes('local_redirect')) return undefined;
  if (state === undefined) return redirectUri;
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}state=${encodeURIComponent(state)}`;
}

/** An HTTP response before it is written. */
export interface CarrierResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
}

/** Decisions and messages after the checks, by name; a fault replaces one. */
export interface AuthorizationBuilders {
  readonly authReqId: (wanted: AcceptedClaims) => string;
  /** Life of a request, in seconds. */
  readonly granted: (wanted: AcceptedClaims, policy: Policy) => number;
  /** Scopes the user is asked to consent to. */
  readonly consentScreen: (
    wanted: AcceptedClaims,
    subscriber: SubscriberState,
    client: ClientState,
  ) => readonly string[];
  /** Authentication that an approval needs at `now`, in milliseconds. */
  readonly authentication: (request: AuthorizationRequest, policy: Policy, now: number) => Authentication;
  readonly acr: (request: AuthorizationRequest, policy: Policy) => string;
  readonly card: (request: AuthorizationRequest, authentication: Authentication) => JsonObject;
  /** Whether the user can still act on the request. */
  readonly isOpen: (request: AuthorizationRequest) => boolean;
  /** Whether an approval can still be honoured. */
  readonly mayComplete: (request: AuthorizationRequest) => boolean;
  /** Effective claims, chosen from the request object, the body and the query (§2.1). */
  readonly claims: (context: SubscriberContext) => JsonObject;
  /** Time-out of an unanswered request, in milliseconds since the epoch; undefined: never. */
  readonly timesOutAt: (request: AuthorizationRequest) => number | undefined;
  readonly response: (request: AuthorizationRequest, policy: Policy) => CarrierResponse;
  readonly refusal: (refusal: Refusal, correlationId: string | undefined) => CarrierResponse;
  readonly accessToken: (approval: Approval) => JsonObject;
  readonly issuesIdToken: (approval: Approval) => boolean;
  readonly idToken: (approval: Approval, accessToken: string) => JsonObject;
  /** Signs an id token with the carrier's key. */
  readonly signIdToken: (key: CarrierSigningKey, claims: JsonObject) => string;
  readonly success: (approval: Approval, tokens: Tokens) => JsonObject;
  readonly failure: (failure: RequestFailure) => JsonObject;
  readonly callbackHeaders: (request: AuthorizationRequest, policy: Policy) => Readonly<Record<string, string>>;
  readonly callbackUri: (request: AuthorizationRequest, body: JsonObject) => string;
  /** Number of callbacks sent for one outcome. */
  readonly callbackCopies: (body: JsonObject) => number;
  readonly callbackConfirms: (status: number) => boolean;
  /** Whether a cancellation takes effect. */
  readonly cancels: (request: AuthorizationRequest) => boolean;
  readonly openedUri: (request: AuthorizationRequest) => string | undefined;
  /** Response types of the authorization endpoint. */
  readonly signInTypes: readonly string[];
  /** Error of the redirect for any other response type, or none. */
  readonly signInError: (responseType: string | undefined) => string;
}

export const strictBuilders: AuthorizationBuilders = {
  authReqId: makeAuthReqId,
  granted: ({ expiresIn }, { maxGrant }) => Math.min(expiresIn, maxGrant),
  consentScreen: scopesToConsent,
  authentication: requiredAuthentication,
  acr: ({ wanted }, { defaultAcr }) => wanted.acr ?? defaultAcr,
  card: renderCard,
  isOpen: ({ state }) => state === 'pending',
  mayComplete: isStillAllowed,
  claims: ({ claims }) => claims,
  timesOutAt: ({ receivedAt, granted }) => receivedAt + granted * 1000,
  response: ({ id, granted, wanted }, policy) => ({
    status: 200,
    headers: {},
    body: {
      ...definedMembers({ correlation_id: wanted.correlationId }),
      auth_req_id: id,
      expires_in: policy.grantedAs === 'digits' ? String(granted) : granted,
    },
  }),
  refusal: ({ status, headers, error, description }, correlationId) => ({
    status,
    headers,
    body: { ...definedMembers({ correlation_id: correlationId }), error, error_description: description },
  }),
  accessToken: accessTokenClaims,
  issuesIdToken: ({ scopes }) => scopes.includes('openid'),
  idToken: idTokenClaims,
  signIdToken: (key, claims) => signJwt(key, 'JWT', claims),
  success: ({ request, policy, scopes }, { accessToken, idToken }) => ({
    ...definedMembers({
      auth_req_id: request.id,
      correlation_id: request.wanted.correlationId,
      state: request.wanted.state,
    }),
    scope: scopes.join(' '),
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: policy.tokenLife,
    ...definedMembers({ id_token: idToken }),
  }),
  failure: ({ request, error, description }) => ({
    auth_req_id: request.id,
    ...definedMembers({ correlation_id: request.wanted.correlationId, state: request.wanted.state }),
    error,
    error_description: description,
  }),
  callbackHeaders: ({ wanted }, policy) => ({
    'content-type': 'application/json',
    'cache-control': 'no-cache',
    ...bearerHeader(wanted, policy),
  }),
  callbackUri: ({ wanted }) => wanted.notificationUri,
  callbackCopies: () => 1,
  callbackConfirms: (status) => status >= 200 && status < 300,
  cancels: () => true,
  openedUri,
  signInTypes: ['code'],
  signInError: (responseType) => (responseType === undefined ? 'invalid_request' : 'unsupported_response_type'),
};

/** §4.2: notification token as a bearer credential, if the SP sent one. */
function bearerHeader(
  { notificationToken }: AcceptedClaims,
  { callbackScheme }: Policy,
): { readonly authorization?: string } {
  return notificationToken === undefined ? {} : { authorization: `${callbackScheme} ${notificationToken}` };
}

/** §7: false if the client's access, its key or the consent was removed meanwhile (invalid_grant elsewhere). */
function isStillAllowed({ client, subscriber, kid }: AuthorizationRequest): boolean {
  const consented = subscriber.consents.get(client.name)?.has('openid') === true;
  return consented && client.keys.has(kid) && client.flags.get('server_initiated') === true;
}
