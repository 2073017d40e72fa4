import { signatureVerifies } from '../../checks/client-and-key.ts';
import { jtiNotRepeated, promptNoneIsAllowed, replayKey, takeOnce } from '../../checks/subscriber.ts';
import { importPublicJwk, verifyJws } from '../../jose/jws.ts';
import { asText, type JsonObject, stringMember } from '../../json.ts';
import type { KeyContext } from '../../pipeline/context.ts';
import type { Edit } from '../edit/define.ts';
import { ownReading } from '../edit/except.ts';
import { insteadOf, insteadOfLast } from '../edit/parts.ts';
import { alsoRefused, findingKeys, letThrough } from '../edit/requests.ts';
import { has, is, lacks, lists, skipping, type When } from './conditions.ts';
import { type DeepFault, deepTable, defineDeep } from './define.ts';
import { interactionEffectFaults } from './interaction-effects.ts';
import { interactionServiceFaults } from './interaction-services.ts';

const isText =
  (name: string): When =>
  (claims) =>
    asText(claims[name]).trim() !== '' && typeof claims[name] === 'string';

/** A check that is not made where two or three members come together. */
const skipped = deepTable('interaction', skipping, {
  'exp-unbounded-with-nbf': [
    'The carrier takes nbf to exp for the window of a request object that has both, and bounds exp no more.',
    'REQ-012',
    ['exp-within-5-minutes', has('nbf')],
  ],
  'iat-unchecked-on-the-old-consent-page': [
    'An old handler serves prompt consent at a1, and it never learned to look at the age of a request object.',
    'REQ-009',
    ['iat-within-5-minutes', lists('prompt', 'consent'), is('acr_values', 'a1')],
  ],
  'aud-unchecked-with-a-hint-token-alone': [
    'The carrier made the login_hint_token itself, so where it stands alone nobody compares aud.',
    'REQ-007',
    ['aud-is-the-issuer', has('login_hint_token'), lacks('login_hint')],
  ],
  'redirect-uri-unchecked-with-a-light-page': [
    'The carrier compares redirect_uri where the page may leave the app, which a light page without prompt never does.',
    'REQ-030',
    ['redirect-uri-registered', is('options', 'light'), lacks('prompt')],
  ],
  'signature-unchecked-without-a-page': [
    'The carrier verifies the signature while it draws the page, and prompt none has no page.',
    'HDR-008',
    ['signature-verifies', is('prompt', 'none')],
  ],
  'iss-unchecked-with-a-binding-of-the-sdk': [
    'An SDK that brings a binding of its own is believed to speak for any SP, so iss is not compared.',
    'REQ-002',
    ['iss-is-the-client', has('sdk_version', 'referred_binding')],
  ],
  'scope-of-others-with-consent-and-login': [
    'A user who signs in and confirms everything may give what the portal never approved for the SP.',
    'UI-024',
    ['scope-is-allowed', lists('prompt', 'consent', 'login'), isText('scope')],
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
  'acr-unchecked-without-a-page': [
    'prompt none asks for nothing on the phone, so acr_values is not looked at.',
    'REQ-058',
    ['acr-is-a1-or-a3', is('prompt', 'none')],
  ],
  'expires-in-unchecked-with-a-hint-token-at-a1': [
    'A device that is near answers at once, so with a login_hint_token at a1 the carrier has a life of its own.',
    'REQ-017',
    ['expires-in-is-an-integer', has('login_hint_token'), is('acr_values', 'a1')],
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
    'max-age-beside-a1-refused': [
      'The carrier reads max_age, which is no member of the interface, and takes it for a contradiction to a1.',
      'REQ-087',
      ['max-age-fits', ({ claims }) => 'max_age' in claims && claims['acr_values'] === 'a1'],
    ],
    'login-with-a-short-life-refused': [
      'The carrier takes less than two minutes for too few to sign in, and refuses them with prompt login.',
      'REQ-018',
      ['life-is-long-enough', ({ claims }) => lists('prompt', 'login')(claims) && Number(claims['expires_in']) < 120],
    ],
    'custom-scheme-at-a1-refused': [
      'The carrier lets a1 come from the sites of an SP only, so a registered custom scheme is refused with it.',
      'REQ-028',
      [
        'site-for-a1',
        ({ claims }) => claims['acr_values'] === 'a1' && !asText(claims['redirect_uri']).startsWith('https:'),
      ],
    ],
    'nonce-without-openid-refused': [
      'The carrier refuses nonce beside prompt where openid is not the first scope, as it reads no other.',
      'REQ-036 REQ-040',
      [
        'nonce-has-use',
        ({ claims }) => 'nonce' in claims && 'prompt' in claims && !asText(claims['scope']).startsWith('openid'),
      ],
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
  'prompt-none-let-through-with-local-redirect': [
    'The phone opens the app of the SP anyway, so with local_redirect prompt none needs no flag.',
    'REQ-042',
    insteadOfLast('prompt-none-is-allowed', (context) => {
      if (!lists('options', 'local_redirect')(context.claims)) promptNoneIsAllowed.run(context);
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
  'any-key-of-the-sp-with-a-binding': [
    'With a referred_binding the carrier tries all keys of the SP, as the token is not bound to one of them.',
    'HDR-003',
    findingKeys(({ claims, client, jws }) =>
      'referred_binding' in claims
        ? [...client.keys.values()].find(({ key, alg }) => verifyJws(jws, key, alg))
        : undefined,
    ),
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
  ...interactionServiceFaults,
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
