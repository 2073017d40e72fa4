import type { AuthorizationBuilders } from '../../carrier/builders/authorization.ts';
import { signatureVerifies } from '../../carrier/checks/object.ts';
import { jtiNotRepeated, replayKey, subscriberHasTheApp, takeOnce } from '../../carrier/checks/subscriber.ts';
import { proofSignsTheRequest } from '../../carrier/checks/usertrait.ts';
import { importPublicJwk, verifyJws } from '../../carrier/jose/jws.ts';
import { asText, type JsonObject, stringMember, words } from '../../carrier/json.ts';
import { hasClaim, type HintTokenContext, type KeyContext, reader, nowInSeconds } from '../../carrier/context.ts';
import { refuse } from '../../carrier/refusal.ts';
import type { AcceptedClaims } from '../../carrier/state/requests.ts';
import {
  markDeep,
  defineFaults,
  type Edit,
  faultTable,
  ownProofsExcept,
  ownReadingExcept,
} from '../edit/fault-table.ts';
import { changeBuilt, omitMembers } from '../edit/messages.ts';
import {
  addBodyCheck,
  replaceClaimCheck,
  replaceSubscriberCheck,
  skipChecksIf,
  withBuilders,
  withPipeline,
  withTraitSteps,
  withUserinfo,
} from '../../carrier/seams/definition-parts.ts';
import { addRefusal, hasClaims, claimIs, claimLists, skipCheckIf, skipWhen } from '../edit/requests.ts';

type BuilderChange = (builders: AuthorizationBuilders) => Partial<AuthorizationBuilders>;

const hasPrompts = ({ prompt }: AcceptedClaims, ...wanted: readonly string[]): boolean =>
  wanted.every((word) => prompt.includes(word));
const hasOptions = ({ options }: AcceptedClaims, ...wanted: readonly string[]): boolean =>
  wanted.every((word) => options.includes(word));

/** Faults in decisions and messages where valid members are combined. */
const interactionEffectFaults = faultTable((change: BuilderChange) => withBuilders(change), {
  'login-lost-with-consent-at-a1': [
    'The consent page replaces the sign-in page where a1 needs no PIN, so prompt login is forgotten.',
    'REQ-047 REQ-094',
    ({ authentication }) => ({
      authentication: (request, policy, now) =>
        hasPrompts(request.wanted, 'login', 'consent') && request.wanted.acr === 'a1'
          ? 'none'
          : authentication(request, policy, now),
    }),
  ],
  'a1-raised-by-offline-access': [
    'Long access needs a3, so a token with offline_access says a3 although a1 was requested and no PIN entered.',
    'REQ-056',
    ({ acr }) => ({
      acr: (request, policy) => (request.wanted.scopes.includes('offline_access') ? 'a3' : acr(request, policy)),
    }),
  ],
  'local-redirect-to-sites-only': [
    'The phone checks the redirect_uri as a link to a site, so local_redirect opens no registered custom scheme.',
    'REQ-053 REQ-028',
    ({ openedUri }) => ({
      openedUri: (request) => (request.wanted.redirectUri.startsWith('https:') ? openedUri(request) : undefined),
    }),
  ],
  'options-dropped-where-colours-contradict': [
    'The carrier ignores light and dark together, and local_redirect beside them too.',
    'REQ-052 REQ-053',
    ({ openedUri }) => ({
      openedUri: (request) => (hasOptions(request.wanted, 'light', 'dark') ? undefined : openedUri(request)),
    }),
  ],
  'context-behind-four-scopes-not-shown': [
    'The consent page has room for four lines, and the context is what falls off it.',
    'REQ-072',
    ({ card }) => ({
      card: changeBuilt(card, (_, { consentScreen }) => (consentScreen.length >= 4 ? { context: null } : {})),
    }),
  ],
  'state-lost-on-untracked-errors': [
    'The carrier finds the state of an error by correlation_id or bearer, and without both it sends none.',
    'CB-011 REQ-039',
    ({ failure }) => ({
      failure: changeBuilt(failure, (_, { request: { wanted } }) =>
        wanted.correlationId === undefined && wanted.notificationToken === undefined ? { state: undefined } : {},
      ),
    }),
  ],
  'late-time-out-of-a3-sign-ins': [
    'A sign-in at a3 gets a minute more than the carrier has granted, as PINs take their time.',
    'FLOW-012 RSP-006',
    ({ timesOutAt }) => ({
      timesOutAt: (request) => {
        const due = timesOutAt(request);
        const isSlow = hasPrompts(request.wanted, 'login') && request.wanted.acr === 'a3';
        return due !== undefined && isSlow ? due + 60_000 : due;
      },
    }),
  ],
  'offline-access-cannot-be-unticked': [
    'The carrier has no box for offline_access, so it is in scope although the user took it off the list.',
    'CB-012',
    ({ success }) => ({
      success: changeBuilt(success, (_, { request: { wanted }, scopes }) =>
        wanted.scopes.includes('offline_access') && !scopes.includes('offline_access')
          ? { scope: [...scopes, 'offline_access'].join(' ') }
          : {},
      ),
    }),
  ],
  'binding-of-another-type-ignored': [
    'The token service has one key type a request, so a referred_binding of another than the signature is dropped.',
    'REQ-084',
    ({ claims }) => ({
      claims: (context) => {
        const built = claims(context);
        const binding: unknown = built['referred_binding'];
        const isOther =
          typeof binding === 'object' && binding !== null && 'kty' in binding && binding.kty !== context.key.jwk['kty'];
        return isOther ? omitMembers(built, 'referred_binding') : built;
      },
    }),
  ],
  'query-state-fills-in': [
    'A state in the URL is taken where the request object has none.',
    'TRN-008 CB-010',
    ({ claims }) => ({
      claims: (context) => {
        const { state } = context.query;
        return typeof state === 'string' ? { state, ...claims(context) } : claims(context);
      },
    }),
  ],
});

type Strict = (context: KeyContext) => HintTokenContext;
type BySub = (context: KeyContext) => Pick<HintTokenContext, 'subscriber'>;

/** Replaces the reader of login_hint_token; `read` also gets the strict reader and the one for login_hint. */
function withHintReader(read: (context: KeyContext, strict: Strict, bySub: BySub) => HintTokenContext): Edit {
  return withPipeline(({ readHintToken, readSubscriber }) => ({
    readHintToken: reader(readHintToken.name, (context: KeyContext) =>
      read(context, readHintToken.read, readSubscriber.read),
    ),
  }));
}

/** Checks skipped where two or three members are combined. */
const skippedCombinations = faultTable(skipWhen, {
  'exp-unbounded-with-nbf': [
    'The carrier takes nbf to exp for the window of a request object that has both, and bounds exp no more.',
    'REQ-012',
    ['exp-within-5-minutes', hasClaims('nbf')],
  ],
  'signature-unchecked-without-a-page': [
    'The carrier verifies the signature while it draws the page, and prompt none has no page.',
    'HDR-008',
    ['signature-verifies', claimIs('prompt', 'none')],
  ],
  'context-unmeasured-with-local-redirect-at-a1': [
    'An a1 request that leads back to the app of the SP shows its text there, so the carrier does not measure it.',
    'REQ-074 REQ-075',
    ['context-8-to-240', claimLists('options', 'local_redirect'), claimIs('acr_values', 'a1')],
    ownReadingExcept,
  ],
  'response-type-unchecked-with-a-code-challenge': [
    'A code_challenge sends the request to the handler of the code flow, which takes any response_type.',
    'REQ-022',
    ['response-type-is-async-token', hasClaims('code_challenge')],
  ],
});

/** Requests refused where valid members are combined. */
const refusedCombinations = faultTable(
  ([name, isBad]: readonly [string, (context: KeyContext) => boolean]) => addRefusal(name, isBad),
  {
    'context-and-correlation-id-in-one-column': [
      'The carrier logs correlation_id and context in one column of 360 characters, and refuses what does not fit.',
      'REQ-073 REQ-082',
      ['log-line-fits', ({ claims }) => claimLength(claims, 'context') + claimLength(claims, 'correlation_id') > 360],
    ],
    'login-with-a-short-life-refused': [
      'The carrier takes less than two minutes for too few to sign in, and refuses them with prompt login.',
      'REQ-018',
      [
        'life-is-long-enough',
        ({ claims }) => claimLists('prompt', 'login')(claims) && Number(claims['expires_in']) < 120,
      ],
    ],
  },
);

const otherCombinations = defineFaults({
  'notification-uri-by-origin-with-a-long-token': [
    'A client_notification_token of 64 characters is a secret, so only the origin of notification_uri counts.',
    'REQ-033',
    skipCheckIf(['notification-uri-registered'], ({ claims, client }) => {
      const origin = uriOrigin(asText(claims['notification_uri']));
      const isKnown = client.notificationUris.some((uri) => uriOrigin(uri) === origin);
      return isKnown && origin !== undefined && claimLength(claims, 'client_notification_token') >= 64;
    }),
  ],
  'jti-repeatable-at-the-other-level': [
    'The services for a1 and a3 each have a memory of their own, so a jti may come once at each level.',
    'REQ-015',
    replaceSubscriberCheck('jti-not-repeated', (context) => {
      takeOnce(context, JSON.stringify([asText(context.claims['acr_values'] ?? 'a3'), replayKey(context)]));
    }),
    { stateful: true },
  ],
  'jti-equal-to-nonce-not-kept': [
    'The nonce is believed to be checked by the SP, so a jti that equals it is not kept.',
    'REQ-015',
    replaceSubscriberCheck('jti-not-repeated', (context) => {
      const { jti, nonce } = context.claims;
      if (jti === undefined || jti !== nonce) jtiNotRepeated.run(context);
    }),
    { stateful: true },
  ],
  'verified-with-the-binding-without-kid': [
    'Without kid the carrier tries the key of referred_binding, which the sender of the request object has chosen.',
    'HDR-008',
    signedWithTheBinding(),
  ],
  // Combinations of user, hint and service.
  'expired-hint-token-beside-a-hint': [
    'The carrier falls back on the login_hint beside an expired login_hint_token.',
    'LHT-009',
    withHintReader((context, strict, bySub) => {
      const found = strict(context);
      const isOver = !(Number(found.hint['exp']) > nowInSeconds(context)) && hasClaim(context, 'login_hint');
      return isOver ? { ...found, ...bySub(context), hint: { ...found.hint, exp: nowInSeconds(context) + 60 } } : found;
    }),
  ],
  'unenrolled-reached-by-number': [
    'A login_hint with a phone number is believed to reach a phone with the app.',
    'FLOW-005',
    replaceSubscriberCheck('subscriber-has-the-app', (context) => {
      if (!asText(context.claims['login_hint']).startsWith('+')) subscriberHasTheApp.run(context);
    }),
  ],
  'silent-a3-as-a1': [
    'An SP that may be silent gets a token of a1 where it asked for a3 and the user has not signed in lately.',
    'REQ-057',
    replaceSubscriberCheck('prompt-none-is-allowed', ({ claims, client, subscriber }) => {
      if (!words(stringMember(claims, 'prompt') ?? '').includes('none')) return;
      const given = subscriber.consents.get(client.name);
      const isGiven = words(asText(claims['scope'])).every((scope) => given?.has(scope) === true);
      if (!isGiven || client.flags.get('silent_authorization_enabled') !== true) {
        refuse('interaction_required', 'the subscriber must be asked');
      }
    }),
  ],
  'proof-body-uncompared-with-a-charset': [
    'A query with a charset is written anew on its way, so the hash of its proof is not compared.',
    'UT-007 SEC-42',
    withTraitSteps(({ onFormat }) => ({
      onFormat: {
        ...onFormat,
        taap: skipChecksIf(onFormat.taap, ({ contentType }) => contentType.includes(';'), [proofSignsTheRequest.name]),
      },
    })),
    ownProofsExcept,
  ],
  'edited-birthdate-of-a-scanned-owner': [
    'A scan and an owned plan are two proofs, which outvote an edit of the birthdate.',
    'UI-033 UI-035',
    withUserinfo(({ level }) => ({
      level: (scope, call) => {
        const { account } = call.subscriber;
        const isTwice = account.plan === 'postpaid' && account.holder && account.document !== undefined;
        return scope === 'birthdate' && isTwice ? 2 : level(scope, call);
      },
    })),
  ],
  'charset-with-members-beside-refused': [
    'A gateway applies a strict schema to a body whose charset it knows, and the schema has request alone.',
    'TRN-009 TRN-004 REQ-088',
    addBodyCheck('body-is-of-the-schema', ({ contentType, outside }) => {
      if (contentType.includes(';') && Object.keys(outside).length > 1) refuse('invalid_request', 'unknown member');
    }),
  ],
});

export const interactionFaults = markDeep('interaction', [
  ...skippedCombinations,
  ...refusedCombinations,
  ...otherCombinations,
  ...interactionEffectFaults,
]);

function claimLength(claims: JsonObject, name: string): number {
  return stringMember(claims, name)?.length ?? 0;
}

function uriOrigin(uri: string): string | undefined {
  return URL.canParse(uri) ? new URL(uri).origin : undefined;
}

function signedWithTheBinding(): Edit {
  return replaceClaimCheck('signature-verifies', (context) => {
    const { header, claims, jws } = context;
    const own = importPublicJwk(claims['referred_binding']);
    const isOwn = own !== undefined && !('kid' in header) && verifyJws(jws, own.key, own.alg);
    if (!isOwn) signatureVerifies.run(context);
  });
}
