import { jtiNotRepeated } from '../../carrier/checks/subscriber.ts';
import { reader } from '../../carrier/context.ts';
import { findCode, refuseGrant } from '../../carrier/pipeline/grants.ts';
import { refuse } from '../../carrier/refusal.ts';
import type { ClientState } from '../../carrier/state/accounts.ts';
import type { Replays } from '../../carrier/state/records.ts';
import type { AuthorizationRequest } from '../../carrier/state/requests.ts';
import { combineEdits, markDeep, defineStateful } from '../edit/fault-table.ts';
import { limitAlike, userKey, tooManyPending, waitingRequests, observeLives } from '../edit/request-life.ts';
import { omitMembers } from '../edit/messages.ts';
import {
  replaceCheck,
  replaceSubscriberCheck,
  withBuilders,
  withCodeCall,
  withEvents,
  withPipeline,
  withTraits,
} from '../../carrier/seams/definition-parts.ts';

/** Memory for `size` keys; when full, forgets the oldest or all of them. */
function boundedReplays(size: number, whenFull: 'oldest' | 'all'): Replays {
  const kept = new Map<string, number>();
  return {
    takeFirst(key, now, window) {
      const at = kept.get(key);
      if (at !== undefined && now - at <= window * 1000) return false;
      if (kept.size >= size) {
        const [oldest] = kept.keys();
        if (whenFull === 'all') kept.clear();
        else if (oldest !== undefined) kept.delete(oldest);
      }
      kept.delete(key);
      kept.set(key, now);
      return true;
    },
  };
}

const counterFaults = defineStateful({
  // Effects of many requests for one user.
  'eleventh-card-drops-the-oldest': [
    'The phone holds ten cards of an SP, and the one that the eleventh pushes out can no longer be approved.',
    'FLOW-001 FLOW-015',
    () => {
      const waiting = waitingRequests();
      const dropped = new WeakSet<AuthorizationRequest>();
      return combineEdits(
        observeLives({
          opened: (request) => {
            const cards = waiting.list().filter((one) => userKey(one) === userKey(request) && !dropped.has(one));
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
    () => limitAlike(({ wanted }, { claims }) => wanted.scopes.join(' ') === claims['scope']),
  ],
  'pending-count-reset-by-an-approval': [
    'An approval sets the number of requests that wait for the user back to zero, whatever else still waits.',
    'SEC-46',
    () => {
      const counts = new Map<string, number>();
      const countOf = (key: string): number => counts.get(key) ?? 0;
      return combineEdits(
        observeLives({
          opened: (request) => counts.set(userKey(request), countOf(userKey(request)) + 1),
          ended: (request, how) => {
            const left = how === 'completed' ? 0 : Math.max(0, countOf(userKey(request)) - 1);
            counts.set(userKey(request), left);
          },
        }),
        replaceSubscriberCheck('few-requests-pending', (context) => {
          if (countOf(userKey(context)) >= context.policy.maxPending) refuse('temporarily_unavailable', tooManyPending);
        }),
      );
    },
  ],
  'trusted-after-ten-approvals': [
    'A user who approved ten requests of an SP in a row is spared the eleventh, which is approved without being asked.',
    'FLOW-001 FLOW-017',
    () => {
      const approvals = new Map<string, number>();
      return combineEdits(
        observeLives({
          ended: (request, how) => {
            const before = approvals.get(userKey(request)) ?? 0;
            approvals.set(userKey(request), how === 'completed' ? before + 1 : 0);
          },
        }),
        withBuilders(({ claims }) => ({
          claims: (context) => {
            const own = claims(context);
            return (approvals.get(userKey(context)) ?? 0) < 10 ? own : { ...own, prompt: 'none' };
          },
        })),
      );
    },
  ],
  // Counters that overflow, and faults of every n-th message.
  'every-50th-callback-without-bearer': [
    'Callbacks are sent in batches of 50, and the one that closes a batch is sent without its Authorization.',
    'CB-004',
    () => {
      let sent = 0;
      return withBuilders(({ callbackHeaders }) => ({
        callbackHeaders: (request, policy) => {
          const headers = callbackHeaders(request, policy);
          return ++sent % 50 === 0 ? omitMembers(headers, 'authorization') : headers;
        },
      }));
    },
  ],
  'auth-req-ids-of-a-pool-of-64': [
    'The carrier draws 64 ids when it starts, because random numbers are slow, and begins again after the last.',
    'RSP-004 SEC-23',
    () => {
      const pool: string[] = [];
      let count = 0;
      return withBuilders(({ authReqId }) => ({
        authReqId: (wanted) => {
          if (pool.length < 64) pool.push(authReqId(wanted));
          return pool[count++ % 64] ?? authReqId(wanted);
        },
      }));
    },
  ],
  'signatures-sampled-after-100': [
    'Only every tenth signature of an SP that has sent a hundred request objects is verified, to save time.',
    'HDR-008 SEC-04',
    () => {
      const seen = new WeakMap<ClientState, number>();
      return withPipeline(({ onClaims }) => ({
        onClaims: replaceCheck(onClaims, 'signature-verifies', (context, strict) => {
          const count = (seen.get(context.client) ?? 0) + 1;
          if (count <= 100 || count % 10 === 0) strict.run(context);
          seen.set(context.client, count);
        }),
      }));
    },
  ],
  'retries-from-a-budget-of-ten': [
    'All events share a budget of ten retries, to protect the SPs, and when it is spent none is sent again.',
    'EVT-013',
    () => {
      let spent = 0;
      return withEvents(({ confirms }) => ({
        confirms: (status, attempt, news) => confirms(status, attempt, news) || ++spent > 10,
      }));
    },
  ],
  // Memories and caches that are too small.
  'jti-memory-of-100': [
    'The carrier keeps a hundred jtis of each SP, and forgets the oldest for the next one before its 5 minutes are over.',
    'REQ-015 SEC-21',
    () => {
      const memories = new WeakMap<ClientState, Replays>();
      return replaceSubscriberCheck('jti-not-repeated', (context) => {
        const replays = memories.get(context.client) ?? boundedReplays(100, 'oldest');
        memories.set(context.client, replays);
        jtiNotRepeated.run({ ...context, replays });
      });
    },
  ],
  'used-codes-of-the-last-20': [
    'A code stays where it is and is noted as used, in a list of twenty, so it is good again after twenty others.',
    'SEC-50',
    () => {
      const used = boundedReplays(20, 'oldest');
      return withCodeCall(({ takeCode }) => ({
        takeCode: reader(takeCode.name, (call) => {
          const { code, signIn } = findCode(call);
          if (!used.takeFirst(code, call.now, Infinity)) refuseGrant();
          return { ...call, signIn };
        }),
      }));
    },
  ],
  'timers-for-50-requests': [
    'There are fifty timers, and the request that needs one more takes that of the oldest, which never times out.',
    'FLOW-012 FLOW-013',
    () => {
      const waiting = waitingRequests();
      return combineEdits(
        observeLives({
          opened: () => {
            const requests = waiting.list();
            for (const request of requests.slice(0, Math.max(0, requests.length - 50))) request.cancelTimeOut();
          },
        }),
        waiting.watch,
      );
    },
  ],
  'tenure-guessed-under-load': [
    'From the thirty-first query of a minute on, the carrier answers false without a look at the SIM, to shed load.',
    'UT-015 UT-018',
    () => {
      const queries: number[] = [];
      return withTraits(({ tenure }) => ({
        tenure: (subscriber, moment) => {
          while ((queries[0] ?? Infinity) <= moment.now - 60_000) queries.shift();
          queries.push(moment.now);
          return queries.length > 30 ? 'false' : tenure(subscriber, moment);
        },
      }));
    },
  ],
});

/** Faults that a long sequence of requests shows. */
export const volumeFaults = markDeep('volume', counterFaults);
