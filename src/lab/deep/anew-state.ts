import { type ClientContext, check } from '../../carrier/context.ts';
import type { CarrierSigningKey } from '../../carrier/jose/jws.ts';
import { asText } from '../../carrier/json.ts';
import { refuse } from '../../carrier/refusal.ts';
import {
  replaceCheck,
  withBuilders,
  withDiscovery,
  withEvents,
  withPipeline,
  withTraitSteps,
  withUserinfo,
} from '../../carrier/seams/definition-parts.ts';
import type { ClientState, SubscriberState } from '../../carrier/state/accounts.ts';
import type { AuthorizationRequest } from '../../carrier/state/requests.ts';
import { combineEdits, defineStateful, type Edit, markDeep } from '../edit/fault-table.ts';
import { observeApprovals, observeLives, userKey, waitingRequests } from '../edit/request-life.ts';

/** Every approval authenticates the user, also one without a PIN. */
export const approvalsBeginSessions = (): Edit =>
  observeApprovals(({ authentication, request, now }) => {
    if (authentication === 'none') request.subscriber.authenticatedAt = now;
  });

/** A scope that a user has ever consented to is not asked for again. */
export function askForScopesOnce(): Edit {
  const ever = new Map<string, Set<string>>();
  return withBuilders(({ consentScreen }) => ({
    consentScreen: (wanted, subscriber, client) => {
      const key = userKey({ client, subscriber });
      const known = ever.get(key) ?? new Set<string>();
      for (const scope of subscriber.consents.get(client.name) ?? []) known.add(scope);
      ever.set(key, known);
      const screen = consentScreen(wanted, subscriber, client);
      return wanted.prompt.includes('consent') ? screen : screen.filter((scope) => !known.has(scope));
    },
  }));
}

/** Takes these requests off the phone: they are no longer shown, and no decision on them counts. */
function hideCards(isHidden: (request: AuthorizationRequest) => boolean): Edit {
  return withBuilders(({ isOpen, card }) => ({
    isOpen: (request) => isOpen(request) && !isHidden(request),
    card: (request, authentication) => {
      const shown = card(request, authentication);
      return isHidden(request) ? { ...shown, shown: false } : shown;
    },
  }));
}

const requestStateFaults = defineStateful({
  // Effects of one request on another of the same user.
  'acr-of-the-oldest-waiting': [
    'The session of a user has one level, which the oldest request that waits for him has set.',
    'REQ-056 REQ-057',
    () => {
      const waiting = waitingRequests();
      return combineEdits(
        waiting.watch,
        withBuilders(({ acr }) => ({
          acr: (request, policy) =>
            acr(waiting.list().find((one) => userKey(one) === userKey(request)) ?? request, policy),
        })),
      );
    },
  ],
  'context-of-the-cancelled-request': [
    'A cancellation leaves its text on the screen, and the next request without a context shows it.',
    'REQ-071 REQ-072',
    () => {
      const left = new Map<string, string>();
      return combineEdits(
        observeLives({
          opened: (request) => {
            if (request.wanted.context !== undefined) left.delete(userKey(request));
          },
          ended: (request, how) => {
            if (how === 'cancelled' && request.wanted.context !== undefined) {
              left.set(userKey(request), request.wanted.context);
            }
          },
        }),
        withBuilders(({ card }) => ({
          card: (request, authentication) => {
            const shown = card(request, authentication);
            return { ...shown, context: shown['context'] ?? left.get(userKey(request)) ?? null };
          },
        })),
      );
    },
  ],
  'time-out-clears-the-phone': [
    'A request that times out removes all cards of its user from the phone, also those with more time.',
    'FLOW-002 FLOW-015',
    () => {
      const waiting = waitingRequests();
      const cleared = new WeakSet<AuthorizationRequest>();
      return combineEdits(
        waiting.watch,
        observeLives({
          ended: (request, how) => {
            if (how !== 'timed-out') return;
            for (const one of waiting.list()) if (one.subscriber === request.subscriber) cleared.add(one);
          },
        }),
        hideCards((request) => cleared.has(request)),
      );
    },
  ],
  'opened-app-clears-the-phone': [
    'The app shows the requests that come while it runs, and those from before it was opened are gone.',
    'FLOW-002 FLOW-015',
    () =>
      hideCards(
        ({ state, subscriber, receivedAt }) => state === 'pending' && (subscriber.openedAt ?? -Infinity) > receivedAt,
      ),
  ],
  'a1-approval-counts-as-authentication': [
    'Every approval renews the session on the phone, also one at a1 without a PIN, and a3 uses it again.',
    'REQ-057',
    approvalsBeginSessions,
  ],
  'removed-scope-not-asked-again': [
    'The carrier keeps which scopes a user has ever consented to, and does not ask for a removed one again.',
    'REQ-080',
    askForScopesOnce,
  ],
});

const accountStateFaults = defineStateful({
  // Keys, links, numbers and levels that changed and changed back.
  'restored-key-stays-removed': [
    'The list of removed keys only grows, so a key that is registered again is refused if its absence was seen.',
    'SEC-13 FLOW-001',
    () => {
      const removed = new WeakMap<ClientState, Set<string>>();
      return withPipeline(({ onClient }) => ({
        onClient: [
          check('key-was-never-removed', ({ client, header }: ClientContext) => {
            const known = removed.get(client) ?? new Set<string>();
            for (const kid of client.allKeys.keys()) if (!client.keys.has(kid)) known.add(kid);
            removed.set(client, known);
            if (known.has(asText(header['kid']))) refuse('invalid_request_object', 'kid names a removed key');
          }),
          ...onClient,
        ],
      }));
    },
  ],
  'relinked-app-stays-unlinked': [
    'A query for an unlinked user is remembered as a refusal, and the link that is made again does not undo it.',
    'UT-013 UT-015',
    () => {
      const refused = new WeakMap<SubscriberState, Set<string>>();
      return withTraitSteps(({ onSubscriber }) => ({
        onSubscriber: replaceCheck(onSubscriber, 'trait-subscriber-is-linked', (context, strict) => {
          const { subscriber, client } = context;
          const clients = refused.get(subscriber) ?? new Set<string>();
          if (subscriber.unlinked.has(client.name)) clients.add(client.name);
          refused.set(subscriber, clients);
          strict.run({ ...context, subscriber: { ...subscriber, unlinked: clients } });
        }),
      }));
    },
  ],
  'no-events-after-a-change-of-number': [
    'The alert service finds a user by the number of the subscription, so after a change of number it finds none.',
    'EVT-001 EVT-002 EVT-003',
    () =>
      withEvents(({ isReported }) => ({
        isReported: (news) => isReported(news) && news.subscriber.phone === news.subscriber.registered.phone,
      })),
  ],
  'bounced-email-never-verified-again': [
    'The level of an email that user info has once shown as bounced is kept, whatever is verified later.',
    'UI-026',
    () => {
      const bounced = new WeakSet<SubscriberState>();
      return withUserinfo(({ level }) => ({
        level: (scope, call) => {
          const { subscriber } = call;
          if (scope !== 'email') return level(scope, call);
          const isBounced = !subscriber.emailVerified && subscriber.registered.account.emailVerified;
          if (isBounced) bounced.add(subscriber);
          return bounced.has(subscriber) ? 1 : level(scope, call);
        },
      }));
    },
  ],
  'event-confirmed-late-is-no-duplicate': [
    'An event enters the list of the hour when its first attempt is confirmed, so after a retry it may come twice.',
    'EVT-018',
    () => {
      const late = new Map<string, number>();
      return withEvents(({ confirms, duplicateKey }) => {
        const keyOf = (news: Parameters<typeof duplicateKey>[0]): string => duplicateKey(news);
        return {
          confirms: (status, attempt, news) => {
            const isConfirmed = confirms(status, attempt, news);
            if (isConfirmed && attempt > 0) late.set(keyOf(news), (late.get(keyOf(news)) ?? 0) + 1);
            return isConfirmed;
          },
          duplicateKey: (news) => `${keyOf(news)} ${late.get(keyOf(news)) ?? 0}`,
        };
      });
    },
  ],
  'key-set-of-before-the-rotation': [
    'A cache in front of jwks_uri serves the old key set once more, and fetches the new one behind it.',
    'SEC-31 EVT-024 EVT-025',
    () => {
      let last: readonly CarrierSigningKey[] | undefined;
      return withDiscovery(({ jwks }) => ({
        jwks: (keys) => {
          const served = last ?? keys;
          last = keys;
          return jwks(served);
        },
      }));
    },
  ],
});

/** Faults of what an earlier request or change left behind, written from the interface alone. */
export const anewStateFaults = markDeep('state', [...requestStateFaults, ...accountStateFaults]);
