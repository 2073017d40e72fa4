import { groupBy } from '../../lib/lists.ts';
import type { Target } from '../../model/target.ts';
import type { TimedCase } from './assign.ts';

const subscriberLock = 'subscriber:';

/** Seconds of exclusive use of each subscriber, by name. */
function exclusiveTimes(cases: readonly TimedCase[]): ReadonlyMap<string, number> {
  const held = new Map<string, number>();
  for (const { wants, time } of cases) {
    for (const { lock, exclusive } of wants) {
      if (!exclusive || !lock.startsWith(subscriberLock)) continue;
      const name = lock.slice(subscriberLock.length);
      held.set(name, (held.get(name) ?? 0) + time.held);
    }
  }
  return held;
}

/**
 * Lower bound of a run in seconds, for any order of its cases: the longest case, or the exclusive use of each subscriber in a group
 * with the same tags, evenly distributed.
 */
export function lowerBound(cases: readonly TimedCase[], { subscribers }: Pick<Target, 'subscribers'>): number {
  const held = exclusiveTimes(cases);
  const groups = [...groupBy(subscribers, ({ tags }) => tags.toSorted().join(' ')).values()];
  const each = groups.map(
    (group) => group.reduce((seconds, { name }) => seconds + (held.get(name) ?? 0), 0) / group.length,
  );
  return Math.max(0, ...each, ...cases.map(({ time }) => time.total));
}
