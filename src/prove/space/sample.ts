import { groupBy } from '../../lib/lists.ts';
import type { Suites } from '../../suite/suites.ts';
import { randomOf } from './random.ts';

/** Of the rows of each matrix one in so many runs with each carrier; of the cases that are no matrix, all but one in so many. */
const part = 3;

const matrixName = (id: string): string => id.split('/')[0] ?? id;

/**
 * Ids of the cases that run with one drawn carrier, other ones with each: of each matrix a third of the rows, and two thirds of
 * the other cases.
 */
export function sampleRows({ cases }: Suites, seed: string): readonly string[] {
  const random = randomOf(seed);
  const ids = cases.map(({ id }) => id);
  const matrices = [...groupBy(ids, matrixName).values()];
  const single = matrices.filter(({ length }) => length === 1).flat();
  const rows = matrices
    .filter(({ length }) => length > 1)
    .flatMap((all) => random.shuffled(all).slice(0, Math.ceil(all.length / part)));
  const others = random.shuffled(single).slice(0, Math.ceil((single.length * (part - 1)) / part));
  const chosen = new Set([...rows, ...others]);
  return ids.filter((id) => chosen.has(id));
}
