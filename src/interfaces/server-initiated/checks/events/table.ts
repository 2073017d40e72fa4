import type { NamedCheck } from '../../../../judge/check.ts';
import { consentRevokedForm, eventIsConsentRevoked } from './consent-revoked.ts';
import { defineChangeCheck } from './event.ts';
import { eventJtisDiffer } from './event-jtis-differ.ts';
import { noDeviceChange } from './no-device-change.ts';
import { setAudIsText } from './set-aud-is-text.ts';
import { setIsReadable } from './set-is-readable.ts';
import { eventKidIsPublished, eventSignatureVerifies } from './signed-by-published-key.ts';
import { threeRetries } from './three-retries.ts';
import { judgeEvents, judgeIat, judgeJti, judgeKid, judgeSub, judgeType } from './token.ts';
import { judgeBody, judgeCacheControl, judgeContentType, judgeMethod } from './transport.ts';

/** The named checks of §4.8 and §6 by the name a suite uses. */
export const eventsChecks: Readonly<Record<string, NamedCheck>> = {
  'consent-revoked-form': consentRevokedForm,
  'event-body-is-a-set': defineChangeCheck(judgeBody),
  'event-cache-control': defineChangeCheck(judgeCacheControl),
  'event-content-type': defineChangeCheck(judgeContentType),
  'event-is-consent-revoked': eventIsConsentRevoked,
  'event-is-posted': defineChangeCheck(judgeMethod),
  'event-jtis-differ': eventJtisDiffer,
  'event-kid-is-published': eventKidIsPublished,
  'event-signature-verifies': eventSignatureVerifies,
  'no-device-change': noDeviceChange,
  'set-events-name-the-change': defineChangeCheck(judgeEvents),
  'set-aud-is-text': setAudIsText,
  'set-has-a-jti': defineChangeCheck(judgeJti),
  'set-has-a-kid': defineChangeCheck(judgeKid),
  'set-is-readable': setIsReadable,
  'set-iat-is-the-time': defineChangeCheck(judgeIat),
  'set-sub-has-a-carrier-code': defineChangeCheck(judgeSub),
  'set-type': defineChangeCheck(judgeType),
  'three-retries': threeRetries,
};
