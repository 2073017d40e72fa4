import { redirectUriRegistered } from '../../carrier/checks/claims.ts';
import { jtiNotRepeated, replayKey, takeOnce } from '../../carrier/checks/subscriber.ts';
import { asText, isJsonObject, words } from '../../carrier/json.ts';
import { check, type KeyContext, optionalString, reader, requireString } from '../../carrier/context.ts';
import { refuse } from '../../carrier/refusal.ts';
import {
  combineEdits,
  defineFaults,
  type Edit,
  type Fault,
  faultTable,
  ownReadingExcept,
  type RuleIds,
} from '../edit/fault-table.ts';
import {
  addClaimCheck,
  dropChecks,
  replaceClaimCheck,
  replaceSubscriberCheck,
  withPipeline,
  withPolicy,
  withTraitSteps,
} from '../../carrier/seams/definition-parts.ts';
import { addLastRefusal, addRefusal, skipCheckIf } from '../edit/requests.ts';

/** Claims by which this carrier recognizes requests of an app. */
const appClaims: readonly string[] = ['prompt', 'options', 'acr_values', 'sdk_version'];

/** Faults of the times and the other claims of the request object: §2.3, §5.1. */
export const requestObjectClaimsFaults: readonly Fault[] = [
  ...defineFaults({
    'iat-not-checked': [
      'The age of a request object does not matter.',
      'ERR-006 REQ-009 SEC-15',
      dropChecks('iat-within-5-minutes'),
    ],
    'exp-not-checked': [
      'exp may be as far ahead as one likes.',
      'ERR-006 REQ-012 REQ-013 SEC-15',
      dropChecks('exp-within-5-minutes'),
    ],
    'response-type-ignored': [
      'response_type is never looked at.',
      'REQ-021 REQ-022 REQ-100',
      dropChecks('response-type-is-async-token'),
    ],
    'redirect-uri-not-checked': [
      'redirect_uri is never looked at.',
      'REQ-027 REQ-028 REQ-029 REQ-030 REQ-100',
      dropChecks('redirect-uri-registered'),
    ],
    'notification-uri-not-checked': [
      'notification_uri is called unseen.',
      'REQ-032 REQ-033 CB-001 CB-024 SEC-26 REQ-100',
      dropChecks('notification-uri-registered'),
    ],
    'notification-token-not-checked': [
      'client_notification_token goes into a header unseen.',
      'FLOW-002 SEC-29 REQ-100',
      dropChecks('notification-token-is-b64token'),
    ],
    'context-control-characters-accepted': [
      'context may hold line feeds and NUL.',
      'REQ-075',
      dropChecks('context-without-control-characters'),
      { except: { ...ownReadingExcept.except, 'context-characters': 'the characters of these cases are refused' } },
    ],
    'private-binding-accepted': [
      'referred_binding may be a private or a weak key.',
      'REQ-084',
      dropChecks('referred-binding-is-a-public-key'),
    ],
    'binding-off-its-curve': [
      'referred_binding may be a point that is not on its curve.',
      'REQ-084',
      skipCheckIf(['referred-binding-is-a-public-key'], ({ claims }) => {
        const key = claims['referred_binding'];
        return isJsonObject(key) && key['kty'] === 'EC' && !('d' in key);
      }),
    ],
    'nonce-kept-as-jti': [
      'A replay is known by its nonce, or by its jti.',
      'REQ-015',
      replaceSubscriberCheck('jti-not-repeated', (context) => {
        takeOnce(context, replayKey(context));
        if ('nonce' in context.claims) takeOnce(context, JSON.stringify(['nonce', context.claims['nonce'] ?? null]));
      }),
    ],
    'redirect-uri-prefix-match': [
      'A redirect_uri that begins with a registered one is taken.',
      'REQ-029 REQ-030',
      replaceClaimCheck('redirect-uri-registered', (context) => {
        const uri = requireString(context, 'redirect_uri');
        if (!context.client.redirectUris.some((known) => uri.startsWith(known)))
          refuse('invalid_request', 'unregistered');
      }),
    ],
    'notification-uri-of-any-client': [
      'A notification_uri that some client registered is taken.',
      'REQ-033',
      replaceClaimCheck('notification-uri-registered', (context) => {
        const uri = requireString(context, 'notification_uri');
        const known = [...context.accounts.clients.values()].some(({ notificationUris }) =>
          notificationUris.includes(uri),
        );
        if (!known) refuse('invalid_request', 'unregistered');
      }),
      { keeps: 'the foreign carriers have the same defect' },
    ],
    'kid-ignored-first-key': [
      'kid is not looked at; the first registered key is used.',
      'HDR-001 HDR-003 HDR-004',
      withPipeline(() => ({
        readKey: reader('first-key', (context) => {
          const [key] = context.client.keys.values();
          return { ...context, key: key ?? refuse('invalid_client', 'no key') };
        }),
      })),
    ],
    'unknown-claims-refused': [
      'A claim that the carrier does not know is refused.',
      'REQ-087',
      addClaimCheck('claims-known', ({ claims }) => {
        if (Object.keys(claims).some((name) => name.startsWith('x_'))) refuse('invalid_request', 'an unknown claim');
      }),
    ],
    'expires-in-of-whole-minutes': [
      'expires_in must be a whole number of minutes.',
      'REQ-018 REQ-096',
      addClaimCheck('expires-in-of-minutes', ({ claims }) => {
        if (Number(claims['expires_in'] ?? 0) % 60 > 0) refuse('invalid_request', 'no whole minutes');
      }),
    ],
    'life-of-a-minute-refused': [
      'exp may not be exactly a minute after iat: that is the life of another kind of token.',
      'REQ-012',
      addRefusal('exp-leaves-time', ({ claims }) => Number(claims['exp']) - Number(claims['iat']) === 60),
    ],
    'correlation-id-of-one-character-refused': [
      'correlation_id must have 2 characters or more.',
      'REQ-082 UT-012',
      combineEdits(
        addRefusal('correlation-id-has-2', ({ claims }) => asText(claims['correlation_id'] ?? '00').length < 2),
        withTraitSteps(({ onClaims }) => ({
          onClaims: [
            ...onClaims,
            check('trait-correlation-id-has-2', ({ body }) => {
              if (asText(body['correlation_id'] ?? '00').length < 2)
                refuse('invalid_request', 'correlation_id is short');
            }),
          ],
        })),
      ),
    ],
    'openid-not-first': [
      'scope must begin with openid.',
      'REQ-036',
      addRefusal(
        'openid-comes-first',
        ({ claims }) => words(asText(claims['scope'])).indexOf('openid') > 0,
        'invalid_scope',
      ),
    ],
    'offline-access-unknown': [
      'There are no refresh tokens yet, so the scope offline_access is unknown.',
      'REQ-037',
      refuseAsUnknownScope('offline_access'),
    ],
    'attributes-unknown': [
      'The table of scopes has openid, name and email only.',
      'REQ-037',
      refuseAsUnknownScope('phone', 'postal_code', 'address', 'birthdate'),
    ],
    'openid-alone-refused': [
      'A scope that asks for openid and no attribute is refused.',
      'REQ-037 REQ-042',
      addRefusal('scope-asks-for-something', ({ claims }) => claims['scope'] === 'openid', 'invalid_scope'),
    ],
    'context-hyphen-refused': [
      'context may hold letters and digits only.',
      'FLOW-001 REQ-073',
      addLastRefusal('context-alphanumeric', ({ claims }) =>
        /^[A-Za-z0-9]+-[A-Za-z0-9-]*$/.test(asText(claims['context'])),
      ),
    ],
    'replay-without-jti-unnoticed': [
      'A request object without jti cannot be recognized, so the same one is taken again.',
      'SEC-21',
      replaceSubscriberCheck('jti-not-repeated', (context) => {
        if ('jti' in context.claims) jtiNotRepeated.run(context);
      }),
    ],
    'escaped-slash-refused': [
      'redirect_uri is compared as it stands in the JSON text, so an escaped slash is another character.',
      'REQ-028 REQ-031',
      addRefusal('redirect-uri-as-written', ({ texts }) => texts.get('redirect_uri')?.includes('\\/') === true),
    ],
    'response-type-among-others': [
      'response_type has to name async_token, and may name others.',
      'REQ-022',
      skipCheckIf(['response-type-is-async-token'], ({ claims }) =>
        words(asText(claims['response_type'])).includes('async_token'),
      ),
    ],
    'context-limit-200': ['context may have 200 characters only.', 'REQ-073', withPolicy({ contextMax: 200 })],
    'context-min-9': ['context must have more than 8 characters.', 'REQ-073', withPolicy({ contextMin: 9 })],
    'correlation-id-limit-127': [
      'correlation_id must have fewer than 128 characters.',
      'REQ-082 UT-012',
      withPolicy({ correlationIdMax: 127 }),
    ],
    'sdk-needs-no-redirect-uri': [
      'A request of the SDK, recognized by its sdk_version, needs no redirect_uri.',
      'TRN-004',
      replaceClaimCheck(redirectUriRegistered.name, (context) => {
        const isOfTheSdk = 'sdk_version' in context.claims || 'sdk_version' in context.outside;
        if (!isOfTheSdk || 'redirect_uri' in context.claims) redirectUriRegistered.run(context);
      }),
    ],
    'granted-for-a-week': [
      'expires_in has no limit.',
      'ERR-006',
      combineEdits(dropChecks('expires-in-within-48-hours'), withPolicy({ maxGrant: 604_800 })),
    ],
  }),
  ...requireOptional({
    'jti-required': 'REQ-014',
    'client-notification-token-required': 'REQ-034',
    'context-required': 'REQ-042 REQ-071',
    'correlation-id-required': 'REQ-081',
    'state-required': 'REQ-089',
    'nonce-required': 'REQ-090',
    'options-required': 'FLOW-001 REQ-051 CB-026',
  }),
  ...requireOfApps({
    'prompt-required-of-apps': 'REQ-041',
    'options-required-of-apps': 'REQ-091',
    'acr-values-required-of-apps': 'REQ-092',
    'sdk-version-required-of-apps': 'REQ-086',
    'referred-binding-required-of-apps': 'REQ-093',
  }),
  ...faultTable(dropChecks, {
    'iat-any-type': ['iat may be absent, a string or a fraction.', 'REQ-008 REQ-010', 'iat-is-an-integer'],
    'exp-any-type': ['exp may be absent, a string or a fraction.', 'REQ-011 REQ-013', 'exp-is-an-integer'],
    'exp-past-accepted': ['A request object that has expired is taken.', 'SEC-14 SEC-15', 'exp-has-not-passed'],
    'nbf-ignored': ['A request object is taken before its time.', 'SEC-14', 'not-before-has-come'],
    'jti-never-kept': ['No jti is remembered.', 'ERR-006 REQ-015 SEC-21', 'jti-not-repeated'],
    'scope-not-required': [
      'scope may be absent, empty or unknown.',
      'REQ-035 REQ-100',
      'scope-is-allowed',
      { except: { 'scopes-without-openid': 'a request without openid is refused' } },
    ],
    'expires-in-any-type': ['expires_in may be absent or of any type.', 'REQ-017 REQ-018', 'expires-in-is-an-integer'],
  }),
  ...faultTable(withPolicy, {
    'iat-window-10-minutes': [
      'A request object may be 10 minutes old.',
      'ERR-006 REQ-009',
      { iatMaxAge: 600 },
      { keeps: 'src/cli/run/profile.test.ts runs with it' },
    ],
    'iat-window-4-minutes': [
      'A request object may be 4 minutes old only.',
      'REQ-009',
      { iatMaxAge: 239 },
      { keeps: 'src/lab/commands/prove/warnings.nightly.test.ts runs with it' },
    ],
    'iat-window-1-minute': [
      'A request object may be a minute old only.',
      'REQ-009 REQ-012',
      { iatMaxAge: 60 },
      { keeps: 'cases of other rules send an older one, and must leave none open' },
    ],
    'exp-window-10-minutes': [
      'exp may be 10 minutes ahead.',
      'ERR-006 REQ-012',
      { expMaxAhead: 600 },
      { keeps: 'src/testing/program/decisions.golden.test.ts runs with it' },
    ],
    'jti-kept-2-minutes': [
      'A jti is forgotten after 2 minutes.',
      'REQ-015',
      { jtiWindow: 120 },
      { keeps: 'README.md shows it' },
    ],
    'context-min-ignored': [
      'context may be shorter than 8 characters.',
      'REQ-075',
      { contextMin: 0 },
      ownReadingExcept,
    ],
    'iat-window-6-minutes': [
      'A request object may be 6 minutes old.',
      'REQ-009',
      { iatMaxAge: 360 },
      { keeps: 'docs/pictures/make.js shows it' },
    ],
    'exp-window-4-minutes': ['exp may be 4 minutes ahead only.', 'REQ-012', { expMaxAhead: 240 }],
    'jti-kept-4-minutes': [
      'A jti is forgotten after 4 minutes.',
      'REQ-015',
      { jtiWindow: 240 },
      { keeps: 'the foreign carriers have the same defect' },
    ],
    'context-limit-241': ['context may have 241 characters.', 'REQ-074', { contextMax: 241 }, ownReadingExcept],
  }),
];

function refuseAsUnknownScope(...names: readonly string[]): Edit {
  const isAsked = (context: KeyContext): boolean =>
    words(optionalString(context, 'scope') ?? '').some((word) => names.includes(word));
  return addRefusal('scope-is-known', isAsked, 'invalid_scope');
}

/** Requires an optional claim in requests of an app; the fault is named after the claim, with `-required-of-apps`. */
function requireOfApps(rows: Readonly<Record<string, RuleIds>>): readonly Fault[] {
  return Object.entries(rows).flatMap(([name, breaks]) => {
    const claim = name.replace(/-required-of-apps$/, '').replaceAll('-', '_');
    const others = appClaims.filter((one) => one !== claim);
    const edit = addClaimCheck(`${claim}-is-there-for-apps`, ({ claims }) => {
      if (!(claim in claims) && others.every((one) => one in claims)) refuse('invalid_request', `${claim} is required`);
    });
    return defineFaults({ [name]: [`${claim} is demanded of a request with ${others.join(', ')}.`, breaks, edit] });
  });
}

/** Requires an optional claim; the fault is named after the claim, with hyphens and `-required`. */
function requireOptional(rows: Readonly<Record<string, RuleIds>>): readonly Fault[] {
  return Object.entries(rows).flatMap(([name, breaks]) => {
    const claim = name.replace(/-required$/, '').replaceAll('-', '_');
    const edit = addClaimCheck(`${claim}-is-there`, ({ claims }) => {
      if (!(claim in claims)) refuse('invalid_request', `${claim} is required`);
    });
    return defineFaults({ [name]: [`${claim} is demanded although it is optional.`, breaks, edit] });
  });
}
