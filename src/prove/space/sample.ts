import { groupBy } from '../../lib/lists.ts';
import type { Suites } from '../../suite/suites.ts';
import { randomOf } from './random.ts';

/** Of the rows of each matrix, one in so many runs with each carrier. */
const part = 3;

const matrixName = (id: string): string => id.split('/')[0] ?? id;

/**
 * Ids of the cases that run with one drawn carrier: every case of its own, and of each matrix a third of the rows, other ones
 * with each carrier.
 */
export function sampleRows({ cases }: Suites, seed: string): readonly string[] {
  const random = randomOf(seed);
  const chosen = new Set<string>();
  for (const rows of groupBy(
    cases.map(({ id }) => id),
    matrixName,
  ).values()) {
    for (const id of random.shuffled(rows).slice(0, Math.ceil(rows.length / part))) chosen.add(id);
  }
  return cases.map(({ id }) => id).filter((id) => chosen.has(id));
}
