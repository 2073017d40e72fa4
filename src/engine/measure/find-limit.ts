import type { LimitProbe } from '../../model/limit.ts';

/** Where what is tried stops holding. */
export interface Edge {
  readonly state: 'limit' | 'beyond' | 'nothing';
  /** The last value that holds, seen from `from`; of `nothing`, `from`. */
  readonly value: number;
  readonly probes: readonly LimitProbe[];
}

/**
 * The last whole number from `from` towards `to` that holds, where all before it do. Both ends are tried first, so that a
 * carrier without such a limit costs two probes; of two neighbours one holds and the other does not.
 */
export async function findEdge(
  { from, to }: { readonly from: number; readonly to: number },
  tryAt: (value: number) => Promise<Omit<LimitProbe, 'at'>>,
): Promise<Edge> {
  const probes: LimitProbe[] = [];
  const holdsAt = async (at: number): Promise<boolean> => {
    const probe = { at, ...(await tryAt(at)) };
    probes.push(probe);
    return probe.held;
  };
  if (!(await holdsAt(from))) return { state: 'nothing', value: from, probes };
  if (await holdsAt(to)) return { state: 'beyond', value: to, probes };
  let [good, bad] = [from, to];
  while (Math.abs(bad - good) > 1) {
    const middle = Math.trunc((good + bad) / 2);
    if (await holdsAt(middle)) good = middle;
    else bad = middle;
  }
  return { state: 'limit', value: good, probes };
}

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
