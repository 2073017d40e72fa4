import type { Domain } from './domain.ts';
import type { Random } from './random.ts';

export interface UncoveredPairs {
  readonly left: () => number;
  /** Number of uncovered pairs that a value makes with the values in a row (-1: none yet). */
  readonly gainOf: (value: number, row: readonly number[]) => number;
  /** Removes the pairs of a row and returns how many of them were uncovered. */
  readonly strikeRow: (row: readonly number[]) => number;
  /** Removes a pair that no row can have. */
  readonly strike: (pair: readonly number[]) => void;
  /** Returns an uncovered pair, with a value that occurs in the most of them. */
  readonly seed: (random: Random) => readonly number[] | undefined;
}

function eachPair(values: readonly number[], visit: (a: number, b: number) => void): void {
  for (const [at, a] of values.entries()) {
    for (let next = at + 1; next < values.length; next += 1) visit(a, values[next] ?? 0);
  }
}

/** A set of pairs; the order of their values does not matter. */
interface PairSet {
  readonly has: (a: number, b: number) => boolean;
  readonly add: (a: number, b: number) => void;
  readonly remove: (a: number, b: number) => void;
  readonly size: () => number;
  /** Number of pairs with each value. */
  readonly ofValue: Int32Array;
}

function createPairSet(values: number): PairSet {
  const bits = new Uint8Array(values ** 2);
  const ofValue = new Int32Array(values);
  let size = 0;
  const placeOf = (a: number, b: number): number => (a < b ? a * values + b : b * values + a);
  const put = (a: number, b: number, bit: 0 | 1): void => {
    const place = placeOf(a, b);
    if (bits[place] === bit) return;
    bits[place] = bit;
    const change = bit === 1 ? 1 : -1;
    size += change;
    for (const value of [a, b]) ofValue[value] = (ofValue[value] ?? 0) + change;
  };
  return {
    has: (a, b) => bits[placeOf(a, b)] === 1,
    add: (a, b) => put(a, b, 1),
    remove: (a, b) => put(a, b, 0),
    size: () => size,
    ofValue,
  };
}

/** Pairs of values that may occur together in a row. */
function possiblePairs({ size, factorOf, refused }: Domain): PairSet {
  const open = createPairSet(size);
  eachPair(
    Array.from({ length: size }, (_, value) => value),
    (a, b) => {
      if (factorOf[a] !== factorOf[b] && refused[a * size + b] === 0) open.add(a, b);
    },
  );
  return open;
}

/** Returns a value that is in the most pairs. */
function mostUsedValue({ ofValue }: PairSet, values: readonly number[]): number | undefined {
  const most = values.reduce((max, value) => Math.max(max, ofValue[value] ?? 0), 0);
  return most === 0 ? undefined : values.find((value) => ofValue[value] === most);
}

function seedPair(open: PairSet, values: readonly number[]): readonly number[] | undefined {
  const first = mostUsedValue(open, values);
  if (first === undefined) return undefined;
  const partner = mostUsedValue(
    open,
    values.filter((value) => open.has(first, value)),
  );
  return partner === undefined ? undefined : [first, partner];
}

/** Counts the pairs in the set that a value makes with the values in a row. */
function countPairs({ has }: PairSet, value: number, row: readonly number[]): number {
  let gain = 0;
  for (const other of row) if (other >= 0 && has(value, other)) gain += 1;
  return gain;
}

export function findUncovered(domain: Domain): UncoveredPairs {
  const open = possiblePairs(domain);
  const all = Array.from({ length: domain.size }, (_, value) => value);
  return {
    left: open.size,
    gainOf: (value, row) => countPairs(open, value, row),
    strikeRow: (row) => {
      const before = open.size();
      eachPair(row, open.remove);
      return before - open.size();
    },
    strike: ([a = 0, b = 0]) => open.remove(a, b),
    seed: (random) => seedPair(open, random.shuffled(all)),
  };
}
