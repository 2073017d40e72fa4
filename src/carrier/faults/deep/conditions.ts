import { asText, isJsonList, type Json, type JsonObject, words } from '../../json.ts';
import type { Edit } from '../edit/define.ts';
import { letThrough } from '../edit/requests.ts';

/** What the claims of a request object have to be like. */
export type When = (claims: JsonObject) => boolean;

export const has =
  (...names: readonly string[]): When =>
  (claims) =>
    names.every((name) => Object.hasOwn(claims, name));

export const lacks =
  (...names: readonly string[]): When =>
  (claims) =>
    !names.some((name) => Object.hasOwn(claims, name));

export const is =
  (name: string, value: Json): When =>
  (claims) =>
    claims[name] === value;

/** The space-separated list has each of these words. */
export const lists =
  (name: string, ...wanted: readonly string[]): When =>
  (claims) =>
    wanted.every((word) => words(asText(claims[name])).includes(word));

/** A check, and when it is not made: all of the conditions hold. */
type Skipped = readonly [check: string, ...whens: readonly When[]];

/** Leaves a check out where all of the conditions hold. */
export function skipping([check, ...whens]: Skipped): Edit {
  return letThrough([check], ({ claims }) => whens.every((when) => when(claims)));
}

/** Whether a value, or anything within it, is such a one. */
export function holds(value: Json | undefined, isSuch: (value: Json) => boolean): boolean {
  if (value === undefined) return false;
  if (isSuch(value)) return true;
  if (typeof value !== 'object' || value === null) return false;
  return (isJsonList(value) ? value : Object.values(value)).some((inner: Json) => holds(inner, isSuch));
}
