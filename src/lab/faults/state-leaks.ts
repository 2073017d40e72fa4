import type { RequestFailure } from '../../carrier/builders/tokens.ts';
import type { CarrierDefinition } from '../../carrier/carrier.ts';
import { subscriberConsentedToOpenid, unreachableDescription } from '../../carrier/checks/subscriber.ts';
import { definedMembers, isJsonObject, type JsonObject } from '../../carrier/json.ts';
import { check } from '../../carrier/context.ts';
import { refuse } from '../../carrier/refusal.ts';
import type { ClientState, SubscriberState } from '../../carrier/state/accounts.ts';
import type { AuthorizationRequest, RequestState, AcceptedClaims } from '../../carrier/state/requests.ts';
import { combineEdits, defineStateful, type Edit, type Fault, oneUriExcept } from '../edit/fault-table.ts';
import { replaceSubscriberCheck, withBuilders, withTraits, withCancel } from '../../carrier/seams/definition-parts.ts';

/** State of one request, user or SP that leaks to another one, because its key is too short. */
export const stateLeakFaults: readonly Fault[] = [
  ...defineStateful({
    'consent-of-any-client': [
      'A scope that the user gave to another SP is not asked for again.',
      'REQ-080',
      () =>
        withBuilders(({ consentScreen }) => ({
          consentScreen: (wanted, subscriber, client) =>
            withoutGiven(wanted, consentScreen(wanted, subscriber, client), (scope) =>
              [...subscriber.consents.values()].some((given) => given.has(scope)),
            ),
        })),
      {
        except: {
          'prior-consents': 'another SP has the scope from the start, so no request shows that it is asked for',
        },
      },
    ],
    'consent-of-any-user': [
      'A scope that another user gave to the SP is not asked for again.',
      'REQ-080',
      () => {
        const seen = new Set<SubscriberState>();
        return withBuilders(({ consentScreen }) => ({
          consentScreen: (wanted, subscriber, client) => {
            seen.add(subscriber);
            return withoutGiven(wanted, consentScreen(wanted, subscriber, client), (scope) =>
              [...seen].some((one) => one.consents.get(client.name)?.has(scope) === true),
            );
          },
        }));
      },
    ],
    'bearer-of-the-last-request': [
      'A callback for a request without client_notification_token has that of the last request of the SP.',
      'CB-005',
      () => keepingTheBearer(({ client }) => client),
    ],
    'bearer-of-any-client': [
      'A callback for a request without client_notification_token has that of the last request of any SP.',
      'CB-005',
      () => keepingTheBearer(() => sharedKey),
    ],
    'callback-to-the-newest-uri': [
      'Tokens go to the notification_uri of the newest request that waits for the user.',
      'CB-001',
      () =>
        withNewest(
          ({ notificationUri }) => ({ notificationUri }),
          (asNewest) =>
            withBuilders(({ callbackUri }) => ({
              callbackUri: (request, body) =>
                callbackUri(request.state === 'completed' ? asNewest(request) : request, body),
            })),
        ),
      oneUriExcept,
    ],
    'card-of-the-newest-request': [
      'The phone shows the context of the newest request for every one that waits.',
      'REQ-072',
      () =>
        withNewest(
          ({ context }) => definedMembers({ context }),
          (asNewest) =>
            withBuilders(({ card }) => ({
              card: (request, authentication) => card(asNewest(request), authentication),
            })),
        ),
    ],
    'binding-of-the-request-before': [
      'A request without referred_binding is bound to the key that the last one named.',
      'REQ-085',
      () => {
        const kept = new WeakMap<ClientState, JsonObject>();
        return withBuilders(({ claims }) => ({
          claims: (context) => {
            const own = claims(context);
            const named = own['referred_binding'];
            if (isJsonObject(named)) kept.set(context.client, named);
            const binding = kept.get(context.client);
            return binding === undefined ? own : { referred_binding: binding, ...own };
          },
        }));
      },
    ],
    'denial-of-everything': [
      'After a denial no request that waits for the user can be approved any more.',
      'FLOW-015',
      () => endEarlierRequests('denied'),
    ],
    'cancellation-of-everything': [
      'When one request is cancelled, no other that waits for the user can be approved any more.',
      'FLOW-015',
      () => cancelAllRequests,
    ],
    'approval-ends-the-rest': [
      'After an approval no other request that waits for the user can be approved any more.',
      'FLOW-015',
      () => endEarlierRequests('completed'),
    ],
    'tenure-of-the-last-subscriber': [
      'A subscriber queried again within a minute gets the value kept last, even if it belongs to another one.',
      'UT-016',
      () => {
        const asked = new WeakMap<SubscriberState, number>();
        let kept: { readonly of: SubscriberState; readonly tenure: 'true' | 'false' | 'error' } | undefined;
        return withTraits(({ tenure }) => ({
          tenure: (subscriber, moment) => {
            const before = asked.get(subscriber) ?? -Infinity;
            asked.set(subscriber, moment.now);
            const isKept = kept !== undefined && kept.of !== subscriber && moment.now - before < 60_000;
            if (kept !== undefined && isKept) return kept.tenure;
            kept = { of: subscriber, tenure: tenure(subscriber, moment) };
            return kept.tenure;
          },
        }));
      },
    ],
    'consent-removed-everywhere': [
      'A user who takes his consent back from one SP has none for any other.',
      'FLOW-001',
      () =>
        replaceSubscriberCheck('subscriber-consented-to-openid', (context) => {
          const { subscriber, policy } = context;
          subscriberConsentedToOpenid.run(context);
          const isGone = Object.entries(subscriber.registered.consents).some(
            ([name, scopes]) => scopes.includes('openid') && subscriber.consents.get(name)?.has('openid') !== true,
          );
          if (isGone) refuse(policy.unconsentedError, unreachableDescription);
        }),
    ],
  }),
];

/** Key for state that is kept once for all. */
const sharedKey = {};

function withoutGiven(
  wanted: AcceptedClaims,
  asked: readonly string[],
  isGiven: (scope: string) => boolean,
): readonly string[] {
  return asked.filter((scope) => wanted.prompt.includes('consent') || !isGiven(scope));
}

function keepingTheBearer(keyOf: (request: AuthorizationRequest) => object): Edit {
  const kept = new WeakMap<object, string>();
  return withBuilders(({ callbackHeaders }) => ({
    callbackHeaders: (request, policy) => {
      const key = keyOf(request);
      const notificationToken = request.wanted.notificationToken ?? kept.get(key);
      if (notificationToken === undefined) return callbackHeaders(request, policy);
      kept.set(key, notificationToken);
      return callbackHeaders({ ...request, wanted: { ...request.wanted, notificationToken } }, policy);
    },
  }));
}

/** Closes every earlier request of a subscriber once one of them ends this way. */
function endEarlierRequests(end: RequestState): Edit {
  const endedAt = new WeakMap<SubscriberState, number>();
  const opened = new WeakMap<AuthorizationRequest, number>();
  let count = 0;
  return withBuilders(({ isOpen, response, success, failure }) => ({
    response: (request, policy) => {
      opened.set(request, ++count);
      return response(request, policy);
    },
    isOpen: (request) => isOpen(request) && (opened.get(request) ?? Infinity) > (endedAt.get(request.subscriber) ?? 0),
    success: (approval, tokens) => {
      if (end === 'completed') endedAt.set(approval.request.subscriber, count);
      return success(approval, tokens);
    },
    failure: (given: RequestFailure) => {
      if (given.request.state === end) endedAt.set(given.request.subscriber, count);
      return failure(given);
    },
  }));
}

/** Closes every request of a subscriber on a cancellation. */
function cancelAllRequests(definition: CarrierDefinition): CarrierDefinition {
  const closed = new WeakSet<AuthorizationRequest>();
  return combineEdits(
    withCancel(({ onRequest }) => ({
      onRequest: [
        ...onRequest,
        check('cancel-closes-the-rest', ({ request, requests }) => {
          for (const other of requests.values()) if (other.subscriber === request.subscriber) closed.add(other);
        }),
      ],
    })),
    withBuilders(({ isOpen }) => ({ isOpen: (request) => isOpen(request) && !closed.has(request) })),
  )(definition);
}

type AsNewest = <R extends Pick<AuthorizationRequest, 'subscriber' | 'wanted'>>(request: R) => R;

/** Replaces members of a request with those of the same user's newest one. */
function withNewest(
  pick: (newest: AcceptedClaims) => Partial<AcceptedClaims>,
  edit: (asNewest: AsNewest) => Edit,
): Edit {
  const newest = new WeakMap<SubscriberState, AcceptedClaims>();
  const noting = withBuilders(({ response }) => ({
    response: (request, policy) => {
      newest.set(request.subscriber, request.wanted);
      return response(request, policy);
    },
  }));
  const asNewest: AsNewest = (request) => ({
    ...request,
    wanted: { ...request.wanted, ...pick(newest.get(request.subscriber) ?? request.wanted) },
  });
  return combineEdits(noting, edit(asNewest));
}
