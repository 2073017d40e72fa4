import { asText, type Json, stringMember, words } from '../../carrier/json.ts';
import type { KeyContext } from '../../carrier/context.ts';
import { dropRefused } from '../variants/requests.ts';
import { combineEdits, defineFaults, type Edit, type Fault, faultTable } from '../edit/fault-table.ts';
import { skipChecksIf, withBuilders, withPipeline, withPolicy } from '../../carrier/seams/definition-parts.ts';
import { addRefusal, findSubscriberFirst, hasClaims, lacksClaims, claimLists, skipWhen } from '../edit/requests.ts';

/** Checks skipped because an optional member is present or absent. */
export const skippedCheckFaults: readonly Fault[] = [
  ...faultTable(skipWhen, {
    'expires-in-unchecked-with-acr': [
      'expires_in has a default if the request has acr_values.',
      'REQ-017',
      ['expires-in-is-an-integer', hasClaims('acr_values')],
    ],
    'scope-unchecked-without-nonce': [
      'Without nonce there is no id token, so scope may be absent.',
      'REQ-035',
      ['scope-is-allowed', lacksClaims('nonce')],
      { except: { 'scopes-without-openid/refused': 'an empty scope has no openid, and is refused for that' } },
    ],
  }),
  ...defineFaults({
    'silent-after-removal': [
      'prompt none goes by the consent of the first sign-in, and not by its removal (C8.2).',
      'REQ-043',
      combineEdits(
        withPipeline(({ onSubscriber }) => ({
          onSubscriber: skipChecksIf(
            onSubscriber,
            ({ claims, client, subscriber }) =>
              claimLists('prompt', 'none')(claims) &&
              client.flags.get('silent_authorization_enabled') === true &&
              subscriber.consents.get(client.name)?.size === 0,
            ['subscriber-consented-to-openid', 'prompt-none-is-allowed'],
          ),
        })),
        withBuilders(({ mayComplete }) => ({
          mayComplete: (request) => request.wanted.prompt.includes('none') || mayComplete(request),
        })),
      ),
    ],
    'foreign-sub-with-enum': [
      'An SP that may name users by phone number may name them by the pairwise sub of another SP as well.',
      'FLOW-007',
      findSubscriberFirst(({ accounts, claims, client }) => {
        if (client.flags.get('enum_enabled') !== true) return undefined;
        return accounts.findSub(stringMember(claims, 'login_hint') ?? '')?.subscriber;
      }),
    ],
  }),
];

type ContextPredicate = (context: KeyContext) => boolean;

const alsoDrop = (isBad: ContextPredicate): Edit =>
  combineEdits(
    addRefusal('conforms-to-a-rule-of-the-carrier', isBad),
    dropRefused('conforms-to-a-rule-of-the-carrier'),
  );

/** Conforming requests that get their 200 and are then dropped: no push, no callback (§2.3). */
export const droppedRequestFaults: readonly Fault[] = [
  ...defineFaults({
    'lives-above-a-day-dropped': [
      'A request for more than a day is dropped after its 200.',
      'REQ-096',
      combineEdits(withPolicy({ maxExpiresIn: 86_400 }), dropRefused('expires-in-within-48-hours')),
    ],
    'context-above-200-dropped': [
      'A request with a context of more than 200 characters is dropped after its 200.',
      'REQ-073 REQ-074 REQ-075 REQ-077',
      combineEdits(withPolicy({ contextMax: 200 }), dropRefused('context-8-to-240')),
    ],
    'correlation-id-of-128-dropped': [
      'A request with a correlation_id of 128 characters is dropped after its 200.',
      'REQ-082 REQ-100 UT-012',
      combineEdits(withPolicy({ correlationIdMax: 127 }), dropRefused('correlation-id-pattern')),
      { keeps: 'it drops what others refuse or take' },
    ],
  }),
  ...faultTable(alsoDrop, {
    'requests-without-jti-dropped': [
      'A request object without jti is dropped after its 200.',
      'REQ-014',
      ({ claims }) => !('jti' in claims),
    ],
    'unknown-claims-dropped': [
      'A request object with a claim of an object that the carrier does not know is dropped after its 200.',
      'REQ-087',
      ({ claims }) => 'x_conf' in claims,
      { keeps: 'another fault shows the same, and carriers have either' },
    ],
  }),
];

/** Refuses a value that the interface allows. */
const refuseValue = (claim: string, isRefused: (value: Json | undefined) => boolean, error = 'invalid_request'): Edit =>
  addRefusal(`${claim}-as-this-carrier-likes`, ({ claims }) => isRefused(claims[claim]), error);

const hasWord = (wanted: string) => (value: Json | undefined) => words(asText(value)).includes(wanted);
const isValue = (wanted: string) => (value: Json | undefined) => value === wanted;

/** Refusals of values that must be accepted, one value each: §2.3. */
export const refusedValuesFaults: readonly Fault[] = defineFaults({
  'acr-a3-refused': [
    'Only a1 is offered, so a3 is an invalid request.',
    'REQ-057',
    refuseValue('acr_values', isValue('a3')),
  ],
  'prompt-consent-refused': ['prompt knows none and login only.', 'REQ-044', refuseValue('prompt', isValue('consent'))],
  'prompt-login-refused': ['prompt knows none and consent only.', 'REQ-045', refuseValue('prompt', isValue('login'))],
  'options-dark-refused': ['dark alone is no option.', 'REQ-050', refuseValue('options', isValue('dark'))],
  'scope-email-refused': [
    'email is no scope that an SP can ask for.',
    'REQ-037',
    refuseValue('scope', hasWord('email'), 'invalid_scope'),
  ],
  'scope-events-refused': [
    'events is a flag of the registration, and no scope that a request can have.',
    'EVT-034',
    refuseValue('scope', hasWord('events'), 'invalid_scope'),
  ],
});
