import { refuse } from '../../refusal.ts';
import type { AuthorizationRequest } from '../../state/requests.ts';
import { all } from '../edit/define.ts';
import { insteadOfLast, withBuilders } from '../edit/parts.ts';
import { defineRemembering, pairOf, waitingRequests, watching } from './lives.ts';

const tooMany = 'too many requests are pending for the subscriber';

/** What many requests for one user do to each other. */
export const pendingVolumeFaults = defineRemembering('volume', {
  'eleventh-card-drops-the-oldest': [
    'The phone holds ten cards of an SP, and the one that the eleventh pushes out can no longer be approved.',
    'FLOW-001 FLOW-015',
    () => {
      const waiting = waitingRequests();
      const dropped = new WeakSet<AuthorizationRequest>();
      return all(
        watching({
          opened: (request) => {
            const cards = waiting.list().filter((one) => pairOf(one) === pairOf(request) && !dropped.has(one));
            if (cards.length > 10 && cards[0] !== undefined) dropped.add(cards[0]);
          },
        }),
        waiting.watch,
        withBuilders(({ card, isOpen }) => ({
          isOpen: (request) => isOpen(request) && !dropped.has(request),
          card: (request, authentication) => {
            const shown = card(request, authentication);
            return dropped.has(request) ? { ...shown, shown: false } : shown;
          },
        })),
      );
    },
  ],
  'pending-limit-per-scope': [
    'Requests that wait are counted by user and scope, so an SP that varies the scope floods the phone.',
    'SEC-46',
    () => {
      const waiting = waitingRequests();
      return all(
        waiting.watch,
        insteadOfLast('few-requests-pending', (context) => {
          const alike = waiting
            .list()
            .filter(
              (one) => pairOf(one) === pairOf(context) && one.wanted.scopes.join(' ') === context.claims['scope'],
            );
          if (alike.length >= context.policy.maxPending) refuse('temporarily_unavailable', tooMany);
        }),
      );
    },
  ],
  'pending-count-reset-by-an-approval': [
    'An approval sets the number of requests that wait for the user back to zero, whatever else still waits.',
    'SEC-46',
    () => {
      const counts = new Map<string, number>();
      const countOf = (key: string): number => counts.get(key) ?? 0;
      return all(
        watching({
          opened: (request) => counts.set(pairOf(request), countOf(pairOf(request)) + 1),
          ended: (request, how) => {
            const left = how === 'completed' ? 0 : Math.max(0, countOf(pairOf(request)) - 1);
            counts.set(pairOf(request), left);
          },
        }),
        insteadOfLast('few-requests-pending', (context) => {
          if (countOf(pairOf(context)) >= context.policy.maxPending) refuse('temporarily_unavailable', tooMany);
        }),
      );
    },
  ],
  'trusted-after-ten-approvals': [
    'A user who approved ten requests of an SP in a row is spared the eleventh, which is approved without being asked.',
    'FLOW-001 FLOW-017',
    () => {
      const approvals = new Map<string, number>();
      return all(
        watching({
          ended: (request, how) => {
            const before = approvals.get(pairOf(request)) ?? 0;
            approvals.set(pairOf(request), how === 'completed' ? before + 1 : 0);
          },
        }),
        withBuilders(({ claims }) => ({
          claims: (context) => {
            const own = claims(context);
            return (approvals.get(pairOf(context)) ?? 0) < 10 ? own : { ...own, prompt: 'none' };
          },
        })),
      );
    },
  ],
});
