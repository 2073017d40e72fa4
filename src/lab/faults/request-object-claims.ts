import { redirectUriRegistered } from '../../carrier/checks/claims.ts';
import { jtiNotRepeated, replayKey, takeOnce } from '../../carrier/checks/subscriber.ts';
import { asText, isJsonObject, words } from '../../carrier/json.ts';
import { type KeyContext, optionalString, reader, requireString } from '../../carrier/context.ts';
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
      'SEC-29 REQ-100',
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
    'jti-keyed-with-iat': [
      'The replay cache is keyed by jti and iat, so a fresh iat makes an old jti new.',
      'REQ-015',
      replaceSubscriberCheck('jti-not-repeated', (context) => {
        takeOnce(context, JSON.stringify([replayKey(context), context.claims['iat'] ?? null]));
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
    'redirect-uri-normalized': [
      'redirect_uri is compared after URL normalization, so the default port and case do not matter.',
      'REQ-030',
      replaceClaimCheck('redirect-uri-registered', (context) => {
        const plain = (uri: string): string => (URL.canParse(uri) ? new URL(uri).href.toLowerCase() : uri);
        const uri = plain(requireString(context, 'redirect_uri'));
        if (!context.client.redirectUris.some((known) => plain(known) === uri))
          refuse('invalid_request', 'unregistered');
      }),
    ],
    'redirect-uri-of-any-client': [
      'A redirect_uri that some client registered is taken.',
      'REQ-030',
      skipCheckIf(['redirect-uri-registered'], ({ claims, accounts }) =>
        [...accounts.clients.values()].some(({ redirectUris }) =>
          redirectUris.includes(asText(claims['redirect_uri'])),
        ),
      ),
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
    ],
    'context-limit-255': [
      'context may be as long as a column of the carrier’s table.',
      'REQ-074',
      withPolicy({ contextMax: 255 }),
      ownReadingExcept,
    ],
    'kid-ignored-first-key': [
      'kid is not looked at; the first registered key is used.',
      'HDR-001 HDR-004',
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
    'scopes-separated-by-commas': [
      'scope is split at commas, so two scopes become one unknown scope.',
      'FLOW-001',
      addLastRefusal(
        'scopes-known',
        ({ claims, client }) =>
          !asText(claims['scope'])
            .split(',')
            .every((word) => client.scopes.includes(word)),
        'invalid_scope',
      ),
    ],
    'expires-in-below-a-minute-refused': [
      'expires_in must be a minute or more.',
      'REQ-096',
      addClaimCheck('expires-in-of-a-minute', ({ claims }) => {
        if (Number(claims['expires_in'] ?? 60) < 60) refuse('invalid_request', 'expires_in is too short');
      }),
    ],
    'expires-in-of-whole-minutes': [
      'expires_in must be a whole number of minutes.',
      'REQ-018 REQ-096',
      addClaimCheck('expires-in-of-minutes', ({ claims }) => {
        if (Number(claims['expires_in'] ?? 0) % 60 > 0) refuse('invalid_request', 'no whole minutes');
      }),
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
    'birthdate-unknown': [
      'birthdate is missing in the table of scopes, which was copied from OpenID Connect.',
      'REQ-037',
      refuseAsUnknownScope('birthdate'),
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
    'notification-uri-user-ignored': [
      'User information in a notification_uri is read over when it is compared.',
      'SEC-26',
      skipCheckIf(['notification-uri-registered'], (context) => {
        const uri = asText(context.claims['notification_uri']);
        const plain = uri.replace(/^([a-z]+:\/\/)[^/@]*@/, '$1');
        return plain !== uri && context.client.notificationUris.includes(plain);
      }),
    ],
    'notification-uri-loopback-allowed': [
      'https on a loopback address is left open for development.',
      'SEC-26',
      skipCheckIf(['notification-uri-registered'], ({ claims }) => isLoopbackUri(asText(claims['notification_uri']))),
    ],
    'notification-uri-by-prefix': [
      'A notification_uri that begins with a registered one is taken.',
      'REQ-033 CB-001 CB-024',
      skipCheckIf(['notification-uri-registered'], (context) => {
        const uri = requireString(context, 'notification_uri');
        return context.client.notificationUris.some((known) => uri.startsWith(known));
      }),
    ],
    'response-type-among-others': [
      'response_type has to name async_token, and may name others.',
      'REQ-022',
      skipCheckIf(['response-type-is-async-token'], ({ claims }) =>
        words(asText(claims['response_type'])).includes('async_token'),
      ),
    ],
    'nbf-leeway-2-minutes': [
      'A request object is taken two minutes before its nbf.',
      'SEC-14',
      withPolicy({ notBeforeLeeway: 120 }),
    ],
    'context-limit-200': ['context may have 200 characters only.', 'REQ-073', withPolicy({ contextMax: 200 })],
    'context-limit-239': ['context must have fewer than 240 characters.', 'REQ-073', withPolicy({ contextMax: 239 })],
    'context-min-9': ['context must have more than 8 characters.', 'REQ-073', withPolicy({ contextMin: 9 })],
    'correlation-id-limit-127': [
      'correlation_id must have fewer than 128 characters.',
      'REQ-082 UT-012',
      withPolicy({ correlationIdMax: 127 }),
    ],
    'correlation-id-limit-36': [
      'correlation_id has room for a UUID only.',
      'REQ-082 UT-012',
      withPolicy({ correlationIdMax: 36 }),
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
    'prompt-required': 'FLOW-001',
    'context-required': 'REQ-042 REQ-071',
    'correlation-id-required': 'REQ-081',
    'sdk-version-required': 'FLOW-001',
    'state-required': 'REQ-089',
    'nonce-required': 'REQ-090',
    'options-required': 'FLOW-001 REQ-051 CB-026',
    'acr-values-required': 'FLOW-001',
    'referred-binding-required': 'FLOW-001 REQ-085',
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
    'iat-window-10-minutes': ['A request object may be 10 minutes old.', 'ERR-006 REQ-009', { iatMaxAge: 600 }],
    'iat-window-4-minutes': ['A request object may be 4 minutes old only.', 'REQ-009', { iatMaxAge: 239 }],
    'iat-from-the-future-accepted': [
      'A request object may be signed in an hour.',
      'SEC-15',
      { iatMaxAhead: 86_400 },
      { except: { 'iat-ahead/two-minutes': 'warned of without any fault already' } },
    ],
    'exp-window-10-minutes': ['exp may be 10 minutes ahead.', 'ERR-006 REQ-012', { expMaxAhead: 600 }],
    'jti-kept-2-minutes': ['A jti is forgotten after 2 minutes.', 'REQ-015', { jtiWindow: 120 }],
    'context-min-ignored': [
      'context may be shorter than 8 characters.',
      'REQ-075',
      { contextMin: 0 },
      ownReadingExcept,
    ],
    'iat-window-6-minutes': ['A request object may be 6 minutes old.', 'REQ-009', { iatMaxAge: 360 }],
    'iat-90-seconds-ahead': [
      'A request object may be signed two minutes ahead.',
      'SEC-15',
      { iatMaxAhead: 120 },
      { except: { 'iat-ahead/two-minutes': 'warned of without any fault already' } },
    ],
    'exp-window-6-minutes': ['exp may be 6 minutes ahead.', 'REQ-012', { expMaxAhead: 360 }],
    'exp-window-4-minutes': ['exp may be 4 minutes ahead only.', 'REQ-012', { expMaxAhead: 240 }],
    'exp-leeway-80-seconds': ['A request object is taken for 80 seconds after its exp.', 'SEC-14', { expLeeway: 80 }],
    'exp-leeway-2-minutes': ['A request object is taken for two minutes after its exp.', 'SEC-14', { expLeeway: 120 }],
    'jti-kept-4-minutes': ['A jti is forgotten after 4 minutes.', 'REQ-015', { jtiWindow: 240 }],
    'context-limit-241': ['context may have 241 characters.', 'REQ-074', { contextMax: 241 }, ownReadingExcept],
    'context-min-7': ['context may have 7 characters.', 'REQ-075', { contextMin: 7 }, ownReadingExcept],
  }),
];

function refuseAsUnknownScope(name: string): Edit {
  const isAsked = (context: KeyContext): boolean => words(optionalString(context, 'scope') ?? '').includes(name);
  return addRefusal(`${name}-is-unknown`, isAsked, 'invalid_scope');
}

function isLoopbackUri(uri: string): boolean {
  const { protocol, hostname } = URL.canParse(uri) ? new URL(uri) : { protocol: '', hostname: '' };
  return protocol === 'https:' && /^(127\.|localhost$|\[::1\]$|0\.0\.0\.0$)/.test(hostname);
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
