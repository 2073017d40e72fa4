import { groupBy } from '../../lib/lists.ts';
import type { Suites } from '../../suite/suites.ts';
import { randomOf } from './random.ts';
import { matrixName } from '../matrix-name.ts';

/** Of the rows of each matrix one in so many runs with each carrier, and one at least. */
const rowsOf = 10;

/** Of the cases that are no matrix one in so many. */
const casesOf = 5;

/** Ids of the cases that run with one drawn carrier, other ones with each. */
export function sampleRows({ cases }: Suites, seed: string): readonly string[] {
  const random = randomOf(seed);
  const ids = cases.map(({ id }) => id);
  const matrices = [...groupBy(ids, matrixName).values()];
  const single = matrices.filter(({ length }) => length === 1).flat();
  const rows = matrices
    .filter(({ length }) => length > 1)
    .flatMap((all) => random.shuffled(all).slice(0, Math.ceil(all.length / rowsOf)));
  const others = random.shuffled(single).slice(0, Math.ceil(single.length / casesOf));
  const chosen = new Set([...rows, ...others]);
  return ids.filter((id) => chosen.has(id));
}
