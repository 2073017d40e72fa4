import type { Domain } from './domain.ts';
import type { Random } from './random.ts';

/** How many values a tuple has: every pair, or every three. */
export type Strength = 2 | 3;

/** The tuples of values that no row has yet. */
export interface Uncovered {
  readonly left: () => number;
  /** How many tuples are new that a value makes with those of a row (-1: none yet). */
  readonly gainOf: (value: number, row: readonly number[]) => number;
  /** Takes the tuples of a row out; returns how many of them were not covered before. */
  readonly strikeRow: (row: readonly number[]) => number;
  /** Takes one tuple out, which no row can have. */
  readonly strike: (tuple: readonly number[]) => void;
  /** One of those that are left: of the value that has the most of them. */
  readonly seed: (random: Random) => readonly number[] | undefined;
}

/** Calls `visit` with every tuple of the values, in their order. */
function eachTuple(values: readonly number[], strength: Strength, visit: (tuple: readonly number[]) => void): void {
  for (const [at, a] of values.entries()) {
    for (let next = at + 1; next < values.length; next += 1) {
      const b = values[next] ?? 0;
      if (strength === 2) visit([a, b]);
      else for (let last = next + 1; last < values.length; last += 1) visit([a, b, values[last] ?? 0]);
    }
  }
}

const ascending = (a: number, b: number): number => a - b;

export function uncoveredOf({ size, factorOf, refused }: Domain, strength: Strength): Uncovered {
  const open = new Uint8Array(size ** strength);
  const ofValue = new Int32Array(size);
  let left = 0;
  const placeOf = (tuple: readonly number[]): number => tuple.reduce((place, value) => place * size + value, 0);
  const goTogether = (a: number, b: number): boolean => factorOf[a] !== factorOf[b] && refused[a * size + b] === 0;
  const mayStand = (tuple: readonly number[]): boolean =>
    tuple.every((a, at) => tuple.slice(at + 1).every((b) => goTogether(a, b)));
  const all = Array.from({ length: size }, (_, value) => value);
  eachTuple(all, strength, (tuple) => {
    if (!mayStand(tuple)) return;
    open[placeOf(tuple)] = 1;
    left += 1;
    for (const value of tuple) ofValue[value] = (ofValue[value] ?? 0) + 1;
  });

  const isOpen = (tuple: readonly number[]): boolean => open[placeOf(tuple.toSorted(ascending))] === 1;
  const strike = (tuple: readonly number[]): void => {
    if (!isOpen(tuple)) return;
    open[placeOf(tuple.toSorted(ascending))] = 0;
    for (const value of tuple) ofValue[value] = (ofValue[value] ?? 0) - 1;
    left -= 1;
  };
  const mostLeft = (values: readonly number[]): number | undefined => {
    const most = values.reduce((max, value) => Math.max(max, ofValue[value] ?? 0), 0);
    return most === 0 ? undefined : values.find((value) => ofValue[value] === most);
  };
  return {
    left: () => left,
    gainOf: (value, row) => {
      const others = row.filter((other) => other >= 0);
      if (strength === 2) return others.reduce((sum, other) => sum + Number(isOpen([value, other])), 0);
      let gain = 0;
      eachTuple(others, 2, (pair) => {
        if (isOpen([value, ...pair])) gain += 1;
      });
      return gain;
    },
    strikeRow: (row) => {
      const before = left;
      eachTuple(row.toSorted(ascending), strength, strike);
      return before - left;
    },
    strike,
    seed: (random) => {
      const shuffled = random.shuffled(all);
      const first = mostLeft(shuffled);
      if (first === undefined) return undefined;
      if (strength === 2) {
        const partner = mostLeft(shuffled.filter((value) => isOpen([first, value])));
        return partner === undefined ? undefined : [first, partner];
      }
      for (const second of shuffled) {
        const third = shuffled.find((value) => value !== second && isOpen([first, second, value]));
        if (third !== undefined) return [first, second, third];
      }
      return undefined;
    },
  };
}
