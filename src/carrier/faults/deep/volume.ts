import type { JsonObject } from '../../json.ts';
import { refuse } from '../../refusal.ts';
import type { Client, Subscriber } from '../../state/accounts.ts';
import { leaveOut } from '../edit/messages.ts';
import { replaceCheck, withBuilders, withEvents, withLastCheck, withPipeline } from '../edit/parts.ts';
import type { DeepFault } from './define.ts';
import { defineRemembering } from './lives.ts';
import { memoryVolumeFaults } from './volume-memory.ts';
import { pendingVolumeFaults } from './volume-pending.ts';

/** Counters that run over, and what becomes of the n-th of a kind. */
const counterVolumeFaults = defineRemembering('volume', {
  'every-50th-callback-without-bearer': [
    'Callbacks are sent in batches of 50, and the one that closes a batch is sent without its Authorization.',
    'CB-004',
    () => {
      let sent = 0;
      return withBuilders(({ callbackHeaders }) => ({
        callbackHeaders: (request, policy) => {
          const headers = callbackHeaders(request, policy);
          return ++sent % 50 === 0 ? leaveOut(headers, 'authorization') : headers;
        },
      }));
    },
  ],
  'every-25th-callback-twice': [
    'The queue of callbacks confirms every 25 messages, and the last of them is read twice.',
    'SEC-27',
    () => {
      const copies = new WeakMap<JsonObject, number>();
      let sent = 0;
      return withBuilders(({ callbackCopies }) => ({
        callbackCopies: (body) => {
          const known = copies.get(body) ?? callbackCopies(body) + (++sent % 25 === 0 ? 1 : 0);
          copies.set(body, known);
          return known;
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
    'Of an SP that has sent a hundred objects only every tenth signature is verified, to save time.',
    'HDR-008 SEC-04',
    () => {
      const seen = new WeakMap<Client, number>();
      return withPipeline(({ onClaims }) => ({
        onClaims: replaceCheck(onClaims, 'signature-verifies', (context, strict) => {
          const count = (seen.get(context.client) ?? 0) + 1;
          if (count <= 100 || count % 10 === 0) strict.run(context);
          seen.set(context.client, count);
        }),
      }));
    },
  ],
  'clock-of-the-sp-learned-after-20-refusals': [
    'After twenty refusals of an old iat in a row the carrier takes the clock of the SP for slow, and no age counts.',
    'REQ-009',
    () => {
      const inARow = new WeakMap<Client, number>();
      return withPipeline(({ onClaims }) => ({
        onClaims: replaceCheck(onClaims, 'iat-within-5-minutes', (context, strict) => {
          const count = inARow.get(context.client) ?? 0;
          if (count >= 20) return;
          inARow.set(context.client, count + 1);
          strict.run(context);
          inARow.delete(context.client);
        }),
      }));
    },
  ],
  'every-16th-refusal-echoes-the-one-before': [
    'Refusals are written into a ring of 16 buffers, and the one that closes it still has the correlation_id before.',
    'ERR-001',
    () => {
      let last: string | undefined;
      let count = 0;
      return withBuilders(({ refusal }) => ({
        refusal: (reason, correlationId) => {
          const echoed = ++count % 16 === 0 ? last : correlationId;
          last = correlationId;
          return refusal(reason, echoed);
        },
      }));
    },
  ],
  'request-256-fails': [
    'Requests are numbered in a byte, and the one after number 255 ends in an internal error.',
    'FLOW-001 TRN-014',
    () => {
      let count = 0;
      return withLastCheck('number-fits-a-byte', () => {
        count = (count + 1) % 256;
        if (count === 0) refuse('server_error', 'the carrier failed', 500);
      });
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
  'no-consent-screen-after-20': [
    'A user who saw twenty consent screens of an SP sees no further one, because they are thought to annoy.',
    'REQ-080 REQ-044',
    () => {
      const screens = new WeakMap<Subscriber, number>();
      return withBuilders(({ consentScreen }) => ({
        consentScreen: (wanted, subscriber, client) => {
          const asked = consentScreen(wanted, subscriber, client);
          const count = (screens.get(subscriber) ?? 0) + (asked.length > 0 ? 1 : 0);
          screens.set(subscriber, count);
          return count > 20 ? [] : asked;
        },
      }));
    },
  ],
});

/** What a long sequence of requests shows. */
export const volumeFaults: readonly DeepFault[] = [
  ...pendingVolumeFaults,
  ...counterVolumeFaults,
  ...memoryVolumeFaults,
];
