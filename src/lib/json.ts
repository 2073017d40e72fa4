import { isJsonObject, type Json } from '../model/json.ts';

/** The value at a dotted path, `body.keys.0.kid`, by own properties and list indexes only; undefined where it leads nowhere. */
export function valueAt(root: unknown, path: string): unknown {
  let found = root;
  for (const part of path.split('.')) {
    if (Array.isArray(found)) {
      const list: readonly unknown[] = found;
      found = /^\d+$/.test(part) ? list[Number(part)] : undefined;
    } else {
      found = memberOf(found, part);
    }
  }
  return found;
}

/** An own member of a JSON object, null included. */
export function memberOf(value: unknown, name: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The same where it is a string. */
export function textMemberOf(value: unknown, name: string): string | undefined {
  const member = memberOf(value, name);
  return typeof member === 'string' ? member : undefined;
}

export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

/** Equality of JSON values; the order of members does not matter. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, at) => sameJson(item, b[at]));
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && sameJson(a[name], b[name]))
  );
}
