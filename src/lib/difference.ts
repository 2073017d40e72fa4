import { cutAt } from './cut.ts';
import { isJsonObject, readMember, sameJson } from './json.ts';

/** First difference between two values; undefined stands for an absent one. */
interface Difference {
  /** Member names and list indexes, outermost first. */
  readonly path: readonly string[];
  readonly stated: unknown;
  readonly follows: unknown;
}

function compare(stated: unknown, follows: unknown, path: readonly string[]): Difference | undefined {
  if (sameJson(stated, follows)) return undefined;
  if (Array.isArray(stated) && Array.isArray(follows) && stated.length === follows.length)
    return compare(Object.fromEntries(stated.entries()), Object.fromEntries(follows.entries()), path);
  if (isJsonObject(stated) && isJsonObject(follows)) {
    for (const name of new Set([...Object.keys(follows), ...Object.keys(stated)])) {
      const found = compare(readMember(stated, name), readMember(follows, name), [...path, name]);
      if (found !== undefined) return found;
    }
  }
  return { path, stated, follows };
}

/** Returns the first difference at any depth, in the member order of `follows`. */
export function differenceIn(stated: object, follows: object): Difference | undefined {
  // Drops undefined members, as writing to a file does.
  const asWritten = (value: object): unknown => JSON.parse(JSON.stringify(value));
  return compare(asWritten(stated), asWritten(follows), []);
}

/** Maximum length of a value in a message, in UTF-16 units. */
const shownLimit = 120;

/** Renders a value for a message. */
export const shownValue = (value: unknown): string =>
  value === undefined ? 'absent' : cutAt(typeof value === 'string' ? value : JSON.stringify(value), shownLimit);
