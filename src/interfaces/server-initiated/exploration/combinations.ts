import { cover } from '../../../lib/covering/cover.ts';
import type { Exclusion } from '../../../lib/covering/domain.ts';
import { randomOf } from '../../../lib/covering/random.ts';
import type { Strength } from '../../../lib/covering/uncovered.ts';
import type { Kept, Setting } from '../../../explore/exploration.ts';
import { isJsonObject, type JsonObject } from '../../../lib/json.ts';
import { joined, overlap } from './points.ts';
import { isPlain, type Part, type Value } from './parts.ts';

export type Combination = readonly { readonly part: string; readonly value: Value }[];

export interface Wanted {
  readonly seed: string;
  readonly strength: Strength;
  /** Most rows. */
  readonly count: number;
  /** Most values of a part; if there are more, each seed takes others. */
  readonly perPart: number;
}

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

/** Pairs of values that change the same thing, or where one leaves out what the other needs. */
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

/** Combinations of conforming values that cover all pairs, or triples, of values, as far as `count` goes. */
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

/** Rows made without a search: each value of a part is dealt once in as many rows as the part has values. */
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

export function differenceOf(combination: Combination, kept: Kept, first: JsonObject = {}): JsonObject | undefined {
  return combination
    .filter((_, at) => kept[at] === true)
    .reduce<JsonObject | undefined>((all, { value }) => all && joined(all, value.difference), first);
}

/** Like differenceOf, but leaves out values that do not fit. */
export const fittingOf = (combination: Combination, kept: Kept, first: JsonObject = {}): JsonObject =>
  combination.reduce<JsonObject>(
    (all, { value }, at) => (kept[at] === true ? (joined(all, value.difference) ?? all) : all),
    first,
  );

/** Puts a prefix in place of the `@` of `Value.before`, in a step or a difference. */
export function named(json: JsonObject, prefix: string): JsonObject {
  const parsed: unknown = JSON.parse(JSON.stringify(json).replaceAll(/@(?=hint\b)/g, prefix));
  return isJsonObject(parsed) ? parsed : json;
}

export const stepsBefore = (combination: Combination, kept: Kept, prefix: string): readonly JsonObject[] =>
  combination
    .flatMap(({ value }, at) => (kept[at] === true ? (value.before ?? []) : []))
    .map((step) => named(step, prefix));

export const labels = (combination: Combination): readonly string[] => combination.map(({ value }) => value.name);

export function withClient(setting: Setting, combination: Combination, kept: Kept): Setting {
  const client = combination.find(({ value }, at) => kept[at] === true && value.client !== undefined)?.value.client;
  return client === undefined ? setting : { ...setting, client };
}

/** Names of the kept values, as `with a1, no state `; empty without any. */
export const withNames = (combination: Combination, kept: Kept): string => {
  const left = labels(combination).filter((_, at) => kept[at] === true);
  return left.length === 0 ? '' : `with ${left.join(', ')} `;
};
