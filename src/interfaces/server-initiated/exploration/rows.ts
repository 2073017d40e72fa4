import { cover } from '../../../lib/covering/cover.ts';
import type { Exclusion } from '../../../lib/covering/domain.ts';
import { randomOf } from '../../../lib/covering/random.ts';
import type { Strength } from '../../../lib/covering/uncovered.ts';
import { overlap } from './difference-json.ts';
import { isPlain, type Part, type Value } from './part.ts';

/** A value of each part, by the part's id. */
export type Combination = readonly { readonly part: string; readonly value: Value }[];

export interface Wanted {
  readonly seed: string;
  readonly strength: Strength;
  /** Rows at most. */
  readonly count: number;
  /** Values of a part at most: of more, others are taken with each seed. */
  readonly perPart: number;
}

/** The plain value, and some others of a part. */
function someOf({ id, values }: Part, { seed, perPart }: Wanted): Part {
  const [plain, ...others] = values;
  if (plain === undefined || values.length <= perPart) return { id, values };
  return {
    id,
    values: [
      plain,
      ...randomOf(`${seed} ${id}`)
        .shuffled(others)
        .slice(0, perPart - 1),
    ],
  };
}

const key = (at: number): string => `v${at}`;

const areApart = (one: Value, other: Value): boolean =>
  overlap(one.difference, other.difference) ||
  (one.client !== undefined && other.client !== undefined) ||
  (one.client !== undefined && other.ofClient === true) ||
  (other.client !== undefined && one.ofClient === true);

/** Values of two parts that change the same thing, or of which one leaves out what the other needs. */
function exclusionsOf(parts: readonly Part[]): readonly Exclusion[] {
  const all = parts.flatMap(({ id, values }) => values.map((value, at) => ({ id, at, value })));
  return all.flatMap((one, place) =>
    all
      .slice(place + 1)
      .filter(({ id, value }) => id !== one.id && areApart(one.value, value))
      .map(
        (other): Exclusion => [
          [one.id, key(one.at)],
          [other.id, key(other.at)],
        ],
      ),
  );
}

/** Combinations of conforming values: every pair of values, or every three, stands in one, as far as `count` goes. */
export function combinationsOf(parts: readonly Part[], wanted: Wanted): readonly Combination[] {
  const chosen = parts.map(({ id, values }) =>
    someOf({ id, values: values.filter(({ besideOnly }) => besideOnly !== true) }, wanted),
  );
  const factors = chosen.map(({ id, values }) => ({ id, choices: values.map((_, at) => key(at)) }));
  const { rows } = cover(factors, { ...wanted, exclusions: exclusionsOf(chosen) });
  return rows.slice(0, wanted.count).map((row) =>
    chosen.flatMap(({ id, values }) => {
      const value = values[Number(row[id]?.slice(1))];
      return value === undefined || isPlain(value) ? [] : [{ part: id, value }];
    }),
  );
}

/** Rows that are made at once: each value of each part stands in one of as many rows as the part has values. */
export function dealtCombinations(parts: readonly Part[], { seed, count, perPart }: Wanted): readonly Combination[] {
  const random = randomOf(seed);
  const decks = parts.map((part) => {
    const { id, values } = someOf(part, { seed, perPart, count, strength: 2 });
    return { id, values: random.shuffled(values), from: random.below(values.length) };
  });
  return Array.from({ length: count }, (_, row) => {
    const taken: { readonly part: string; readonly value: Value }[] = [];
    for (const { id, values, from } of random.shuffled(decks)) {
      const value = values[(from + row) % values.length];
      if (value === undefined || isPlain(value) || taken.some((one) => areApart(one.value, value))) continue;
      taken.push({ part: id, value });
    }
    return taken;
  });
}
