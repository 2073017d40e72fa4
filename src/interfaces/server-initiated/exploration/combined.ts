import type { Kept, Setting } from '../../../explore/probe.ts';
import type { Json, JsonObject } from '../../../lib/json.ts';
import { joined } from './difference-json.ts';
import type { Combination } from './rows.ts';

/** What is kept of a combination, in one difference. */
export function differenceOf(combination: Combination, kept: Kept, first: JsonObject = {}): JsonObject | undefined {
  return combination
    .filter((_, at) => kept[at] === true)
    .reduce<JsonObject | undefined>((all, { value }) => all && joined(all, value.difference), first);
}

/** What stands for the beginning of the names of steps in a value (`Value.before`). */
export const withPrefix = <T extends Json>(json: T, prefix: string): T =>
  JSON.parse(JSON.stringify(json).replaceAll(/@(?=hint\b)/g, prefix)) as T;

/** The steps that the kept values need before the request. */
export const stepsBefore = (combination: Combination, kept: Kept, prefix: string): readonly JsonObject[] =>
  combination
    .flatMap(({ value }, at) => (kept[at] === true ? (value.before ?? []) : []))
    .map((step) => withPrefix(step, prefix));

/** The names of its values. */
export const labels = (combination: Combination): readonly string[] => combination.map(({ value }) => value.name);

/** The registration that a kept value says, in place of the case's. */
export function withClient(setting: Setting, combination: Combination, kept: Kept): Setting {
  const client = combination.find(({ value }, at) => kept[at] === true && value.client !== undefined)?.value.client;
  return client === undefined ? setting : { ...setting, client };
}

/** `with a1, no state `, of what is kept; nothing where nothing is. */
export const withNames = (combination: Combination, kept: Kept): string => {
  const left = labels(combination).filter((_, at) => kept[at] === true);
  return left.length === 0 ? '' : `with ${left.join(', ')} `;
};
