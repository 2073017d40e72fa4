import {
  completeRow,
  type Domain,
  buildDomain,
  type Exclusion,
  type Factor,
  type CoverRow,
  makeRow,
  factorValues,
} from './domain.ts';
import { type Random, seededRandom } from './random.ts';
import { findUncovered, type UncoveredPairs } from './uncovered-pairs.ts';

/** Orders the values of a factor by the new pairs they make, most first; ties are random. */
function gainOrder(domain: Domain, uncovered: UncoveredPairs, random: Random) {
  return (factor: number, row: readonly number[]): readonly number[] =>
    random
      .shuffled(factorValues(domain, factor))
      .map((value) => ({ value, gain: uncovered.gainOf(value, row) }))
      .toSorted((a, b) => b.gain - a.gain)
      .map(({ value }) => value);
}

/** Returns a row with an uncovered pair. If exclusions allow no such row, drops the pair and returns undefined. */
function seededRow(domain: Domain, uncovered: UncoveredPairs, random: Random): readonly number[] | undefined {
  const { factors, factorOf } = domain;
  const pair = uncovered.seed(random) ?? [];
  const begun = factors.map((_, factor) => pair.find((value) => factorOf[value] === factor) ?? -1);
  const prefer = gainOrder(domain, uncovered, random);
  const row = completeRow(domain, begun, { order: random.shuffled([...factors.keys()]), prefer });
  if (row === undefined) uncovered.strike(pair);
  return row;
}

/** Rows tried for each place in the array; the one that covers most is kept. */
const candidateRows = 8;

function nextRow(domain: Domain, uncovered: UncoveredPairs, random: Random): readonly number[] | undefined {
  let best: { readonly row: readonly number[]; readonly gain: number } | undefined;
  for (let tried = 0; tried < candidateRows && uncovered.left() > 0; tried += 1) {
    const row = seededRow(domain, uncovered, random);
    const gain = row?.reduce((sum, value) => sum + uncovered.gainOf(value, row), 0) ?? 0;
    if (row !== undefined && (best === undefined || gain > best.gain)) best = { row, gain };
  }
  return best?.row;
}

export interface CoveringArray {
  readonly rows: readonly CoverRow[];
  /** Pairs of choices that may stand in one row. */
  readonly pairs: number;
  /** Pairs that occur in some row. */
  readonly covered: number;
  /** Number of rows that cover all pairs; absent if `count` rows do not. */
  readonly enough?: number;
}

/** Rows to draw: `count` of them, or if absent as many as cover every pair. */
export interface CoverOptions {
  readonly seed: string;
  readonly count?: number;
  readonly exclusions?: readonly Exclusion[];
}

/** Builds a covering array row by row (AETG). The same seed gives the same rows. Rows beyond full coverage are random. */
export function coveringArray(
  factors: readonly Factor[],
  { seed, count = Infinity, exclusions = [] }: CoverOptions,
): CoveringArray {
  const domain = buildDomain(factors, exclusions);
  const random = seededRandom(seed);
  const uncovered = findUncovered(domain);
  const rows: (readonly number[])[] = [];
  let covered = 0;
  while (rows.length < count && uncovered.left() > 0) {
    const row = nextRow(domain, uncovered, random);
    if (row === undefined) continue;
    covered += uncovered.strikeRow(row);
    rows.push(row);
  }
  const enough = uncovered.left() === 0 ? { enough: rows.length } : {};
  while (count !== Infinity && rows.length < count) rows.push(randomRow(domain, random));
  return { rows: rows.map((row) => makeRow(domain, row)), pairs: covered + uncovered.left(), covered, ...enough };
}

function randomRow(domain: Domain, random: Random): readonly number[] {
  const row = completeRow(
    domain,
    domain.factors.map(() => -1),
    {
      order: random.shuffled([...domain.factors.keys()]),
      prefer: (factor) => random.shuffled(factorValues(domain, factor)),
    },
  );
  if (row === undefined) throw new Error('the exclusions leave no row at all');
  return row;
}
