import { complete, type Domain, domainOf, type Exclusion, type Factor, type Row, rowOf, valuesOf } from './domain.ts';
import { type Random, randomOf } from './random.ts';

/** Pairs of values that no row has yet. */
interface Uncovered {
  readonly size: number;
  readonly pairs: Uint8Array;
  /** Of each value, how many pairs with it are left. */
  readonly ofValue: Int32Array;
  left: number;
}

function uncoveredOf(domain: Domain): Uncovered {
  const { size, factorOf, refused } = domain;
  const pairs = new Uint8Array(size * size);
  const ofValue = new Int32Array(size);
  let left = 0;
  for (let a = 0; a < size; a += 1) {
    for (let b = 0; b < size; b += 1) {
      if (factorOf[a] === factorOf[b] || refused[a * size + b] === 1) continue;
      pairs[a * size + b] = 1;
      ofValue[a] = (ofValue[a] ?? 0) + 1;
      if (a < b) left += 1;
    }
  }
  return { size, pairs, ofValue, left };
}

function strike(uncovered: Uncovered, a: number, b: number): void {
  const { size, pairs, ofValue } = uncovered;
  if (pairs[a * size + b] !== 1) return;
  pairs[a * size + b] = 0;
  pairs[b * size + a] = 0;
  ofValue[a] = (ofValue[a] ?? 0) - 1;
  ofValue[b] = (ofValue[b] ?? 0) - 1;
  uncovered.left -= 1;
}

/** Returns how many pairs of the row were not covered before. */
function strikeRow(uncovered: Uncovered, row: readonly number[]): number {
  const before = uncovered.left;
  for (const [index, a] of row.entries()) for (const b of row.slice(index + 1)) strike(uncovered, a, b);
  return before - uncovered.left;
}

/** How many pairs are new that a value makes with those of a row. */
function gainOf({ size, pairs }: Uncovered, value: number, row: readonly number[]): number {
  let gain = 0;
  const base = value * size;
  for (const other of row) if (other >= 0) gain += pairs[base + other] ?? 0;
  return gain;
}

/** The values of a factor, those first that make the most new pairs; of equals, any. */
function byGain(domain: Domain, uncovered: Uncovered, random: Random) {
  return (factor: number, row: readonly number[]): readonly number[] =>
    random
      .shuffled(valuesOf(domain, factor))
      .map((value) => ({ value, gain: gainOf(uncovered, value, row) }))
      .toSorted((a, b) => b.gain - a.gain)
      .map(({ value }) => value);
}

function mostLeft({ ofValue }: Uncovered, values: readonly number[]): number | undefined {
  const most = values.reduce((max, value) => Math.max(max, ofValue[value] ?? 0), 0);
  return most === 0 ? undefined : values.find((value) => ofValue[value] === most);
}

/** A pair that is not covered: one of the value that has the most of them. */
function seedPair(uncovered: Uncovered, random: Random): readonly [number, number] | undefined {
  const { size, pairs } = uncovered;
  const all = random.shuffled(Array.from({ length: size }, (_, value) => value));
  const a = mostLeft(uncovered, all);
  if (a === undefined) return undefined;
  const partners = all.filter((value) => pairs[a * size + value] === 1);
  const b = mostLeft(uncovered, partners);
  return b === undefined ? undefined : [a, b];
}

/** A row with a pair that is not covered, or undefined where exclusions leave none with it: then it is no pair to cover. */
function seededRow(domain: Domain, uncovered: Uncovered, random: Random): readonly number[] | undefined {
  const { factors, factorOf } = domain;
  const [a = 0, b = 0] = seedPair(uncovered, random) ?? [];
  const begun = factors
    .map(() => -1)
    .with(factorOf[a] ?? 0, a)
    .with(factorOf[b] ?? 0, b);
  const prefer = byGain(domain, uncovered, random);
  const row = complete(domain, begun, { order: random.shuffled([...factors.keys()]), prefer });
  if (row === undefined) strike(uncovered, a, b);
  return row;
}

/** Rows that are tried for each place; of them the one that covers most is taken. */
const candidates = 8;

function nextRow(domain: Domain, uncovered: Uncovered, random: Random): readonly number[] | undefined {
  let best: { readonly row: readonly number[]; readonly gain: number } | undefined;
  for (let tried = 0; tried < candidates && uncovered.left > 0; tried += 1) {
    const row = seededRow(domain, uncovered, random);
    const gain = row?.reduce((sum, value) => sum + gainOf(uncovered, value, row), 0) ?? 0;
    if (row !== undefined && (best === undefined || gain > best.gain)) best = { row, gain };
  }
  return best?.row;
}

/** Rows drawn from a space, and what they cover. */
export interface Cover {
  readonly rows: readonly Row[];
  /** Pairs of choices that may stand in one row. */
  readonly pairs: number;
  /** How many of them a row has. */
  readonly covered: number;
  /** How many rows cover all; absent where `count` rows do not. */
  readonly enough?: number;
}

/** What is drawn: so many rows, or as many as cover every pair. */
export interface Drawing {
  readonly seed: string;
  readonly count?: number;
  readonly exclusions?: readonly Exclusion[];
}

/**
 * A covering array of strength 2, built row by row (as AETG does): every pair of choices that may stand together is in a row.
 * Rows beyond those are random. The same seed gives the same rows, and fewer rows are the head of more.
 */
export function cover(factors: readonly Factor[], { seed, count = Infinity, exclusions = [] }: Drawing): Cover {
  const domain = domainOf(factors, exclusions);
  const random = randomOf(seed);
  const uncovered = uncoveredOf(domain);
  const rows: (readonly number[])[] = [];
  let covered = 0;
  while (rows.length < count && uncovered.left > 0) {
    const row = nextRow(domain, uncovered, random);
    if (row === undefined) continue;
    covered += strikeRow(uncovered, row);
    rows.push(row);
  }
  const enough = uncovered.left === 0 ? { enough: rows.length } : {};
  while (count !== Infinity && rows.length < count) rows.push(randomRow(domain, random));
  return { rows: rows.map((row) => rowOf(domain, row)), pairs: covered + uncovered.left, covered, ...enough };
}

function randomRow(domain: Domain, random: Random): readonly number[] {
  const row = complete(
    domain,
    domain.factors.map(() => -1),
    {
      order: random.shuffled([...domain.factors.keys()]),
      prefer: (factor) => random.shuffled(valuesOf(domain, factor)),
    },
  );
  if (row === undefined) throw new Error('the exclusions leave no row at all');
  return row;
}
