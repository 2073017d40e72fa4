import { coveringArray } from '../../lib/covering/covering-array.ts';
import type { Exclusion } from '../../lib/covering/domain.ts';
import { seededRandom } from '../../lib/covering/random.ts';
import type { Strength } from '../../lib/covering/uncovered-tuples.ts';
import { isJsonObject, type JsonObject } from '../../lib/json.ts';
import type { CaseSetting, KeptParts } from '../explore/exploration.ts';
import { isPlainValue, type PartValue, type RequestPart } from './request-parts.ts';
import { joinDifferences, touchSameParts } from './request-points.ts';

export type Combination = readonly { readonly part: string; readonly value: PartValue }[];

export interface CombinationLimits {
  readonly seed: string;
  readonly strength: Strength;
  /** Most rows. */
  readonly count: number;
  /** Most values of a part; if there are more, each seed takes others. */
  readonly perPart: number;
}

function limitValues({ id, values }: RequestPart, { seed, perPart }: CombinationLimits): RequestPart {
  const [plain, ...others] = values;
  if (plain === undefined || values.length <= perPart) return { id, values };
  return {
    id,
    values: [
      plain,
      ...seededRandom(`${seed} ${id}`)
        .shuffled(others)
        .slice(0, perPart - 1),
    ],
  };
}

const valueKey = (at: number): string => `v${at}`;

const excludeEachOther = (one: PartValue, other: PartValue): boolean =>
  touchSameParts(one.difference, other.difference) ||
  (one.client !== undefined && other.client !== undefined) ||
  (one.client !== undefined && other.ofClient === true) ||
  (other.client !== undefined && one.ofClient === true);

/** Pairs of values that change the same thing, or where one leaves out what the other needs. */
function valueExclusions(parts: readonly RequestPart[]): readonly Exclusion[] {
  const all = parts.flatMap(({ id, values }) => values.map((value, at) => ({ id, at, value })));
  return all.flatMap((one, place) =>
    all
      .slice(place + 1)
      .filter(({ id, value }) => id !== one.id && excludeEachOther(one.value, value))
      .map(
        (other): Exclusion => [
          [one.id, valueKey(one.at)],
          [other.id, valueKey(other.at)],
        ],
      ),
  );
}

/** Combinations of conforming values that cover all pairs, or triples, of values, as far as `count` goes. */
export function coverCombinations(parts: readonly RequestPart[], wanted: CombinationLimits): readonly Combination[] {
  const chosen = parts.map(({ id, values }) =>
    limitValues({ id, values: values.filter(({ besideOnly }) => besideOnly !== true) }, wanted),
  );
  const factors = chosen.map(({ id, values }) => ({ id, choices: values.map((_, at) => valueKey(at)) }));
  const { rows } = coveringArray(factors, { ...wanted, exclusions: valueExclusions(chosen) });
  return rows.slice(0, wanted.count).map((row) =>
    chosen.flatMap(({ id, values }) => {
      const value = values[Number(row[id]?.slice(1))];
      return value === undefined || isPlainValue(value) ? [] : [{ part: id, value }];
    }),
  );
}

/** Rows made without a search: each value of a part is dealt once in as many rows as the part has values. */
export function dealCombinations(
  parts: readonly RequestPart[],
  { seed, count, perPart }: CombinationLimits,
): readonly Combination[] {
  const random = seededRandom(seed);
  const decks = parts.map((part) => {
    const { id, values } = limitValues(part, { seed, perPart, count, strength: 2 });
    return { id, values: random.shuffled(values), from: random.below(values.length) };
  });
  return Array.from({ length: count }, (_, row) => {
    const taken: { readonly part: string; readonly value: PartValue }[] = [];
    for (const { id, values, from } of random.shuffled(decks)) {
      const value = values[(from + row) % values.length];
      if (value === undefined || isPlainValue(value) || taken.some((one) => excludeEachOther(one.value, value)))
        continue;
      taken.push({ part: id, value });
    }
    return taken;
  });
}

export function joinKeptValues(
  combination: Combination,
  kept: KeptParts,
  first: JsonObject = {},
): JsonObject | undefined {
  return combination
    .filter((_, at) => kept[at] === true)
    .reduce<JsonObject | undefined>((all, { value }) => all && joinDifferences(all, value.difference), first);
}

/** Puts a prefix in place of the `@` of `Value.before`, in a step or a difference. */
export function replaceHintPrefix(json: JsonObject, prefix: string): JsonObject {
  const parsed: unknown = JSON.parse(JSON.stringify(json).replaceAll(/@(?=hint\b)/g, prefix));
  return isJsonObject(parsed) ? parsed : json;
}

export const preparatorySteps = (combination: Combination, kept: KeptParts, prefix: string): readonly JsonObject[] =>
  combination
    .flatMap(({ value }, at) => (kept[at] === true ? (value.before ?? []) : []))
    .map((step) => replaceHintPrefix(step, prefix));

export const combinationLabels = (combination: Combination): readonly string[] =>
  combination.map(({ value }) => value.name);

export function addSenderClient(setting: CaseSetting, combination: Combination, kept: KeptParts): CaseSetting {
  const client = combination.find(({ value }, at) => kept[at] === true && value.client !== undefined)?.value.client;
  return client === undefined ? setting : { ...setting, client };
}

/** Names of the kept values, as `with a1, no state `; empty without any. */
export const describeKeptValues = (combination: Combination, kept: KeptParts): string => {
  const left = combinationLabels(combination).filter((_, at) => kept[at] === true);
  return left.length === 0 ? '' : `with ${left.join(', ')} `;
};
