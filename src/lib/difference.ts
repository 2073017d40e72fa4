import { truncateText } from './truncation.ts';
import { isJsonObject, readMember, equalsJson } from './json.ts';

/** First difference between two values; undefined stands for an absent one. */
interface ValueDifference {
  /** Member names and list indexes, outermost first. */
  readonly path: readonly string[];
  readonly stated: unknown;
  readonly follows: unknown;
}

function compareDeep(stated: unknown, follows: unknown, path: readonly string[]): ValueDifference | undefined {
  if (equalsJson(stated, follows)) return undefined;
  if (Array.isArray(stated) && Array.isArray(follows) && stated.length === follows.length)
    return compareDeep(Object.fromEntries(stated.entries()), Object.fromEntries(follows.entries()), path);
  if (isJsonObject(stated) && isJsonObject(follows)) {
    for (const name of new Set([...Object.keys(follows), ...Object.keys(stated)])) {
      const found = compareDeep(readMember(stated, name), readMember(follows, name), [...path, name]);
      if (found !== undefined) return found;
    }
  }
  return { path, stated, follows };
}

/** Returns the first difference at any depth, in the member order of `follows`. */
export function firstDifference(stated: object, follows: object): ValueDifference | undefined {
  // Drops undefined members, as writing to a file does.
  const asWritten = (value: object): unknown => JSON.parse(JSON.stringify(value));
  return compareDeep(asWritten(stated), asWritten(follows), []);
}

/** Maximum length of a value in a message, in UTF-16 units. */
const maxShownLength = 120;

/** Renders a value for a message. */
export const quoteValue = (value: unknown): string =>
  value === undefined
    ? 'absent'
    : truncateText(typeof value === 'string' ? value : JSON.stringify(value), maxShownLength);
