import { defineRunCheck, type RunMismatch } from '../../../../judge/check.ts';
import type { EventObservation } from '../../../../judge/observation.ts';
import { claimOf, namesOf } from './event.ts';
import { changeIn } from './run-events.ts';

/** Seconds within which the attempts of one event come; the next event about the same subscriber is an hour away. */
const attemptsLast = 1800;

const about = (event: EventObservation): string =>
  JSON.stringify([event.client ?? null, claimOf(event.set, 'sub') ?? null, namesOf(event)]);

const isOneEvent = (one: EventObservation, other: EventObservation): boolean =>
  about(one) === about(other) && Math.abs(one.receivedAt - other.receivedAt) <= attemptsLast;

/** §6: jti is unique: two events never have the same, while the attempts of one event may. */
export const eventJtisDiffer = defineRunCheck(() => {
  const first = new Map<string, EventObservation>();
  const mismatches: RunMismatch[] = [];
  let judged = 0;
  return {
    observe: (message) => {
      const event = changeIn(message);
      const jti = claimOf(event?.set, 'jti');
      if (event === undefined || typeof jti !== 'string') return;
      judged += 1;
      const known = first.get(jti);
      if (known === undefined) {
        first.set(jti, event);
        return;
      }
      if (isOneEvent(known, event)) return;
      const expected = 'a jti that no other event has';
      mismatches.push({ path: 'set.jti', expected, actual: jti, message: event.message, seenIn: message.seenIn });
    },
    conclude: () => ({ mismatches, judged }),
  };
});
