import { renderCard } from './phone.ts';
import type { SubscriberContext } from '../pipeline/context.ts';
import type { Carrier } from '../carrier.ts';
import { idTokenClaims } from './tokens.ts';
import type { JsonObject } from '../json.ts';
import type { SigningKey } from '../jose/jws.ts';
import type { Policy } from '../policy.ts';
import type { Refusal } from '../refusal.ts';
import {
  type Authentication,
  type AuthorizationRequest,
  authenticationNeeded,
  makeAuthReqId,
  optional,
  scopesToConsent,
  type Wanted,
} from '../state/requests.ts';
import type { Client, Subscriber } from '../state/accounts.ts';

/** What tokens are issued for: a server-initiated request, or a sign-in without an auth_req_id. */
export type TokenGround = Pick<AuthorizationRequest, 'client' | 'subscriber' | 'wanted' | 'boundKey'> & {
  readonly id?: string;
};

/** What an approval gave. */
export interface Approval {
  readonly request: TokenGround;
  readonly policy: Policy;
  readonly issuer: string;
  /** Milliseconds. */
  readonly now: number;
  readonly sub: string;
  readonly scopes: readonly string[];
  readonly acr: string;
  readonly authentication: Authentication;
}

export interface Tokens {
  readonly accessToken: string;
  readonly idToken?: string;
}

/** What went wrong after the 200. */
export interface Failure {
  readonly request: AuthorizationRequest;
  readonly error: string;
  readonly description: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
}

/** Everything the carrier decides and writes after the checks, each by a name; a fault replaces one. */
export interface Makers {
  readonly authReqId: (wanted: Wanted) => string;
  /** Seconds a request lives. */
  readonly granted: (wanted: Wanted, policy: Policy) => number;
  /** Scopes the user is asked to consent to. */
  readonly consentScreen: (wanted: Wanted, subscriber: Subscriber, client: Client) => readonly string[];
  /** What an approval takes, at a moment in milliseconds. */
  readonly authentication: (request: AuthorizationRequest, policy: Policy, now: number) => Authentication;
  readonly acr: (request: AuthorizationRequest, policy: Policy) => string;
  readonly card: (request: AuthorizationRequest, authentication: Authentication) => JsonObject;
  /** Whether the user can still act on it. */
  readonly isOpen: (request: AuthorizationRequest) => boolean;
  /** Whether an approval can still be honoured. */
  readonly mayComplete: (request: AuthorizationRequest) => boolean;
  /** The claims that count, of those inside, in the body and in the query (§2.1). */
  readonly claims: (context: SubscriberContext) => JsonObject;
  /** Milliseconds since the epoch at which an unanswered request is cancelled; undefined: never. */
  readonly timesOutAt: (request: AuthorizationRequest) => number | undefined;
  readonly answer: (request: AuthorizationRequest, policy: Policy) => Reply;
  readonly refusal: (refusal: Refusal, correlationId: string | undefined) => Reply;
  readonly accessToken: (approval: Approval) => JsonObject;
  readonly issuesIdToken: (approval: Approval) => boolean;
  readonly idToken: (approval: Approval, accessToken: string) => JsonObject;
  readonly idTokenKey: (carrier: Carrier) => SigningKey;
  readonly success: (approval: Approval, tokens: Tokens) => JsonObject;
  readonly failure: (failure: Failure) => JsonObject;
  readonly callbackHeaders: (request: AuthorizationRequest, policy: Policy) => Readonly<Record<string, string>>;
  readonly callbackUri: (request: AuthorizationRequest, body: JsonObject) => string;
  /** Callbacks sent for one outcome. */
  readonly callbackCopies: (body: JsonObject) => number;
  /** Whether an HTTP status of the receiver confirms a callback. */
  readonly callbackConfirms: (status: number) => boolean;
  /** Whether a cancellation takes the card from the phone. */
  readonly cancels: boolean;
  readonly openedUri: (request: AuthorizationRequest) => string | undefined;
  /** Response types of the authorization endpoint. */
  readonly signInTypes: readonly string[];
  /** The error it redirects with for any other, or for none. */
  readonly signInError: (responseType: string | undefined) => string;
}

export const strictMakers: Makers = {
  authReqId: makeAuthReqId,
  granted: ({ expiresIn }, { maxGrant }) => Math.min(expiresIn, maxGrant),
  consentScreen: scopesToConsent,
  authentication: authenticationNeeded,
  acr: ({ wanted }, { defaultAcr }) => wanted.acr ?? defaultAcr,
  card: renderCard,
  isOpen: ({ state }) => state === 'pending',
  mayComplete: stillAllowed,
  claims: ({ claims }) => claims,
  timesOutAt: ({ receivedAt, granted }) => receivedAt + granted * 1000,
  answer: ({ id, granted, wanted }, policy) => ({
    status: 200,
    headers: {},
    body: {
      ...optional('correlation_id', wanted.correlationId),
      auth_req_id: id,
      expires_in: policy.grantedAs === 'digits' ? String(granted) : granted,
    },
  }),
  refusal: ({ status, headers, error, description }, correlationId) => ({
    status,
    headers,
    body: { ...optional('correlation_id', correlationId), error, error_description: description },
  }),
  accessToken: ({ request, policy, issuer, now, sub, scopes, acr }) => ({
    iss: issuer,
    sub,
    client_id: request.client.clientId,
    scope: scopes.join(' '),
    acr,
    jti: makeAuthReqId().slice(5),
    iat: Math.floor(now / 1000),
    exp: Math.floor(now / 1000) + policy.tokenLife,
    cnf: { jwk: request.boundKey },
  }),
  issuesIdToken: ({ scopes }) => scopes.includes('openid'),
  idToken: idTokenClaims,
  idTokenKey: ({ signingKey }) => signingKey,
  success: ({ request, policy, scopes }, { accessToken, idToken }) => ({
    ...optional('auth_req_id', request.id),
    ...optional('correlation_id', request.wanted.correlationId),
    ...optional('state', request.wanted.state),
    scope: scopes.join(' '),
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: policy.tokenLife,
    ...optional('id_token', idToken),
  }),
  failure: ({ request, error, description }) => ({
    auth_req_id: request.id,
    ...optional('correlation_id', request.wanted.correlationId),
    ...optional('state', request.wanted.state),
    error,
    error_description: description,
  }),
  callbackHeaders: ({ wanted }, policy) => ({
    'content-type': 'application/json',
    'cache-control': 'no-cache',
    ...(wanted.notificationToken === undefined
      ? {}
      : { authorization: `${policy.callbackScheme} ${wanted.notificationToken}` }),
  }),
  callbackUri: ({ wanted }) => wanted.notificationUri,
  callbackCopies: () => 1,
  callbackConfirms: (status) => status >= 200 && status < 300,
  cancels: true,
  openedUri: ({ wanted }) => (wanted.options.includes('local_redirect') ? redirectWithState(wanted) : undefined),
  signInTypes: ['code'],
  signInError: (responseType) => (responseType === undefined ? 'invalid_request' : 'unsupported_response_type'),
};

/** §7: what would be invalid_grant elsewhere: the client, its key or the consent went away meanwhile. */
function stillAllowed({ client, subscriber, kid }: AuthorizationRequest): boolean {
  const consented = subscriber.consents.get(client.name)?.has('openid') === true;
  return consented && client.keys.has(kid) && client.flags.get('server_initiated') === true;
}

/** §2.3 local_redirect: the client state, without the auth code. */
function redirectWithState({ redirectUri, state }: AuthorizationRequest['wanted']): string {
  if (state === undefined) return redirectUri;
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}state=${encodeURIComponent(state)}`;
}
