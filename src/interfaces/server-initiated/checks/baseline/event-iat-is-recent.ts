import { defineCheck } from '../../../../judge/check.ts';
import { eventsOf } from '../events/event.ts';

const most = 300;

/** SEC-41: iat is within 5 minutes of the event, which comes to its first delivery. */
export const eventIatIsRecent = defineCheck((observation) => {
  const [first] = eventsOf(observation);
  if (first?.set === undefined) return [];
  const { iat } = first.set;
  if (typeof iat === 'number' && Math.abs(iat - first.receivedAt) <= most) return [];
  const expected = `an iat within 5 minutes of ${Math.round(first.receivedAt)}, the delivery`;
  return [{ path: 'set.iat', expected, actual: iat ?? null }];
});
