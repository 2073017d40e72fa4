import { randomBytes } from 'node:crypto';
import type { Approval, Tokens } from '../builders/tokens.ts';
import type { Carrier } from '../carrier.ts';
import { importPublicJwk, signJwt } from '../jose/jws.ts';
import { definedMembers, type JsonObject } from '../json.ts';
import type { SubscriberContext } from '../context.ts';
import {
  type Authentication,
  type AuthorizationRequest,
  readAcceptedClaims,
  type RequestState,
} from '../state/requests.ts';

/** Accepts a request that passed the pipeline: it becomes pending and is pushed to the phone (§1.2). */
export function openRequest(carrier: Carrier, context: SubscriberContext): AuthorizationRequest {
  const { builders, policy } = carrier.definition;
  const { client, subscriber, key } = context;
  const wanted = readAcceptedClaims(builders.claims(context));
  const request: AuthorizationRequest = {
    id: builders.authReqId(wanted),
    client,
    subscriber,
    kid: key.kid,
    wanted,
    receivedAt: context.now,
    granted: builders.granted(wanted, policy),
    boundKey: importPublicJwk(wanted.referredBinding)?.jwk ?? key.jwk,
    consentScreen: builders.consentScreen(wanted, subscriber, client),
    state: 'pending',
    cancelTimeOut: () => undefined,
  };
  carrier.requests.set(request.id, request);
  const due = builders.timesOutAt(request);
  if (due !== undefined) request.cancelTimeOut = carrier.clock.schedule(due, () => timeOutRequest(carrier, request));
  return request;
}

/** §2.3 prompt none: completes the request without the user. */
export function approveSilently(carrier: Carrier, request: AuthorizationRequest): void {
  const { policy } = carrier.definition;
  const age = carrier.clock.now() - (request.subscriber.authenticatedAt ?? -Infinity);
  const strong = age <= policy.authenticationReuse * 1000 && request.wanted.acr !== 'a1';
  completeRequest(carrier, request, {
    scopes: request.wanted.scopes,
    acr: strong ? 'a3' : 'a1',
    authentication: strong ? 'reused' : 'none',
  });
}

export function recordApproval(carrier: Carrier, request: AuthorizationRequest, scopes: readonly string[]): void {
  const { policy, builders } = carrier.definition;
  const now = carrier.clock.now();
  const authentication = builders.authentication(request, policy, now);
  if (authentication === 'full') request.subscriber.authenticatedAt = now;
  completeRequest(carrier, request, { scopes, acr: builders.acr(request, policy), authentication });
}

export function recordDenial(carrier: Carrier, request: AuthorizationRequest): void {
  const { policy } = carrier.definition;
  failRequest(carrier, request, {
    state: 'denied',
    error: policy.deniedError,
    description: 'the subscriber denied the request',
  });
}

/** §4.4: ends a request without any callback, not even an error. */
export function recordCancellation(carrier: Carrier, request: AuthorizationRequest): void {
  const { builders, policy } = carrier.definition;
  if (builders.cancels(request))
    settleRequest(request, 'cancelled', builders.authentication(request, policy, carrier.clock.now()));
}

function timeOutRequest(carrier: Carrier, request: AuthorizationRequest): void {
  const { policy } = carrier.definition;
  const description = 'the subscriber did not answer in time';
  failRequest(carrier, request, { state: 'timed-out', error: policy.timedOutError, description });
}

interface ApprovalResult {
  readonly scopes: readonly string[];
  readonly acr: string;
  readonly authentication: Authentication;
}

function completeRequest(carrier: Carrier, request: AuthorizationRequest, given: ApprovalResult): void {
  const { policy, builders } = carrier.definition;
  const sub = request.subscriber.subs.get(request.client.name);
  if (sub === undefined || !builders.mayComplete(request)) {
    failRequest(carrier, request, { state: 'failed', error: policy.goneError, description: 'no longer allowed' });
    return;
  }
  settleRequest(request, 'completed', given.authentication);
  const opened = builders.openedUri(request);
  if (opened !== undefined) request.openedUri = opened;
  rememberConsent(request, given.scopes);
  const approval: Approval = { request, policy, issuer: carrier.issuer, now: carrier.clock.now(), sub, ...given };
  sendCallback(carrier, request, builders.success(approval, issueTokens(carrier, approval)));
}

function rememberConsent({ subscriber, client }: AuthorizationRequest, scopes: readonly string[]): void {
  const consents = subscriber.consents.get(client.name) ?? new Set<string>();
  for (const scope of scopes) consents.add(scope);
  subscriber.consents.set(client.name, consents);
}

export function issueTokens(carrier: Carrier, approval: Approval): Tokens {
  const { builders } = carrier.definition;
  const accessToken = makeHandle(carrier, signJwt(carrier.signingKey, 'at+jwt', builders.accessToken(approval)));
  const idToken = builders.issuesIdToken(approval)
    ? builders.signIdToken(carrier.signingKey, builders.idToken(approval, accessToken))
    : undefined;
  return { accessToken, ...definedMembers({ idToken }) };
}

/** Access token for the SP: the JWT, or an opaque handle that stands for it. */
function makeHandle({ definition, handles }: Carrier, jwt: string): string {
  const { accessTokens } = definition.policy;
  if (accessTokens === 'jwt') return jwt;
  const handle = `${randomBytes(accessTokens === 'long' ? 900 : 16).toString('base64url')}${accessTokens === 'symbols' ? '~.+/-==' : ''}`;
  handles.set(handle, jwt);
  return handle;
}

interface FailureEnding {
  readonly state: RequestState;
  readonly error: string;
  readonly description: string;
}

function failRequest(
  carrier: Carrier,
  request: AuthorizationRequest,
  { state, error, description }: FailureEnding,
): void {
  const { policy, builders } = carrier.definition;
  settleRequest(request, state, builders.authentication(request, policy, carrier.clock.now()));
  sendCallback(carrier, request, builders.failure({ request, error, description }));
}

function settleRequest(request: AuthorizationRequest, state: RequestState, authentication: Authentication): void {
  request.state = state;
  request.authentication = authentication;
  request.cancelTimeOut();
}

function sendCallback(carrier: Carrier, request: AuthorizationRequest, body: JsonObject): void {
  const { builders, policy, content } = carrier.definition;
  for (let copy = 0; copy < builders.callbackCopies(body); copy++) {
    carrier.deliveries.send({
      uri: builders.callbackUri(request, body),
      headers: builders.callbackHeaders(request, policy),
      body: () => body,
      write: content.callback,
      delay: policy.callbackDelay,
      deadline: policy.callbackDeadline,
      retries: policy.callbackRetries,
      retryAfter: policy.callbackRetryAfter,
      confirms: (status) => status !== undefined && builders.callbackConfirms(status),
    });
  }
}
