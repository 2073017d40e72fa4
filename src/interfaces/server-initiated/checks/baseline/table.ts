import type { NamedCheck } from '../../../../judge/check.ts';
import { answeredWithin10Seconds } from './answered-within-10-seconds.ts';
import { authReqIdNotDerived } from './auth-req-id-not-derived.ts';
import { authReqIdsUnpredictable } from './auth-req-ids-unpredictable.ts';
import { cacheControlNoStore, sensitiveResponseNotStored } from './cache-control-no-store.ts';
import { correlationIdReflected } from './correlation-id-reflected.ts';
import { errorCodeOfTheRegistry } from './error-code-of-the-registry.ts';
import { errorDescriptionDiscreet } from './error-description-discreet.ts';
import { eventIatIsRecent } from './event-iat-is-recent.ts';
import { idTokenInOrder } from './id-token-in-order.ts';
import { idTokenTiedToItsTokens } from './id-token-tied-to-its-tokens.ts';
import { idTokensSignedByPublishedKey } from './id-tokens-signed-by-published-key.ts';
import { jwksInOrder } from './jwks-in-order.ts';
import { publishedKeysKept } from './published-keys-kept.ts';
import { publishedUrlsAreHttps } from './published-urls-are-https.ts';
import { subsNotCorrelated } from './subs-not-correlated.ts';
import { wwwAuthenticateBearer } from './www-authenticate-bearer.ts';

/** The checks of suites/baseline by the name a suite uses. */
export const baselineChecks: Readonly<Record<string, NamedCheck>> = {
  'answered-within-10-seconds': answeredWithin10Seconds,
  'auth-req-id-not-derived': authReqIdNotDerived,
  'auth-req-ids-unpredictable': authReqIdsUnpredictable,
  'cache-control-no-store': cacheControlNoStore,
  'correlation-id-reflected': correlationIdReflected,
  'error-code-of-the-registry': errorCodeOfTheRegistry,
  'error-description-discreet': errorDescriptionDiscreet,
  'event-iat-is-recent': eventIatIsRecent,
  'id-token-in-order': idTokenInOrder,
  'id-token-tied-to-its-tokens': idTokenTiedToItsTokens,
  'id-tokens-signed-by-published-key': idTokensSignedByPublishedKey,
  'jwks-in-order': jwksInOrder,
  'published-keys-kept': publishedKeysKept,
  'published-urls-are-https': publishedUrlsAreHttps,
  'sensitive-answer-not-stored': sensitiveResponseNotStored,
  'subs-not-correlated': subsNotCorrelated,
  'www-authenticate-bearer': wwwAuthenticateBearer,
};
