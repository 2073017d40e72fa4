import { coveringArray } from '../../lib/covering/covering-array.ts';
import type { Exclusion } from '../../lib/covering/domain.ts';
import { seededRandom } from '../../lib/covering/random.ts';
import type { JsonObject } from '../../lib/json.ts';
import { isPlainValue, type PartValue, type RequestPart } from '../requests/request-parts.ts';
import { joinDifferences, touchSameParts } from '../requests/request-points.ts';

export type Combination = readonly { readonly part: string; readonly value: PartValue }[];

interface CombinationLimits {
  readonly seed: string;
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

/** Pairs of values that change the same thing. */
function valueExclusions(parts: readonly RequestPart[]): readonly Exclusion[] {
  const all = parts.flatMap(({ id, values }) => values.map((value, at) => ({ id, at, value })));
  return all.flatMap((one, place) =>
    all
      .slice(place + 1)
      .filter(({ id, value }) => id !== one.id && touchSameParts(one.value.difference, value.difference))
      .map(
        (other): Exclusion => [
          [one.id, valueKey(one.at)],
          [other.id, valueKey(other.at)],
        ],
      ),
  );
}

/** Combinations of conforming values that cover all pairs of values, as far as `count` goes. */
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

/** One difference with all values of a combination; undefined if two of them change the same part. */
export const joinValues = (combination: Combination, first: JsonObject): JsonObject | undefined =>
  combination.reduce<JsonObject | undefined>((all, { value }) => all && joinDifferences(all, value.difference), first);
