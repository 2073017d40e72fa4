import { proofKey, refuseRepeatedProof } from '../../checks/proof.ts';
import { jtiNotRepeated } from '../../checks/subscriber.ts';
import { asText } from '../../json.ts';
import { findCode, refuseGrant } from '../../pipeline/code.ts';
import { check, reader } from '../../pipeline/step.ts';
import { refuseToken } from '../../pipeline/userinfo.ts';
import type { Client } from '../../state/accounts.ts';
import type { Replays } from '../../state/records.ts';
import type { AuthorizationRequest } from '../../state/requests.ts';
import { all } from '../edit/define.ts';
import {
  insteadOfLast,
  replaceCheck,
  withBuilders,
  withCodeCall,
  withEvents,
  withTraits,
  withTraitSteps,
  withUserinfoCall,
} from '../edit/parts.ts';
import { defineRemembering, waitingRequests, watching } from './lives.ts';

/** Memories and caches that are too small for what they have to hold. */
export const memoryVolumeFaults = defineRemembering('volume', {
  'jti-memory-of-100': [
    'Of each SP a hundred jtis are kept, and the oldest makes room for the next although its 5 minutes are not over.',
    'REQ-015 SEC-21',
    () => {
      const memories = new WeakMap<Client, Replays>();
      return insteadOfLast('jti-not-repeated', (context) => {
        const replays = memories.get(context.client) ?? memoryOf(100, 'oldest');
        memories.set(context.client, replays);
        jtiNotRepeated.run({ ...context, replays });
      });
    },
  ],
  'jti-memory-emptied-at-500': [
    'The jtis of all SPs are kept in one table, which is emptied when it has 500 rows.',
    'REQ-015 SEC-21',
    () => {
      const replays = memoryOf(500, 'all');
      return insteadOfLast('jti-not-repeated', (context) => jtiNotRepeated.run({ ...context, replays }));
    },
  ],
  'proof-memory-of-50': [
    'Fifty proofs of possession are kept, and the oldest makes room for the next while it can still be used.',
    'SEC-42',
    () => {
      const replays = memoryOf(50, 'oldest');
      const kept = check('proof-jti-not-repeated', (context: Parameters<typeof proofKey>[0]) => {
        if (!replays.takeFirst(proofKey(context), context.now, context.policy.proofWindow)) refuseRepeatedProof();
      });
      return withTraitSteps(({ onFormat: { taap, jwt, dpop } }) => ({
        onFormat: {
          taap: replaceCheck(taap, kept.name, kept.run),
          jwt: replaceCheck(jwt, kept.name, kept.run),
          dpop: replaceCheck(dpop, kept.name, kept.run),
        },
      }));
    },
  ],
  'used-codes-of-the-last-20': [
    'A code stays where it is and is noted as used, in a list of twenty, so it is good again after twenty others.',
    'SEC-50',
    () => {
      const used = memoryOf(20, 'oldest');
      return withCodeCall(({ takeCode }) => ({
        takeCode: reader(takeCode.name, (call) => {
          const { code, signIn } = findCode(call);
          if (!used.takeFirst(code, call.now, Infinity)) refuseGrant();
          return { ...call, signIn };
        }),
      }));
    },
  ],
  'event-memory-of-ten': [
    'The ten newest events are kept to find duplicates, so one of an eleventh user lets the first be sent again.',
    'EVT-018',
    () => {
      const kept = new Set<string>();
      const lost = new Map<string, number>();
      return withEvents(({ duplicateKey }) => ({
        duplicateKey: (news) => {
          const key = duplicateKey(news);
          kept.add(key);
          const [oldest] = kept;
          if (kept.size > 10 && oldest !== undefined) {
            kept.delete(oldest);
            lost.set(oldest, (lost.get(oldest) ?? 0) + 1);
          }
          return `${key} ${lost.get(key) ?? 0}`;
        },
      }));
    },
  ],
  'tokens-of-the-last-100': [
    'User info knows the hundred newest access tokens, and refuses older ones long before they expire.',
    'CB-025 CB-028',
    () => {
      const known: string[] = [];
      const forgotten = new Set<string>();
      return all(
        withBuilders(({ accessToken }) => ({
          accessToken: (approval) => {
            const claims = accessToken(approval);
            known.push(asText(claims['jti']));
            if (known.length > 100) forgotten.add(known.shift() ?? '');
            return claims;
          },
        })),
        withUserinfoCall(({ onToken }) => ({
          onToken: [
            ...onToken,
            check('token-is-known', ({ claims }) => {
              if (forgotten.has(asText(claims['jti']))) refuseToken('invalid_token', 'the access token is not known');
            }),
          ],
        })),
      );
    },
  ],
  'card-slots-of-32': [
    'Contexts are kept in 32 slots in turn, so a card that waits shows the text of the thirty-second after it.',
    'REQ-072 FLOW-017',
    () => {
      const slots: (string | undefined)[] = [];
      const numbers = new WeakMap<AuthorizationRequest, number>();
      let count = 0;
      return all(
        watching({
          opened: (request) => {
            const slot = count++ % 32;
            numbers.set(request, slot);
            slots[slot] = request.wanted.context;
          },
        }),
        withBuilders(({ card }) => ({
          card: (request, authentication) => {
            const context = slots[numbers.get(request) ?? 0];
            return { ...card(request, authentication), context: context ?? null };
          },
        })),
      );
    },
  ],
  'timers-for-50-requests': [
    'There are fifty timers, and the request that needs one more takes that of the oldest, which never times out.',
    'FLOW-012 FLOW-013',
    () => {
      const waiting = waitingRequests();
      return all(
        watching({
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

/** A memory for so many keys; when it is full, the oldest or all of them are forgotten. */
function memoryOf(size: number, whenFull: 'oldest' | 'all'): Replays {
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
