import type { Suites } from '../../suite/suites.ts';
import { randomOf } from '../../lib/covering/random.ts';

/** One case in so many runs with each carrier. */
const casesOf = 8;

/** Ids of the cases that run with one drawn carrier, other ones with each. */
export function sampleCases({ cases }: Suites, seed: string): readonly string[] {
  const ids = cases.map(({ id }) => id);
  const chosen = new Set(
    randomOf(seed)
      .shuffled(ids)
      .slice(0, Math.ceil(ids.length / casesOf)),
  );
  return ids.filter((id) => chosen.has(id));
}
