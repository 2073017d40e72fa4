import { signatureVerifies } from '../../checks/client-and-key.ts';
import { proofSignsTheRequest } from '../../checks/proof.ts';
import { jtiNotRepeated, replayKey, subscriberHasTheApp, takeOnce } from '../../checks/subscriber.ts';
import { importPublicJwk, verifyJws } from '../../jose/jws.ts';
import { asText, type JsonObject, stringMember, words } from '../../json.ts';
import { hasClaim, type HintTokenContext, type KeyContext, seconds } from '../../pipeline/context.ts';
import { reader } from '../../pipeline/step.ts';
import { refuse } from '../../refusal.ts';
import type { Edit } from '../edit/define.ts';
import { ownProofs, ownReading } from '../edit/except.ts';
import {
  insteadOf,
  insteadOfLast,
  replaceCheck,
  withBodyCheck,
  withPipeline,
  withTraitSteps,
  withUserinfo,
} from '../edit/parts.ts';
import { alsoRefused, letThrough } from '../edit/requests.ts';
import { has, is, lists, skipping } from './conditions.ts';
import { type DeepFault, deepTable, defineDeep } from './define.ts';
import { interactionEffectFaults } from './interaction-effects.ts';

/** Combinations of who is asked, how he is named, and which service answers. */
const services = defineDeep('interaction', {
  'expired-hint-token-beside-a-hint': [
    'Where a login_hint stands beside an expired login_hint_token, the carrier falls back on it.',
    'LHT-009',
    withHintReader((context, strict, bySub) => {
      const found = strict(context);
      const isOver = !(Number(found.hint['exp']) > seconds(context)) && hasClaim(context, 'login_hint');
      return isOver ? { ...found, ...bySub(context), hint: { ...found.hint, exp: seconds(context) + 60 } } : found;
    }),
  ],
  'unenrolled-reached-by-number': [
    'A login_hint with a phone number is believed to reach a phone with the app.',
    'FLOW-005',
    insteadOfLast('subscriber-has-the-app', (context) => {
      if (!asText(context.claims['login_hint']).startsWith('+')) subscriberHasTheApp.run(context);
    }),
  ],
  'silent-a3-as-a1': [
    'An SP that may be silent gets a token of a1 where it asked for a3 and the user has not signed in lately.',
    'REQ-057',
    insteadOfLast('prompt-none-is-allowed', ({ claims, client, subscriber }) => {
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
        taap: replaceCheck(onFormat.taap, proofSignsTheRequest.name, (context, strict) => {
          if (!context.contentType.includes(';')) strict.run(context);
        }),
      },
    })),
    ownProofs,
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
    withBodyCheck('body-is-of-the-schema', ({ contentType, outside }) => {
      if (contentType.includes(';') && Object.keys(outside).length > 1) refuse('invalid_request', 'unknown member');
    }),
  ],
});

type Strict = (context: KeyContext) => HintTokenContext;
type BySub = (context: KeyContext) => Pick<HintTokenContext, 'subscriber'>;

/** Reads a login_hint_token in another way, given the strict one and that for a login_hint. */
function withHintReader(read: (context: KeyContext, strict: Strict, bySub: BySub) => HintTokenContext): Edit {
  return withPipeline(({ readHintToken, readSubscriber }) => ({
    readHintToken: reader(readHintToken.name, (context: KeyContext) =>
      read(context, readHintToken.read, readSubscriber.read),
    ),
  }));
}

/** A check that is not made where two or three members come together. */
const skipped = deepTable('interaction', skipping, {
  'exp-unbounded-with-nbf': [
    'The carrier takes nbf to exp for the window of a request object that has both, and bounds exp no more.',
    'REQ-012',
    ['exp-within-5-minutes', has('nbf')],
  ],
  'signature-unchecked-without-a-page': [
    'The carrier verifies the signature while it draws the page, and prompt none has no page.',
    'HDR-008',
    ['signature-verifies', is('prompt', 'none')],
  ],
  'context-unmeasured-with-local-redirect-at-a1': [
    'An a1 request that leads back to the app of the SP shows its text there, so the carrier does not measure it.',
    'REQ-074 REQ-075',
    ['context-8-to-240', lists('options', 'local_redirect'), is('acr_values', 'a1')],
    ownReading,
  ],
  'response-type-unchecked-with-a-code-challenge': [
    'A code_challenge sends the request to the handler of the code flow, which takes any response_type.',
    'REQ-022',
    ['response-type-is-async-token', has('code_challenge')],
  ],
});

/** A request that is refused where valid members come together. */
const refused = deepTable(
  'interaction',
  ([name, isBad]: readonly [string, (context: KeyContext) => boolean]) => alsoRefused(name, isBad),
  {
    'context-and-correlation-id-in-one-column': [
      'The carrier logs correlation_id and context in one column of 360 characters, and refuses what does not fit.',
      'REQ-073 REQ-082',
      ['log-line-fits', ({ claims }) => length(claims, 'context') + length(claims, 'correlation_id') > 360],
    ],
    'login-with-a-short-life-refused': [
      'The carrier takes less than two minutes for too few to sign in, and refuses them with prompt login.',
      'REQ-018',
      ['life-is-long-enough', ({ claims }) => lists('prompt', 'login')(claims) && Number(claims['expires_in']) < 120],
    ],
  },
);

const others = defineDeep('interaction', {
  'notification-uri-by-origin-with-a-long-token': [
    'A client_notification_token of 64 characters is a secret, so only the origin of notification_uri counts.',
    'REQ-033',
    letThrough(['notification-uri-registered'], ({ claims, client }) => {
      const origin = originOf(asText(claims['notification_uri']));
      const isKnown = client.notificationUris.some((uri) => originOf(uri) === origin);
      return isKnown && origin !== undefined && length(claims, 'client_notification_token') >= 64;
    }),
  ],
  'jti-repeatable-at-the-other-level': [
    'The services for a1 and a3 each have a memory of their own, so a jti may come once at each level.',
    'REQ-015',
    insteadOfLast('jti-not-repeated', (context) => {
      takeOnce(context, JSON.stringify([asText(context.claims['acr_values'] ?? 'a3'), replayKey(context)]));
    }),
    { stateful: true },
  ],
  'jti-equal-to-nonce-not-kept': [
    'The nonce is believed to be checked by the SP, so a jti that equals it is not kept.',
    'REQ-015',
    insteadOfLast('jti-not-repeated', (context) => {
      const { jti, nonce } = context.claims;
      if (jti === undefined || jti !== nonce) jtiNotRepeated.run(context);
    }),
    { stateful: true },
  ],
  'verified-with-the-binding-without-kid': [
    'Without kid the carrier tries the key of referred_binding, which whoever made the request object has chosen.',
    'HDR-008',
    signedWithTheBinding(),
  ],
});

export const interactionFaults: readonly DeepFault[] = [
  ...skipped,
  ...refused,
  ...others,
  ...interactionEffectFaults,
  ...services,
];

function length(claims: JsonObject, name: string): number {
  return stringMember(claims, name)?.length ?? 0;
}

function originOf(uri: string): string | undefined {
  return URL.canParse(uri) ? new URL(uri).origin : undefined;
}

function signedWithTheBinding(): Edit {
  return insteadOf('signature-verifies', (context) => {
    const { header, claims, jws } = context;
    const own = importPublicJwk(claims['referred_binding']);
    const isOwn = own !== undefined && !('kid' in header) && verifyJws(jws, own.key, own.alg);
    if (!isOwn) signatureVerifies.run(context);
  });
}
