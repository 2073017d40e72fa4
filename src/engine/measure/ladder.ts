import type { LimitProbe } from '../../model/limit.ts';

/** What the rungs of a ladder show: refused up to one, free from the next. */
export interface Window {
  readonly state: 'limit' | 'beyond' | 'nothing' | 'contradictory';
  readonly value: number;
  readonly uncertainty: number;
}

/** A window lies between the longest time after which something was still held back and the shortest after which it was not. */
export function windowOf(probes: readonly LimitProbe[]): Window {
  const held = probes.filter((probe) => probe.held).map(({ at }) => at);
  const free = probes.filter((probe) => !probe.held).map(({ at }) => at);
  const longest = Math.max(0, ...held);
  if (free.length === 0) return { state: 'beyond', value: longest, uncertainty: 0 };
  const shortest = Math.min(...free);
  if (held.length === 0) return { state: 'nothing', value: shortest, uncertainty: 0 };
  if (longest > shortest) return { state: 'contradictory', value: longest, uncertainty: 0 };
  return { state: 'limit', value: (longest + shortest) / 2, uncertainty: (shortest - longest) / 2 };
}
