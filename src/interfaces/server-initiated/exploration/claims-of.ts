import { isJsonObject, type Json, type JsonObject } from '../../../lib/json.ts';

/** The value that a difference gives a claim: undefined where it leaves the claim as it is, null where it drops it. */
export function claimOf({ claims, drop, raw }: JsonObject, name: string): Json | undefined {
  if (Array.isArray(drop) && drop.includes(name)) return null;
  if (isJsonObject(raw) && Object.hasOwn(raw, name)) return undefined;
  return isJsonObject(claims) ? claims[name] : undefined;
}

/** The words of a list; of the plain value where the claim is as it was. */
export const wordsOf = (value: Json | undefined, plain: string): readonly string[] =>
  (typeof value === 'string' ? value : plain).split(' ').filter((word) => word !== '');

/** A pattern of JSON Schema, with words for it. */
export const hasWord = (word: string): JsonObject => ({
  pattern: `(^| )${word}( |$)`,
  description: `a list of scopes with ${word}`,
});
