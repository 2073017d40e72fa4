import { defineCheck } from '../../check.ts';
import { claimOf, eventsOf, isDeviceChange } from './event.ts';

/** §6: one change is one event; the attempts of one event carry the same token, or at least the same jti. */
export const eventIsOne = defineCheck((seen) => {
  const changes = eventsOf(seen).filter(isDeviceChange);
  const ids = new Set(changes.map(({ set, jws }) => JSON.stringify(claimOf(set, 'jti') ?? jws ?? null)));
  return ids.size <= 1 ? [] : [{ path: 'deliveries', expected: 'one event', actual: ids.size }];
});
