import type { Subscriber } from '../../state/accounts.ts';
import type { AuthorizationRequest } from '../../state/requests.ts';
import { all } from '../edit/define.ts';
import { withBuilders, withEvents } from '../edit/parts.ts';
import { defineRemembering, notingDenials, pairOf, waitingRequests, watching } from './lives.ts';

/** What the phone, and who sends to it, keep of the request before. */
export const phoneStateFaults = defineRemembering('state', {
  'no-event-while-a-request-waits': [
    'The carrier takes a phone with a request on it for busy, and drops the events of its subscriber.',
    'EVT-001 EVT-002 EVT-003',
    () => {
      const waiting = waitingRequests();
      return all(
        waiting.watch,
        withEvents(({ isReported }) => ({
          isReported: (what) =>
            isReported(what) && !waiting.list().some(({ subscriber }) => subscriber === what.subscriber),
        })),
      );
    },
  ],
  'life-halved-after-denial': [
    'After a denial the next push to the user is withdrawn at half its life, which the response does not say.',
    'FLOW-015 RSP-006',
    () => {
      const denied = new WeakSet<Subscriber>();
      return all(
        notingDenials(denied),
        withBuilders(({ timesOutAt }) => ({
          timesOutAt: (request) => {
            const due = timesOutAt(request);
            return due !== undefined && denied.has(request.subscriber) ? (due + request.receivedAt) / 2 : due;
          },
        })),
      );
    },
  ],
  'user-shielded-after-three-denials': [
    'A user who denied three times in a row is left in peace: what comes then is accepted and never shown.',
    'FLOW-001',
    () => {
      const denials = new WeakMap<Subscriber, number>();
      const hidden = new WeakSet<AuthorizationRequest>();
      return all(
        watching({
          opened: (request) => {
            if ((denials.get(request.subscriber) ?? 0) >= 3) hidden.add(request);
          },
          ended: ({ subscriber }, how) => {
            denials.set(subscriber, how === 'denied' ? (denials.get(subscriber) ?? 0) + 1 : 0);
          },
        }),
        withBuilders(({ card, isOpen }) => ({
          card: (request, authentication) => {
            const shown = card(request, authentication);
            return hidden.has(request) ? { ...shown, shown: false } : shown;
          },
          isOpen: (request) => isOpen(request) && !hidden.has(request),
        })),
      );
    },
  ],
  'local-redirect-sticks-to-the-phone': [
    'The phone keeps local_redirect of one approval for the next, which then opens its redirect_uri too.',
    'CB-026',
    () => {
      const sticky = new WeakSet<Subscriber>();
      return withBuilders(({ openedUri }) => ({
        openedUri: (request) => {
          const { wanted, subscriber } = request;
          const isKept = sticky.delete(subscriber);
          if (wanted.options.includes('local_redirect')) sticky.add(subscriber);
          const options = isKept ? [...wanted.options, 'local_redirect'] : wanted.options;
          return openedUri({ ...request, wanted: { ...wanted, options } });
        },
      }));
    },
  ],
  'prompt-consent-once-for-the-same-scopes': [
    'prompt consent right after one that was approved for the same scopes shows no consent screen.',
    'REQ-044',
    () => {
      const approved = new Map<string, string>();
      return all(
        watching({
          ended: (request, how) => {
            const isAsked = how === 'completed' && request.wanted.prompt.includes('consent');
            approved.set(pairOf(request), isAsked ? request.wanted.scopes.join(' ') : '');
          },
        }),
        withBuilders(({ consentScreen }) => ({
          consentScreen: (wanted, subscriber, client) =>
            approved.get(pairOf({ client, subscriber })) === wanted.scopes.join(' ')
              ? consentScreen({ ...wanted, prompt: [] }, subscriber, client)
              : consentScreen(wanted, subscriber, client),
        })),
      );
    },
  ],
});
