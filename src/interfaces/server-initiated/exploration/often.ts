import type { JsonObject } from '../../../lib/json.ts';

/** A step is repeated so often at most (docs/suite-language.md). */
const mostTimes = 100;

/** A step that is repeated more often than one may be. */
export const often = (name: string, count: number, step: JsonObject): readonly JsonObject[] =>
  Array.from({ length: Math.ceil(count / mostTimes) }, (_, at) => {
    const times = Math.min(mostTimes, count - at * mostTimes);
    const { together, ...single } = step;
    return {
      as: `${name}-${at + 1}`,
      ...single,
      ...(times > 1 ? { times, ...(together === undefined ? {} : { together }) } : {}),
    };
  });
