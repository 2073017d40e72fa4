import type { CarrierDefinition } from '../../carrier/carrier.ts';
import { subscriberConsentedToOpenid, unreachableDescription } from '../../carrier/checks/subscriber.ts';
import { stringMember } from '../../carrier/json.ts';
import { refuse } from '../../carrier/refusal.ts';
import type { ClientState, SubscriberState } from '../../carrier/state/accounts.ts';
import type { Authentication, AuthorizationRequest, AcceptedClaims } from '../../carrier/state/requests.ts';
import { combineEdits, defineFaults, type Edit, type Fault, faultTable, freshEdit } from '../edit/fault-table.ts';
import { userKey } from '../edit/request-life.ts';
import { changeCard, changeTokens } from '../edit/messages.ts';
import {
  addSubscriberCheck,
  dropChecks,
  replaceSubscriberCheck,
  withBuilders,
  withPipeline,
  withPolicy,
} from '../../carrier/seams/definition-parts.ts';
import { findSubscriberFirst } from '../edit/requests.ts';

/** Changes the URI that the phone opens. */
const changeOpenedUri = (change: (uri: string, wanted: AcceptedClaims) => string): Edit =>
  withBuilders(({ openedUri }) => ({
    openedUri: (request) => {
      const uri = openedUri(request);
      return uri === undefined ? undefined : change(uri, request.wanted);
    },
  }));

/** Faults of the subscriber and the phone (§2.3 login_hint, consent, prompt, acr_values, options, context), and of the sign-in page. */
export const requestObjectSubscriberFaults: readonly Fault[] = [
  ...defineFaults({
    'prompt-none-silently-approved': [
      'prompt none approves for every client.',
      'CFG-001 REQ-042 REQ-043',
      dropChecks('prompt-none-is-allowed'),
    ],
    'unenrolled-accepted': [
      'A subscriber without the app is pushed to all the same.',
      'FLOW-005 SEC-35',
      dropChecks('subscriber-has-the-app'),
    ],
    'foreign-sub-accepted': [
      'The pairwise sub of another client is taken.',
      'FLOW-007',
      findSubscriberFirst(
        ({ claims, accounts }) => accounts.findSub(stringMember(claims, 'login_hint') ?? '')?.subscriber,
      ),
    ],
    'sub-names-the-person': [
      'sub is taken for the subscriber, as in other tokens, and pushed to instead of login_hint.',
      'REQ-005',
      combineEdits(
        dropChecks('sub-is-the-client'),
        findSubscriberFirst(({ claims, accounts }) => accounts.findSub(stringMember(claims, 'sub') ?? '')?.subscriber),
      ),
      { except: { 'sub-of-requests': 'sub is not demanded' } },
    ],
    'phone-without-enum': [
      'A phone number is taken from every client.',
      'CFG-001 REQ-066 SEC-35',
      findSubscriberFirst(({ claims, accounts }) => accounts.findPhone(stringMember(claims, 'login_hint') ?? '')),
    ],
    'unknown-user-500': [
      'An unknown subscriber ends in an internal error.',
      'FLOW-004 REQ-063 REQ-066 REQ-067 REQ-099 REQ-100 SEC-35 SEC-36 TRN-015',
      findSubscriberFirst(({ claims, accounts }) => {
        const isKnown = accounts.findSub(stringMember(claims, 'login_hint') ?? '') !== undefined;
        return isKnown ? undefined : refuse('server_error', 'the carrier failed', 500);
      }),
    ],
    'unconsented-accepted': [
      'A subscriber who never consented to this SP can complete the flow.',
      'FLOW-006 SEC-35',
      combineEdits(
        dropChecks('subscriber-consented-to-openid'),
        withBuilders(() => ({ mayComplete: () => true })),
      ),
    ],
    'consent-screen-skipped': [
      'prompt consent shows only the scopes that are new.',
      'REQ-044 REQ-094',
      withBuilders(({ consentScreen }) => ({
        consentScreen: (wanted, subscriber, client) => consentScreen({ ...wanted, prompt: [] }, subscriber, client),
      })),
    ],
    'context-before-consent': [
      'The context is approved before the new scopes.',
      'REQ-080',
      changeCard(({ order }) => ({ order: Array.isArray(order) ? order.toReversed() : [] })),
    ],
    'a3-without-pin': [
      'acr_values a3 is approved by anyone who holds the phone.',
      'REQ-045 REQ-047 REQ-049 REQ-057 REQ-094',
      withBuilders(() => ({ authentication: () => 'none' as const })),
    ],
    'dark-by-default': [
      'Without light or dark the app is dark.',
      'REQ-051',
      changeCard(({ colourMode }) => ({ colourMode: colourMode === 'light' ? 'light' : 'dark' })),
    ],
    'local-redirect-ignored': [
      'The phone does not open redirect_uri.',
      'REQ-053 REQ-095',
      withBuilders(() => ({ openedUri: () => undefined })),
    ],
    'local-redirect-of-plain-requests-alone': [
      'The phone opens redirect_uri only if local_redirect is all that the request wants beside the usual.',
      'REQ-053 REQ-095',
      withBuilders(({ openedUri }) => ({
        openedUri: (request) => {
          const { options, acr, prompt, redirectUri, nonce } = request.wanted;
          const isPlain = options.length === 1 && acr === undefined && prompt.length === 0 && nonce !== undefined;
          return isPlain && redirectUri === request.client.redirectUris[0] ? openedUri(request) : undefined;
        },
      })),
    ],
    'local-redirect-with-code': [
      'The phone opens redirect_uri with an auth code.',
      'REQ-054',
      changeOpenedUri((uri) => `${uri}${uri.includes('?') ? '&' : '?'}code=c0de`),
    ],
    'local-redirect-always': [
      'The phone opens redirect_uri unasked.',
      'CB-026',
      withBuilders(({ openedUri }) => ({
        openedUri: (request) => openedUri({ ...request, wanted: { ...request.wanted, options: ['local_redirect'] } }),
      })),
    ],
    'hint-wins-over-token': [
      'login_hint takes precedence over login_hint_token.',
      'REQ-070',
      withPipeline(() => ({ hintTokenWins: false })),
    ],
    'sign-in-error-of-its-own': [
      'The authorization endpoint redirects with an unregistered error code.',
      'REQ-024',
      withBuilders(() => ({ signInError: () => 'E4711' })),
    ],
    'light-and-dark-is-dark': [
      'The last one read of light and dark wins.',
      'REQ-052',
      withBuilders(({ card }) => ({
        card: (request, authentication) => ({
          ...card(request, authentication),
          ...(asksForBoth(request) ? { colourMode: 'dark' } : {}),
        }),
      })),
    ],
    'a3-only-right-after-the-pin': [
      'A token is of a3 only where the PIN was asked for in the same request.',
      'REQ-056 REQ-057 REQ-062',
      (definition: CarrierDefinition) => {
        const proved = new WeakMap<AuthorizationRequest, Authentication>();
        return withBuilders(({ acr, authentication }) => ({
          authentication: (request, policy, now) => {
            const needed = authentication(request, policy, now);
            proved.set(request, needed);
            return needed;
          },
          acr: (request, policy) => (proved.get(request) === 'reused' ? 'a1' : acr(request, policy)),
        }))(definition);
      },
      { except: { 'authentication-reuse/never': 'the PIN is asked for each time' } },
    ],
    'phone-numbers-remembered': [
      'A phone number goes on leading to the subscriber who had it.',
      'FLOW-004',
      findSubscriberFirst(({ claims, client, accounts }) => {
        if (client.flags.get('enum_enabled') !== true) return undefined;
        return [...accounts.subscribers.values()].find(({ registered }) => registered.phone === claims['login_hint']);
      }),
      { keeps: 'numbers that were given up' },
    ],
    'revoked-consent-asked-for-once': [
      'A consent that was revoked is asked for once, and counts from the next request on, though the user denied it.',
      'CRV-004',
      freshEdit(refuseOnceRevoked),
      { stateful: true },
    ],
    'revoked-consent-remembered': [
      'A revoked consent stays in a cache, so the user is not asked again.',
      'CRV-004',
      combineEdits(
        replaceSubscriberCheck('subscriber-consented-to-openid', ({ subscriber, client, policy }) => {
          if (!registeredConsents(subscriber, client).includes('openid'))
            refuse(policy.unconsentedError, unreachableDescription);
        }),
        withBuilders(({ consentScreen }) => ({
          consentScreen: (wanted, subscriber, client) =>
            consentScreen(wanted, subscriber, client).filter(
              (scope) => wanted.prompt.includes('consent') || !registeredConsents(subscriber, client).includes(scope),
            ),
        })),
      ),
    ],
    'acr-kept-for-5-minutes': [
      'The acr of a token is that of the token before, if that is of the last five minutes.',
      'REQ-056 REQ-062',
      freshEdit(keepAcr),
      { stateful: true },
    ],
    'unticked-scopes-consented': [
      'An approval is a consent to all scopes of the request, also to those that the user unticked.',
      'REQ-080',
      forgetUnticked,
      { stateful: true },
    ],
    'phone-number-by-its-end': [
      'A phone number is looked up by its last ten digits, whatever country code stands before them.',
      'FLOW-004',
      findSubscriberFirst(({ claims, client, accounts }) => {
        const hint = stringMember(claims, 'login_hint') ?? '';
        if (!hint.startsWith('+') || client.flags.get('enum_enabled') !== true) return undefined;
        return [...accounts.subscribers.values()].find(({ phone }) => phone.slice(-10) === hint.slice(-10));
      }),
      {
        except: { 'phone-numbers/short': 'no number has ten digits after its country code' },
        keeps: 'numbers that only look like one',
      },
    ],
    'login-reused-for-2-minutes': [
      'prompt login passes by itself within two minutes.',
      'REQ-047 REQ-049 REQ-094',
      withPolicy({ loginReuse: 150 }),
    ],
    'sign-in-by-code-closed': [
      'The authorization endpoint refuses code as well.',
      'REQ-024',
      withBuilders(() => ({ signInTypes: [] })),
    ],
    'pending-without-limit': [
      'A user may have any number of pending requests.',
      'SEC-46',
      withPolicy({ maxPending: Number.POSITIVE_INFINITY }),
    ],
    'fails-above-40-pending': [
      'A table with room for 40 pending requests of a user fails with 500 when it is full.',
      'SEC-23 SEC-46 TRN-015',
      addSubscriberCheck('room-for-another', ({ client, subscriber, countPending }) => {
        if (countPending(client, subscriber) >= 40) refuse('server_error', 'the request cannot be kept', 500);
      }),
      { stateful: true, except: { 'waiting-pushes': 'fewer requests may wait' } },
    ],
    'context-not-shown': [
      'The phone does not show the context.',
      'REQ-072 REQ-078',
      changeCard(() => ({ context: null })),
    ],
    'context-of-another': [
      'A request without context is shown, and signed, with the last one that came, whosever it was.',
      'REQ-071',
      (definition) => {
        let last: string | undefined;
        return withBuilders(({ claims }) => ({
          claims: (context) => {
            const own = claims(context);
            last = stringMember(own, 'context') ?? last;
            return last === undefined ? own : { context: last, ...own };
          },
        }))(definition);
      },
      { keeps: 'another fault shows the same, and carriers have either', stateful: true },
    ],
    'colour-mode-ignored': [
      'light and dark change nothing.',
      'REQ-050 REQ-095',
      changeCard(() => ({ colourMode: 'system' })),
    ],
    'acr-always-a3': ['Every token says a3.', 'REQ-048 REQ-056', withBuilders(() => ({ acr: () => 'a3' }))],
  }),
  ...faultTable(dropChecks, {
    'prompt-none-with-login': [
      'prompt none may stand beside login.',
      'REQ-100 SEC-43',
      'prompt-none-stands-alone',
      { except: { 'silent-authorization': 'prompt none never brings tokens' } },
    ],
    'acr-unknown-accepted': ['An unknown acr_values is taken for a3.', 'REQ-058 REQ-100 SEC-36', 'acr-is-a1-or-a3'],
  }),
];

/** Asks again for scopes that a subscriber unticked for a client only with prompt consent. */
function forgetUnticked(definition: CarrierDefinition): CarrierDefinition {
  const unticked = new WeakMap<SubscriberState, Set<string>>();
  const nameOf = (client: ClientState, scope: string): string => `${client.name} ${scope}`;
  return combineEdits(
    changeTokens((_, { request: { subscriber, client, wanted }, scopes }) => {
      const names = unticked.get(subscriber) ?? new Set();
      for (const scope of wanted.scopes) if (!scopes.includes(scope)) names.add(nameOf(client, scope));
      unticked.set(subscriber, names);
      return {};
    }),
    withBuilders(({ consentScreen }) => ({
      consentScreen: (wanted, subscriber, client) => {
        const asked = consentScreen(wanted, subscriber, client);
        const names = unticked.get(subscriber);
        return wanted.prompt.includes('consent') || names === undefined
          ? asked
          : asked.filter((scope) => !names.has(nameOf(client, scope)));
      },
    })),
  )(definition);
}

function asksForBoth({ wanted }: AuthorizationRequest): boolean {
  return ['light', 'dark'].every((mode) => wanted.options.includes(mode));
}

/** Scopes consented to when the carrier started. */
function registeredConsents({ registered }: SubscriberState, { name }: ClientState): readonly string[] {
  return registered.consents[name] ?? [];
}

/** Refuses only the first request after a consent was revoked, until the user consents again. */
function refuseOnceRevoked(): Edit {
  /** Number of requests since the consent was revoked, by user and SP. */
  const requests = new Map<string, number>();
  const isTaken = (subscriber: SubscriberState, client: ClientState): boolean =>
    registeredConsents(subscriber, client).includes('openid') &&
    (requests.get(userKey({ client, subscriber })) ?? 0) > 1;
  return combineEdits(
    replaceSubscriberCheck('subscriber-consented-to-openid', (context) => {
      const { subscriber, client } = context;
      const hasConsented = subscriber.consents.get(client.name)?.has('openid') === true;
      const pair = userKey(context);
      requests.set(pair, hasConsented ? 0 : (requests.get(pair) ?? 0) + 1);
      if (!isTaken(subscriber, client)) subscriberConsentedToOpenid.run(context);
    }),
    withBuilders(({ consentScreen }) => ({
      consentScreen: (wanted, subscriber, client) =>
        isTaken(subscriber, client) ? [] : consentScreen(wanted, subscriber, client),
    })),
  );
}

function keepAcr(): Edit {
  const kept = new Map<string, { readonly acr: string; readonly at: number }>();
  return withBuilders(({ acr }) => ({
    acr: (request, policy) => {
      const before = kept.get(userKey(request));
      if (before !== undefined && request.receivedAt - before.at < 300_000) return before.acr;
      const found = acr(request, policy);
      kept.set(userKey(request), { acr: found, at: request.receivedAt });
      return found;
    },
  }));
}
