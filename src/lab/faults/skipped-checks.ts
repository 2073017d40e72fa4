import { jtiNotRepeated, promptNoneIsAllowed, takeOnce } from '../../carrier/checks/subscriber.ts';
import { verifyJws } from '../../carrier/jose/jws.ts';
import { asText, isJsonObject, type Json, type JsonObject, stringMember, words } from '../../carrier/json.ts';
import { type AssertionContext, refuseClient } from '../../carrier/pipeline/assertion.ts';
import type { KeyContext } from '../../carrier/context.ts';
import { refuse } from '../../carrier/refusal.ts';
import type { AuthorizationRequest } from '../../carrier/state/requests.ts';
import { dropRefused } from '../variants/requests.ts';
import {
  combineEdits,
  defineFaults,
  type Edit,
  type Fault,
  faultTable,
  oneUriExcept,
  ownProofsExcept,
  ownReadingExcept,
} from '../edit/fault-table.ts';
import { omitMembers } from '../edit/messages.ts';
import {
  replaceCheck,
  replaceSubscriberCheck,
  skipChecksIf,
  withAssertion,
  withBuilders,
  withPipeline,
  withPolicy,
  withTraitSteps,
} from '../../carrier/seams/definition-parts.ts';
import {
  addRefusal,
  findSubscriberFirst,
  hasClaims,
  lacksClaims,
  claimLists,
  skipAssertionCheckIf,
  skipCheckIf,
  skipWhen,
} from '../edit/requests.ts';

/** Checks skipped because an optional member is present or absent. */
export const skippedCheckFaults: readonly Fault[] = [
  ...faultTable(skipWhen, {
    'iat-unchecked-without-jti': [
      'The age of a request object is looked at to bound the memory for jti, so not where there is none.',
      'REQ-009',
      ['iat-within-5-minutes', lacksClaims('jti')],
    ],
    'exp-unchecked-without-jti': [
      'exp may be far ahead where there is no jti to remember until then.',
      'REQ-012',
      ['exp-within-5-minutes', lacksClaims('jti')],
    ],
    'signature-unchecked-of-the-sdk': [
      'A request with an sdk_version is trusted, as it comes from the SDK of the platform.',
      'HDR-008',
      ['signature-verifies', hasClaims('sdk_version')],
    ],
    'aud-unchecked-of-the-sdk': [
      'A request with an sdk_version may be made for another carrier.',
      'REQ-007',
      ['aud-is-the-issuer', hasClaims('sdk_version')],
    ],
    'iss-unchecked-with-login': [
      'Where the user has to sign in again, iss is not compared.',
      'REQ-002',
      ['iss-is-the-client', claimLists('prompt', 'login')],
    ],
    'redirect-uri-unchecked-without-state': [
      'Without state nothing is sent to the redirect_uri, so it is not compared.',
      'REQ-030',
      ['redirect-uri-registered', lacksClaims('state')],
    ],
    'notification-uri-unchecked-without-token': [
      'Without a client_notification_token the notification_uri is not compared.',
      'REQ-033',
      ['notification-uri-registered', lacksClaims('client_notification_token')],
    ],
    'response-type-unchecked-with-prompt': [
      'A request with prompt is read as at the authorization endpoint, where response_type is compared later.',
      'REQ-022',
      ['response-type-is-async-token', hasClaims('prompt')],
    ],
    'expires-in-unchecked-with-acr': [
      'Where acr_values is there, expires_in has a default.',
      'REQ-017',
      ['expires-in-is-an-integer', hasClaims('acr_values')],
    ],
    'scope-unchecked-without-nonce': [
      'Without nonce there is no id token, so scope may be absent.',
      'REQ-035',
      ['scope-is-allowed', lacksClaims('nonce')],
      { except: { 'scopes-without-openid/refused': 'an empty scope has no openid, and is refused for that' } },
    ],
    'acr-unchecked-with-login': [
      'Where the user has to sign in again, acr_values is not looked at.',
      'REQ-058',
      ['acr-is-a1-or-a3', claimLists('prompt', 'login')],
    ],
    'context-unchecked-with-options': [
      'Where options choose the colours, the page is not limited to 240 characters of context.',
      'REQ-074',
      ['context-8-to-240', hasClaims('options')],
      ownReadingExcept,
    ],
    'context-unchecked-without-correlation-id': [
      'Without a correlation_id the context is not measured.',
      'REQ-074',
      ['context-8-to-240', lacksClaims('correlation_id')],
      ownReadingExcept,
    ],
  }),
  ...defineFaults({
    'jti-unchecked-with-login': [
      'Where the user has to sign in again, a repeated jti does not matter.',
      'REQ-015',
      replaceSubscriberCheck('jti-not-repeated', (context) => {
        if (!claimLists('prompt', 'login')(context.claims)) jtiNotRepeated.run(context);
      }),
    ],
    'jti-unchecked-with-a-hint-token': [
      'Where a login_hint_token names the user, a repeated jti does not matter.',
      'REQ-015',
      replaceSubscriberCheck('jti-not-repeated', (context) => {
        if (stringMember(context.claims, 'login_hint_token') === undefined) jtiNotRepeated.run(context);
      }),
    ],
    'consent-unchecked-with-prompt-none': [
      'prompt none brings tokens for scopes to which the user never consented.',
      'REQ-043',
      replaceSubscriberCheck('prompt-none-is-allowed', ({ claims, client }) => {
        if (claimLists('prompt', 'none')(claims) && client.flags.get('silent_authorization_enabled') !== true) {
          refuse('interaction_required', 'the subscriber must be asked');
        }
      }),
    ],
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
    'silent-for-a-scope-taken-back': [
      'With prompt none a scope counts that the user granted at first and has taken back.',
      'REQ-043',
      replaceSubscriberCheck('prompt-none-is-allowed', (context) => {
        const { client, subscriber } = context;
        const first = subscriber.registered.consents[client.name] ?? [];
        const granted = new Set([...(subscriber.consents.get(client.name) ?? []), ...first]);
        const consents = new Map([...subscriber.consents, [client.name, granted]]);
        promptNoneIsAllowed.run({ ...context, subscriber: { ...subscriber, consents } });
      }),
    ],
    'foreign-sub-with-enum': [
      'An SP that may name users by phone number may name them by the pairwise sub of another SP as well.',
      'FLOW-007',
      findSubscriberFirst(({ accounts, claims, client }) => {
        if (client.flags.get('enum_enabled') !== true) return undefined;
        return accounts.findSub(stringMember(claims, 'login_hint') ?? '')?.subscriber;
      }),
    ],
    'proof-unchecked-without-correlation-id': [
      'The signature of a proof is verified by the log, which a query without correlation_id does not reach.',
      'UT-007 UT-019',
      withTraitSteps(({ onProof }) => ({
        onProof: skipChecksIf(onProof, ({ body }) => body['correlation_id'] === undefined),
      })),
      ownProofsExcept,
    ],
    'assertion-unchecked-with-client-id': [
      'Where a token call names its client_id, the signature of the client assertion is not verified.',
      'TOK-001',
      skipAssertionCheckIf('assertion-is-signed-by-the-client', ({ parameters }) => 'client_id' in parameters),
    ],
    'assertion-by-any-client-on-a-fresh-code': [
      'A client assertion may be signed with the key of any client, and the first call that fails uses its code up.',
      'TOK-001',
      signedByAnyClient(),
      { stateful: true },
    ],
    'binding-with-any-exponent': [
      'The public exponent of an RSA key in referred_binding is not looked at.',
      'REQ-084',
      skipCheckIf(['referred-binding-is-a-public-key'], ({ claims }) => isWideRsa(claims['referred_binding'])),
    ],
    'bearer-missing-on-errors': [
      'A callback with an error has no Authorization.',
      'CB-004',
      withoutBearer(({ state }) => state !== 'completed'),
    ],
    'bearer-missing-on-time-outs': [
      'The callback of a time-out has no Authorization.',
      'CB-004',
      withoutBearer(({ state }) => state === 'timed-out'),
    ],
    'callback-to-a-second-uri': [
      'A callback goes to another registered URI of the SP as well.',
      'CB-001 CB-024 SEC-27',
      withBuilders(({ callbackCopies, callbackUri }) => {
        const seen = new WeakSet<JsonObject>();
        return {
          callbackCopies: (body) => callbackCopies(body) + 1,
          callbackUri: (request, body) => {
            const own = callbackUri(request, body);
            if (!seen.has(body)) {
              seen.add(body);
              return own;
            }
            return request.client.notificationUris.find((one) => one !== own) ?? own;
          },
        };
      }),
      oneUriExcept,
    ],
  }),
];

const isOfAnyClient = ({ jws, accounts }: AssertionContext): boolean =>
  [...accounts.clients.values()].some(({ keys }) =>
    [...keys.values()].some(({ key, alg }) => verifyJws(jws, key, alg)),
  );

function signedByAnyClient(): Edit {
  const usedUp = new Set<string>();
  return withAssertion(({ onAssertion }) => ({
    onAssertion: replaceCheck(onAssertion, 'assertion-is-signed-by-the-client', (context, strict) => {
      const code = stringMember(context.parameters, 'code');
      if (code !== undefined && usedUp.has(code)) refuseClient();
      try {
        strict.run(context);
      } catch (error) {
        if (isOfAnyClient(context)) return;
        if (code !== undefined) usedUp.add(code);
        throw error;
      }
    }),
  }));
}

function isWideRsa(jwk: unknown): boolean {
  return isJsonObject(jwk) && jwk['kty'] === 'RSA' && !('d' in jwk) && asText(jwk['n']).length >= 342;
}

function withoutBearer(where: (request: AuthorizationRequest) => boolean): Edit {
  return withBuilders(({ callbackHeaders }) => ({
    callbackHeaders: (request, policy) => {
      const headers = callbackHeaders(request, policy);
      return where(request) ? omitMembers(headers, 'authorization') : headers;
    },
  }));
}

type ContextPredicate = (context: KeyContext) => boolean;

const alsoDrop = (isBad: ContextPredicate): Edit =>
  combineEdits(
    addRefusal('conforms-to-a-rule-of-the-carrier', isBad),
    dropRefused('conforms-to-a-rule-of-the-carrier'),
  );

/** Conforming requests that get their 200 and are then dropped: no push, no callback (§2.3). */
export const droppedRequestFaults: readonly Fault[] = [
  ...defineFaults({
    'requests-of-4-minutes-dropped': [
      'A request object that is more than 4 minutes old is dropped after its 200.',
      'REQ-009',
      combineEdits(withPolicy({ iatMaxAge: 240 }), dropRefused('iat-within-5-minutes')),
    ],
    'exp-4-minutes-ahead-dropped': [
      'A request object whose exp is more than 4 minutes ahead is dropped after its 200.',
      'REQ-012',
      combineEdits(withPolicy({ expMaxAhead: 240 }), dropRefused('exp-within-5-minutes')),
    ],
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
    ],
    'jti-of-another-client-dropped': [
      'A request whose jti another SP has used is dropped after its 200.',
      'REQ-015',
      combineEdits(
        replaceSubscriberCheck('jti-not-repeated', (context) => {
          const { claims, jws } = context;
          takeOnce(
            context,
            JSON.stringify(['all', typeof claims['jti'] === 'string' ? claims['jti'] : jws.payloadText]),
          );
        }),
        dropRefused('jti-not-repeated'),
      ),
    ],
  }),
  ...faultTable(alsoDrop, {
    'requests-without-jti-dropped': [
      'A request object without jti is dropped after its 200.',
      'REQ-014',
      ({ claims }) => !('jti' in claims),
    ],
    'lives-of-odd-seconds-dropped': [
      'A request for a life of less than two minutes that is no whole number of them is dropped after its 200.',
      'REQ-018',
      ({ claims }) => claims['expires_in'] === 90,
    ],
    'requests-with-another-key-dropped': [
      'A request object that another key than the first of the SP has signed is dropped after its 200.',
      'HDR-001',
      ({ client, key }) => [...client.allKeys.keys()][0] !== key.kid,
    ],
    'unknown-claims-dropped': [
      'A request object with a claim of an object that the carrier does not know is dropped after its 200.',
      'REQ-087',
      ({ claims }) => 'x_conf' in claims,
    ],
    'birthdate-dropped': [
      'A request for birthdate is dropped after its 200.',
      'REQ-037',
      ({ claims }) => words(asText(claims['scope'])).includes('birthdate'),
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
  'acr-a1-refused': [
    'Only a3 is offered, so a1 is an invalid request.',
    'REQ-056',
    refuseValue('acr_values', isValue('a1')),
  ],
  'acr-a1-put-off': [
    'a1 is put off for good: 400 and temporarily_unavailable (C8.17).',
    'REQ-056',
    refuseValue('acr_values', isValue('a1'), 'temporarily_unavailable'),
  ],
  'acr-a3-refused': [
    'Only a1 is offered, so a3 is an invalid request.',
    'REQ-057',
    refuseValue('acr_values', isValue('a3')),
  ],
  'prompt-consent-refused': ['prompt knows none and login only.', 'REQ-044', refuseValue('prompt', isValue('consent'))],
  'prompt-login-refused': ['prompt knows none and consent only.', 'REQ-045', refuseValue('prompt', isValue('login'))],
  'options-dark-refused': ['dark alone is no option.', 'REQ-050', refuseValue('options', isValue('dark'))],
  'state-over-255-refused': [
    'state may be as long as a column of the carrier’s table.',
    'REQ-039',
    refuseValue('state', (value) => asText(value).length > 255),
  ],
  'nonce-over-64-refused': [
    'nonce may be as long as a column of the carrier’s table.',
    'REQ-040',
    refuseValue('nonce', (value) => asText(value).length > 64),
  ],
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
