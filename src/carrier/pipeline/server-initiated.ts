import { acrIsA1OrA3 } from '../checks/acr-is-a1-or-a3.ts';
import { algFitsTheKey } from '../checks/alg-fits-the-key.ts';
import { audIsTheIssuer } from '../checks/aud-is-the-issuer.ts';
import { bodyIsOneJsonObject } from '../checks/body-is-one-json-object.ts';
import { claimsOfBoundedLength } from '../checks/claims-of-bounded-length.ts';
import { clientHasAKey } from '../checks/client-has-a-key.ts';
import { clientIdBesideIsTheSame } from '../checks/client-id-beside-is-the-same.ts';
import { clientIsRegistered } from '../checks/client-is-registered.ts';
import { contentTypeIsJson } from '../checks/content-type-is-json.ts';
import { context8To240 } from '../checks/context-8-to-240.ts';
import { contextWithoutControlCharacters } from '../checks/context-without-control-characters.ts';
import { correlationIdPattern } from '../checks/correlation-id-pattern.ts';
import { expHasNotPassed } from '../checks/exp-has-not-passed.ts';
import { expIsAnInteger } from '../checks/exp-is-an-integer.ts';
import { expWithin5Minutes } from '../checks/exp-within-5-minutes.ts';
import { expiresInIsAnInteger } from '../checks/expires-in-is-an-integer.ts';
import { expiresInWithin48Hours } from '../checks/expires-in-within-48-hours.ts';
import { fewRequestsPending } from '../checks/few-requests-pending.ts';
import { headerBringsNoKey } from '../checks/header-brings-no-key.ts';
import { headerHasNoExtension } from '../checks/header-has-no-extension.ts';
import { iatIsAnInteger } from '../checks/iat-is-an-integer.ts';
import { iatWithin5Minutes } from '../checks/iat-within-5-minutes.ts';
import { issIsTheClient } from '../checks/iss-is-the-client.ts';
import { jtiIsAString } from '../checks/jti-is-a-string.ts';
import { jtiNotRepeated } from '../checks/jti-not-repeated.ts';
import { kidSelectsTheKey } from '../checks/kid-selects-the-key.ts';
import { loginHintNamesASubscriber } from '../checks/login-hint-names-a-subscriber.ts';
import { loginHintTokenHasNotExpired } from '../checks/login-hint-token-has-not-expired.ts';
import { loginHintTokenIsForTheClient } from '../checks/login-hint-token-is-for-the-client.ts';
import { loginHintTokenNamesASubscriber } from '../checks/login-hint-token-names-a-subscriber.ts';
import { noRequestObjectWithin } from '../checks/no-request-object-within.ts';
import { noRequestUriBeside } from '../checks/no-request-uri-beside.ts';
import { notBeforeHasCome } from '../checks/not-before-has-come.ts';
import { notificationTokenIsB64token } from '../checks/notification-token-is-b64token.ts';
import { notificationUriRegistered } from '../checks/notification-uri-registered.ts';
import { oneLoginHint } from '../checks/one-login-hint.ts';
import { optionsIsAList } from '../checks/options-is-a-list.ts';
import { outsideValuesAgree } from '../checks/outside-values-agree.ts';
import { promptNoneIsAllowed } from '../checks/prompt-none-is-allowed.ts';
import { promptNoneStandsAlone } from '../checks/prompt-none-stands-alone.ts';
import { redirectUriRegistered } from '../checks/redirect-uri-registered.ts';
import { referredBindingIsAPublicKey } from '../checks/referred-binding-is-a-public-key.ts';
import { requestIsOneCompactJws } from '../checks/request-is-one-compact-jws.ts';
import { responseTypeIsAsyncToken } from '../checks/response-type-is-async-token.ts';
import { scopeIsAllowed } from '../checks/scope-is-allowed.ts';
import { serverInitiatedIsOn } from '../checks/server-initiated-is-on.ts';
import { signatureVerifies } from '../checks/signature-verifies.ts';
import { stateAndNonceAreStrings } from '../checks/state-and-nonce-are-strings.ts';
import { stringsWithoutNul } from '../checks/strings-without-nul.ts';
import { subIsTheClient } from '../checks/sub-is-the-client.ts';
import { subscriberConsentedToOpenid } from '../checks/subscriber-consented-to-openid.ts';
import { subscriberHasTheApp } from '../checks/subscriber-has-the-app.ts';
import { typeIsARequestObject } from '../checks/type-is-a-request-object.ts';
import {
  type BodyContext,
  type Check,
  type ClientContext,
  hasClaim,
  type HintTokenContext,
  type KeyContext,
  type MessageContext,
  type ObjectContext,
  type Reader,
  type SubscriberContext,
} from './context.ts';

/** The steps of a server-initiated request, in order: groups of checks, and between them what finds the next group's ground. */
export interface Pipeline {
  readonly onMessage: readonly Check<MessageContext>[];
  readonly readBody: Reader<MessageContext, BodyContext>;
  readonly onBody: readonly Check<BodyContext>[];
  readonly readObject: Reader<BodyContext, ObjectContext>;
  readonly onObject: readonly Check<ObjectContext>[];
  readonly readClient: Reader<ObjectContext, ClientContext>;
  readonly onClient: readonly Check<ClientContext>[];
  /** A registry of keys may be elsewhere, so this step alone may take its time. */
  readonly readKey: Reader<ClientContext, KeyContext | Promise<KeyContext>>;
  readonly onClaims: readonly Check<KeyContext>[];
  readonly readSubscriber: Reader<KeyContext, SubscriberContext>;
  /** §2.3: generally the token takes precedence. */
  readonly hintTokenWins: boolean;
  readonly readHintToken: Reader<KeyContext, HintTokenContext>;
  readonly onHintToken: readonly Check<HintTokenContext>[];
  readonly onSubscriber: readonly Check<SubscriberContext>[];
}

/** §2.1 to §2.3 and §5 on one page. */
export const strictPipeline: Pipeline = {
  onMessage: [contentTypeIsJson],
  readBody: bodyIsOneJsonObject,
  onBody: [],
  readObject: requestIsOneCompactJws,
  onObject: [
    typeIsARequestObject,
    headerHasNoExtension,
    headerBringsNoKey,
    noRequestUriBeside,
    noRequestObjectWithin,
    claimsOfBoundedLength,
    stringsWithoutNul,
    clientIdBesideIsTheSame,
  ],
  readClient: clientIsRegistered,
  onClient: [clientHasAKey],
  readKey: kidSelectsTheKey,
  onClaims: [
    algFitsTheKey,
    signatureVerifies,
    serverInitiatedIsOn,
    issIsTheClient,
    subIsTheClient,
    audIsTheIssuer,
    iatIsAnInteger,
    iatWithin5Minutes,
    expIsAnInteger,
    expHasNotPassed,
    expWithin5Minutes,
    notBeforeHasCome,
    jtiIsAString,
    expiresInIsAnInteger,
    expiresInWithin48Hours,
    responseTypeIsAsyncToken,
    redirectUriRegistered,
    notificationUriRegistered,
    notificationTokenIsB64token,
    scopeIsAllowed,
    stateAndNonceAreStrings,
    promptNoneStandsAlone,
    optionsIsAList,
    acrIsA1OrA3,
    contextWithoutControlCharacters,
    context8To240,
    correlationIdPattern,
    referredBindingIsAPublicKey,
    outsideValuesAgree,
    oneLoginHint,
  ],
  readSubscriber: loginHintNamesASubscriber,
  hintTokenWins: true,
  readHintToken: loginHintTokenNamesASubscriber,
  onHintToken: [loginHintTokenHasNotExpired, loginHintTokenIsForTheClient],
  onSubscriber: [
    subscriberHasTheApp,
    subscriberConsentedToOpenid,
    promptNoneIsAllowed,
    fewRequestsPending,
    jtiNotRepeated,
  ],
};

/** Takes a request through the pipeline; `seen` is told the claims as soon as they can be read, for the echo of §2.5. */
export async function runPipeline(
  steps: Pipeline,
  message: MessageContext,
  seen: (object: ObjectContext) => void,
): Promise<SubscriberContext> {
  runChecks(steps.onMessage, message);
  const body = steps.readBody.read(message);
  runChecks(steps.onBody, body);
  const object = steps.readObject.read(body);
  seen(object);
  runChecks(steps.onObject, object);
  const client = steps.readClient.read(object);
  runChecks(steps.onClient, client);
  const key = await steps.readKey.read(client);
  runChecks(steps.onClaims, key);
  const subscriber = readSubscriber(steps, key);
  runChecks(steps.onSubscriber, subscriber);
  return subscriber;
}

function readSubscriber(steps: Pipeline, key: KeyContext): SubscriberContext {
  const byToken = hasClaim(key, 'login_hint_token') && (steps.hintTokenWins || !hasClaim(key, 'login_hint'));
  if (!byToken) return steps.readSubscriber.read(key);
  const hint = steps.readHintToken.read(key);
  runChecks(steps.onHintToken, hint);
  return hint;
}

function runChecks<C>(checks: readonly Check<C>[], context: C): void {
  for (const { run } of checks) run(context);
}
