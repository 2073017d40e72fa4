import type { RequestFailure } from '../../carrier/builders/tokens.ts';
import type { CarrierDefinition } from '../../carrier/carrier.ts';
import { subscriberConsentedToOpenid, unreachableDescription } from '../../carrier/checks/subscriber.ts';
import { definedMembers, isJsonObject, type JsonObject } from '../../carrier/json.ts';
import { check, type MessageContext } from '../../carrier/context.ts';
import { authorizeRequest, sendResponse } from '../../carrier/endpoints/signed-requests.ts';
import { Refusal, refuse } from '../../carrier/refusal.ts';
import type { ClientState, SubscriberState } from '../../carrier/state/accounts.ts';
import type { AuthorizationRequest, RequestState, AcceptedClaims } from '../../carrier/state/requests.ts';
import { combineEdits, defineStateful, type Edit, type Fault, oneUriExcept } from '../edit/fault-table.ts';
import { changeTimeOut } from '../edit/messages.ts';
import { observeLives } from '../edit/request-life.ts';
import { dropRefused } from '../variants/requests.ts';
import {
  addClaimCheck,
  addSubscriberCheck,
  changeRoute,
  replaceSubscriberCheck,
  withBuilders,
  withPipeline,
  withTraits,
  withTraitSteps,
  withCancel,
} from '../../carrier/seams/definition-parts.ts';

/** State of one request, user or SP that leaks to another one, because its key is too short. */
export const stateLeakFaults: readonly Fault[] = [
  ...defineStateful({
    'request-refused-after-an-empty-body': [
      'An empty body breaks a worker, which refuses the next request (C8.14).',
      'FLOW-001',
      () => refuseAfter(({ bytes }) => bytes.length === 0),
    ],
    'query-refused-after-a-stale-request': [
      'A request object of yesterday breaks a worker, which refuses the next query of user traits (C8.14).',
      'UT-001',
      refuseQueryAfterStale,
    ],
    'query-refused-after-a-time-out': [
      'A request that the subscriber let pass takes his consent for user traits away (C8.14).',
      'UT-001',
      refuseQueryAfterTimeOut,
    ],
    'message-refused-after-another-ending': [
      'A message that is refused, or closes its connection, breaks a worker, which refuses the next one of its user (C8.14).',
      'FLOW-001 UT-001',
      () => refuseAfterAnotherEnding(),
    ],
    'request-refused-after-a-fruitless-one': [
      'A denied or missed request after an approved one ends the session of the app, and the next is refused (C8.14).',
      'FLOW-001',
      () => refuseAfterFruitless('denied', 'timed-out'),
    ],
    'request-dropped-after-a-missed-one': [
      'A missed request after an approved one ends the session of the app: the next is dropped after its 200 (C8.14).',
      'FLOW-002',
      () => combineEdits(refuseAfterFruitless('timed-out'), dropRefused('app-has-a-session')),
    ],
    'request-dropped-after-a-cancellation': [
      'The app takes the request after a cancelled one for the cancelled one, and it is dropped after its 200 (C8.14).',
      'FLOW-002',
      () => combineEdits(refuseAfterCancellation(), dropRefused('app-has-let-go')),
    ],
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
      'Where no client_notification_token was sent, that of the last request of the SP is sent back.',
      'CB-005',
      () => keepingTheBearer(({ client }) => client),
    ],
    'bearer-of-any-client': [
      'Where no client_notification_token was sent, that of the last request of any SP is sent back.',
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

/** A worker that one message breaks, so that it refuses the next. */
interface FragileWorker {
  broken: boolean;
}

function refuseIfBroken(worker: FragileWorker): void {
  if (!worker.broken) return;
  worker.broken = false;
  refuse('server_error', 'the worker starts again');
}

/** Refuses the next request that is read after a message that `isSo` accepts. */
function refuseAfter(isSo: (message: MessageContext) => boolean): Edit {
  const worker: FragileWorker = { broken: false };
  const watch = check('worker-sees-the-message', (message: MessageContext) => {
    worker.broken ||= isSo(message);
  });
  return combineEdits(
    withPipeline(({ onMessage }) => ({ onMessage: [watch, ...onMessage] })),
    addClaimCheck('worker-is-well', () => refuseIfBroken(worker)),
  );
}

/** Age of a request object that breaks the worker, in seconds. */
const breakingAge = 80_000;

function refuseQueryAfterStale(): Edit {
  const worker: FragileWorker = { broken: false };
  return combineEdits(
    withPipeline(({ onClaims }) => ({
      onClaims: [
        check('worker-sees-the-age', ({ claims, now }) => {
          worker.broken = now / 1000 - Number(claims['iat']) > breakingAge;
        }),
        ...onClaims,
      ],
    })),
    withTraitSteps(({ onClaims }) => ({
      onClaims: [...onClaims, check('worker-is-well', () => refuseIfBroken(worker))],
    })),
  );
}

function refuseQueryAfterTimeOut(): Edit {
  const missed = new WeakSet<SubscriberState>();
  return combineEdits(
    changeTimeOut(({ request }) => {
      missed.add(request.subscriber);
      return {};
    }),
    withTraitSteps(({ onSubscriber }) => ({
      onSubscriber: [
        ...onSubscriber,
        check('not-missed', ({ subscriber }) => {
          if (missed.has(subscriber)) refuse('access_denied', 'there is no consent');
        }),
      ],
    })),
  );
}

/** Refuses a subscriber's next request after a completed one and then one that ended this way. */
function refuseAfterFruitless(...ends: readonly RequestState[]): Edit {
  const last = new WeakMap<SubscriberState, RequestState>();
  const ended = new WeakSet<SubscriberState>();
  return combineEdits(
    observeLives({
      ended: ({ subscriber }, how) => {
        if (last.get(subscriber) === 'completed' && ends.includes(how)) ended.add(subscriber);
        last.set(subscriber, how);
      },
    }),
    addSubscriberCheck('app-has-a-session', ({ subscriber }) => {
      if (ended.delete(subscriber)) refuse('server_error', 'the app starts again');
    }),
  );
}

/** Refuses a message about the subscriber of the last accepted one, if one in between ended otherwise. */
function refuseAfterAnotherEnding(): Edit {
  let worker: { readonly served?: SubscriberState; readonly isBroken?: boolean } = {};
  const serve = check('worker-is-well', ({ subscriber }: { readonly subscriber: SubscriberState }) => {
    const isBroken = worker.isBroken === true && worker.served === subscriber;
    worker = isBroken ? {} : { served: subscriber };
    if (isBroken) refuse('server_error', 'the worker starts again');
  });
  return combineEdits(
    addSubscriberCheck(serve.name, serve.run),
    withTraitSteps(({ onSubscriber }) => ({ onSubscriber: [...onSubscriber, serve] })),
    changeRoute('serverInitiated', {
      methods: ['POST', 'PUT'],
      respond: async (carrier, request, reply) => {
        const isPost = request.method === 'POST';
        const response = isPost ? await authorizeRequest(carrier, request) : undefined;
        if (response?.status !== 200 || request.headers.connection === 'close') worker = { ...worker, isBroken: true };
        if (response !== undefined) return sendResponse(reply, response);
        throw new Refusal('invalid_request', 'the method must be POST', { status: 405, headers: { allow: 'POST' } });
      },
    }),
  );
}

/** Refuses a user's first request after a cancelled one. */
function refuseAfterCancellation(): Edit {
  const cancelled = new WeakSet<SubscriberState>();
  return combineEdits(
    observeLives({ ended: ({ subscriber }, how) => void (how === 'cancelled' && cancelled.add(subscriber)) }),
    addSubscriberCheck('app-has-let-go', ({ subscriber }) => {
      if (cancelled.delete(subscriber)) refuse('server_error', 'the app still shows the cancelled request');
    }),
  );
}
