import type { NamedCheck } from '../../../judge/check.ts';
import { answeredWithin30Seconds } from './answered-within-30-seconds.ts';
import { authReqIdsDistinct } from './auth-req-ids-distinct.ts';
import { authTimeIsOfTheRequest } from './auth-time-is-of-the-request.ts';
import { authorizationNotRefused, authorizationRefused } from './authorization-refused.ts';
import { baselineChecks } from './baseline/table.ts';
import { bearerIsNotificationToken } from './bearer-is-notification-token.ts';
import { boundToReferredKey, boundToSigningKey } from './bound-to-key.ts';
import { cacheControlNoCache } from './cache-control-no-cache.ts';
import { contentTypeApplicationJson } from './content-type-application-json.ts';
import { correlationIdEchoedOnRefusal } from './correlation-id-echoed-on-refusal.ts';
import { correlationIdEqualWherePresent } from './correlation-id-equal-where-present.ts';
import { deliveredToNamedUri } from './delivered-to-named-uri.ts';
import { denialCodesConsistent } from './denial-codes-consistent.ts';
import { discoveryChecks } from './discovery/table.ts';
import { errorCodeKnown } from './error-code-known.ts';
import { eventsChecks } from './events/table.ts';
import { followsTheRequestObject } from './follows-the-request-object.ts';
import { grantedAtMostAsked } from './granted-at-most-asked.ts';
import { grantedExpiresIn } from './granted-expires-in.ts';
import { idTokenContextIsTheText } from './id-token-context-is-the-text.ts';
import { idTokenNamesTheHintedSubscriber } from './id-token-names-the-hinted-subscriber.ts';
import { idTokenNonceAsSent } from './id-token-nonce-as-sent.ts';
import { jsonMediaType } from './json-media-type.ts';
import { noLiteralBearer } from './no-literal-bearer.ts';
import { oneOutcomePerRequest } from './one-outcome-per-request.ts';
import { openedUriIsRedirectWithState } from './opened-uri-is-redirect-with-state.ts';
import { refusalForm } from './refusal-form.ts';
import { requestHasAResult } from './request-has-a-result.ts';
import { scopeWithinRequest } from './scope-within-request.ts';
import { tokensChecks } from './tokens/table.ts';
import { userinfoChecks } from './userinfo/table.ts';
import { usertraitChecks } from './usertrait/table.ts';

/** The named checks by the name a suite uses. */
export const namedChecks: Readonly<Record<string, NamedCheck>> = {
  ...baselineChecks,
  ...discoveryChecks,
  ...eventsChecks,
  ...tokensChecks,
  ...userinfoChecks,
  ...usertraitChecks,
  'answered-within-30-seconds': answeredWithin30Seconds,
  'auth-req-ids-distinct': authReqIdsDistinct,
  'auth-time-is-of-the-request': authTimeIsOfTheRequest,
  'authorization-not-refused': authorizationNotRefused,
  'authorization-refused': authorizationRefused,
  'bound-to-referred-key': boundToReferredKey,
  'bound-to-signing-key': boundToSigningKey,
  'granted-at-most-asked': grantedAtMostAsked,
  'id-token-context-is-the-text': idTokenContextIsTheText,
  'id-token-names-the-hinted-subscriber': idTokenNamesTheHintedSubscriber,
  'id-token-nonce-as-sent': idTokenNonceAsSent,
  'opened-uri-is-redirect-with-state': openedUriIsRedirectWithState,
  'request-has-a-result': requestHasAResult,
  'bearer-is-notification-token': bearerIsNotificationToken,
  'cache-control-no-cache': cacheControlNoCache,
  'content-type-application-json': contentTypeApplicationJson,
  'correlation-id-echoed-on-refusal': correlationIdEchoedOnRefusal,
  'correlation-id-equal-where-present': correlationIdEqualWherePresent,
  'delivered-to-named-uri': deliveredToNamedUri,
  'denial-codes-consistent': denialCodesConsistent,
  'error-code-known': errorCodeKnown,
  'follows-the-request-object': followsTheRequestObject,
  'granted-expires-in': grantedExpiresIn,
  'json-media-type': jsonMediaType,
  'no-literal-bearer': noLiteralBearer,
  'one-outcome-per-request': oneOutcomePerRequest,
  'refusal-form': refusalForm,
  'scope-within-request': scopeWithinRequest,
};
