import type { Domain } from './domain.ts';
import type { Random } from './random.ts';

/** Number of values in a tuple. */
export type Strength = 2 | 3;

export interface UncoveredTuples {
  readonly left: () => number;
  /** Number of uncovered tuples that a value makes with the values in a row (-1: none yet). */
  readonly gainOf: (value: number, row: readonly number[]) => number;
  /** Removes the tuples of a row and returns how many of them were uncovered. */
  readonly strikeRow: (row: readonly number[]) => number;
  /** Removes a tuple that no row can have. */
  readonly strike: (tuple: readonly number[]) => void;
  /** Returns an uncovered tuple, with a value that occurs in the most of them. */
  readonly seed: (random: Random) => readonly number[] | undefined;
}

function eachTuple(values: readonly number[], strength: Strength, visit: (tuple: readonly number[]) => void): void {
  for (const [at, a] of values.entries()) {
    for (let next = at + 1; next < values.length; next += 1) {
      const b = values[next] ?? 0;
      if (strength === 2) visit([a, b]);
      else for (let last = next + 1; last < values.length; last += 1) visit([a, b, values[last] ?? 0]);
    }
  }
}

/** A set of tuples; the order of their values does not matter. */
interface TupleSet {
  readonly has: (tuple: readonly number[]) => boolean;
  /** `has` without an array, because it is called a million times. */
  readonly hasPair: (a: number, b: number) => boolean;
  readonly hasThree: (a: number, b: number, c: number) => boolean;
  readonly add: (tuple: readonly number[]) => void;
  readonly remove: (tuple: readonly number[]) => void;
  readonly size: () => number;
  /** Number of tuples with each value. */
  readonly ofValue: Int32Array;
}

function createTupleSet(values: number, strength: Strength): TupleSet {
  const bits = new Uint8Array(values ** strength);
  const ofValue = new Int32Array(values);
  let size = 0;
  const placeOfPair = (a: number, b: number): number => (a < b ? a * values + b : b * values + a);
  const placeOfThree = (a: number, b: number, c: number): number => {
    const least = Math.min(a, b, c);
    const most = Math.max(a, b, c);
    return (least * values + (a + b + c - least - most)) * values + most;
  };
  const placeOf = ([a = 0, b = 0, c]: readonly number[]): number =>
    c === undefined ? placeOfPair(a, b) : placeOfThree(a, b, c);
  const put = (tuple: readonly number[], bit: 0 | 1): void => {
    const place = placeOf(tuple);
    if (bits[place] === bit) return;
    bits[place] = bit;
    const change = bit === 1 ? 1 : -1;
    size += change;
    for (const value of tuple) ofValue[value] = (ofValue[value] ?? 0) + change;
  };
  return {
    has: (tuple) => bits[placeOf(tuple)] === 1,
    hasPair: (a, b) => bits[placeOfPair(a, b)] === 1,
    hasThree: (a, b, c) => bits[placeOfThree(a, b, c)] === 1,
    add: (tuple) => put(tuple, 1),
    remove: (tuple) => put(tuple, 0),
    size: () => size,
    ofValue,
  };
}

/** Tuples of values that may occur together in a row. */
function possibleTuples({ size, factorOf, refused }: Domain, strength: Strength): TupleSet {
  const open = createTupleSet(size, strength);
  const goTogether = (a: number, b: number): boolean => factorOf[a] !== factorOf[b] && refused[a * size + b] === 0;
  const mayStand = (tuple: readonly number[]): boolean =>
    tuple.every((a, at) => tuple.slice(at + 1).every((b) => goTogether(a, b)));
  eachTuple(
    Array.from({ length: size }, (_, value) => value),
    strength,
    (tuple) => {
      if (mayStand(tuple)) open.add(tuple);
    },
  );
  return open;
}

/** Returns a value that is in the most tuples. */
function mostUsedValue({ ofValue }: TupleSet, values: readonly number[]): number | undefined {
  const most = values.reduce((max, value) => Math.max(max, ofValue[value] ?? 0), 0);
  return most === 0 ? undefined : values.find((value) => ofValue[value] === most);
}

function seedTuple(open: TupleSet, values: readonly number[], strength: Strength): readonly number[] | undefined {
  const first = mostUsedValue(open, values);
  if (first === undefined) return undefined;
  if (strength === 2) {
    const partner = mostUsedValue(
      open,
      values.filter((value) => open.has([first, value])),
    );
    return partner === undefined ? undefined : [first, partner];
  }
  for (const second of values) {
    const third = values.find((value) => value !== second && open.has([first, second, value]));
    if (third !== undefined) return [first, second, third];
  }
  return undefined;
}

/** Counts the pairs in the set that a value makes with the values in a row. */
function countPairs({ hasPair }: TupleSet, value: number, row: readonly number[]): number {
  let gain = 0;
  for (const other of row) if (other >= 0 && hasPair(value, other)) gain += 1;
  return gain;
}

/** Counts the triples in the set that a value makes with two values in a row. */
function countTriples({ hasThree }: TupleSet, value: number, row: readonly number[]): number {
  let gain = 0;
  for (const [at, a] of row.entries()) {
    if (a < 0) continue;
    for (let next = at + 1; next < row.length; next += 1) {
      const b = row[next] ?? -1;
      if (b >= 0 && hasThree(value, a, b)) gain += 1;
    }
  }
  return gain;
}

export function findUncovered(domain: Domain, strength: Strength): UncoveredTuples {
  const open = possibleTuples(domain, strength);
  const all = Array.from({ length: domain.size }, (_, value) => value);
  return {
    left: open.size,
    gainOf: (value, row) => (strength === 2 ? countPairs(open, value, row) : countTriples(open, value, row)),
    strikeRow: (row) => {
      const before = open.size();
      eachTuple(row, strength, open.remove);
      return before - open.size();
    },
    strike: open.remove,
    seed: (random) => seedTuple(open, random.shuffled(all), strength),
  };
}
