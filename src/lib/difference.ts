import { cutAt } from './cut.ts';
import { isJsonObject, readMember, sameJson } from './json.ts';

/** First difference of two values; undefined stands for an absent one. */
interface Difference {
  /** Names of members and indexes of items, from the outside. */
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

/** The first member, at any depth, that a value states otherwise than what follows, in the order of what follows. */
export function differenceIn(stated: object, follows: object): Difference | undefined {
  // Like a value read from a file, without undefined members.
  const asWritten = (value: object): unknown => JSON.parse(JSON.stringify(value));
  return compare(asWritten(stated), asWritten(follows), []);
}

/** UTF-16 units of one value in a message. */
const shownLimit = 120;

/** A value in a message; an absent one in words. */
export const shownValue = (value: unknown): string =>
  value === undefined ? 'absent' : cutAt(typeof value === 'string' ? value : JSON.stringify(value), shownLimit);
