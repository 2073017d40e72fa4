import {
  acrIsA1OrA3,
  context8To240,
  contextWithoutControlCharacters,
  correlationIdPattern,
  expHasNotPassed,
  expiresInIsAnInteger,
  expiresInWithin48Hours,
  expIsAnInteger,
  expWithin5Minutes,
  iatIsAnInteger,
  iatWithin5Minutes,
  jtiIsAString,
  notBeforeHasCome,
  notificationTokenIsB64token,
  notificationUriRegistered,
  oneLoginHint,
  optionsIsAList,
  outsideValuesAgree,
  promptNoneStandsAlone,
  redirectUriRegistered,
  referredBindingIsAPublicKey,
  responseTypeIsAsyncToken,
  scopeIsAllowed,
  stateAndNonceAreStrings,
} from '../checks/claims.ts';
import {
  algFitsTheKey,
  audIsTheIssuer,
  bodyIsOneJsonObject,
  claimsOfBoundedLength,
  clientHasAKey,
  clientIdBesideIsTheSame,
  clientIsRegistered,
  contentTypeIsJson,
  headerBringsNoKey,
  headerHasNoExtension,
  issIsTheClient,
  kidSelectsTheKey,
  noRequestObjectWithin,
  noRequestUriBeside,
  oneHost,
  requestIsOneCompactJws,
  serverInitiatedIsOn,
  signatureVerifies,
  stringsWithoutNul,
  subIsTheClient,
  typeIsARequestObject,
} from '../checks/object.ts';
import {
  fewRequestsPending,
  jtiNotRepeated,
  loginHintNamesASubscriber,
  loginHintTokenHasNotExpired,
  loginHintTokenIsForTheClient,
  loginHintTokenNamesASubscriber,
  promptNoneIsAllowed,
  subscriberConsentedToOpenid,
  subscriberHasTheApp,
} from '../checks/subscriber.ts';
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
  runChecks,
  type SubscriberContext,
} from '../context.ts';

/** Steps of a server-initiated request, in order: groups of checks, and between them readers that extend the context. */
export interface Pipeline {
  readonly onMessage: readonly Check<MessageContext>[];
  readonly readBody: Reader<MessageContext, BodyContext>;
  readonly onBody: readonly Check<BodyContext>[];
  readonly readObject: Reader<BodyContext, ObjectContext>;
  readonly onObject: readonly Check<ObjectContext>[];
  readonly readClient: Reader<ObjectContext, ClientContext>;
  readonly onClient: readonly Check<ClientContext>[];
  /** Only this step may be asynchronous, because the key registry may be remote. */
  readonly readKey: Reader<ClientContext, KeyContext | Promise<KeyContext>>;
  readonly onClaims: readonly Check<KeyContext>[];
  readonly readSubscriber: Reader<KeyContext, SubscriberContext>;
  /** §2.3: login_hint_token generally takes precedence. */
  readonly hintTokenWins: boolean;
  readonly readHintToken: Reader<KeyContext, HintTokenContext>;
  readonly onHintToken: readonly Check<HintTokenContext>[];
  readonly onSubscriber: readonly Check<SubscriberContext>[];
}

/** §2.1 to §2.3 and §5 on one page. */
export const strictPipeline: Pipeline = {
  onMessage: [oneHost, contentTypeIsJson],
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

/** Runs a request through the pipeline; calls `seen` as soon as the claims are read, for the echo of §2.5. */
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
  const subscriber = readByHint(steps, key);
  runChecks(steps.onSubscriber, subscriber);
  return subscriber;
}

function readByHint(steps: Pipeline, key: KeyContext): SubscriberContext {
  const byToken = hasClaim(key, 'login_hint_token') && (steps.hintTokenWins || !hasClaim(key, 'login_hint'));
  if (!byToken) return steps.readSubscriber.read(key);
  const hint = steps.readHintToken.read(key);
  runChecks(steps.onHintToken, hint);
  return hint;
}
