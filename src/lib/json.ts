export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

/** Levels of nesting that are read (RFC 8259 §9 lets a reader set a limit): who walks a value must not run out of stack. */
const deepestRead = 100;

/** Whether a text has a character more often than that. */
function hasMore(text: string, character: string, most: number): boolean {
  let count = 0;
  for (let at = text.indexOf(character); at >= 0 && count <= most; at = text.indexOf(character, at + 1)) count += 1;
  return count > most;
}

function nestsDeeper(text: string, deepest: number): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (quoted && character === '\\') at += 1;
    else if (character === '"') quoted = !quoted;
    else if (!quoted && (character === '[' || character === '{')) depth += 1;
    else if (!quoted && (character === ']' || character === '}')) depth -= 1;
    if (depth > deepest) return true;
  }
  return false;
}

/** Most texts have too few brackets for that. */
const isTooDeep = (text: string, deepest: number): boolean =>
  (hasMore(text, '{', deepest / 2) || hasMore(text, '[', deepest / 2)) && nestsDeeper(text, deepest);

function parseUpTo(deepest: number, text: string): Json | undefined {
  if (isTooDeep(text, deepest)) return undefined;
  try {
    // JSON.parse returns Json by definition.
    const value = JSON.parse(text) as Json;
    return surrogateEscapes.test(text) || !text.isWellFormed() ? wellFormed(value) : value;
  } catch {
    return undefined;
  }
}

/** An escape of half a character: with the other half it is one (RFC 8259 §7). */
const surrogateEscapes = /\\u[dD][89a-fA-F]/;

/** The value with U+FFFD for each half of a character, in names too: what cannot be written as UTF-8 (RFC 8259 §8.2). */
export function wellFormed(value: Json): Json {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (!isJsonObject(value)) return value;
  const clean: Record<string, Json> = {};
  for (const [name, member] of Object.entries(value)) setOwn(clean, name.toWellFormed(), wellFormed(member));
  return clean;
}

/** The value of a JSON text from outside, well-formed; undefined where it is not JSON or too deep. */
export const parseJson = (text: string): Json | undefined => parseUpTo(deepestRead, text);

/** A member that is null is absent, at any depth; an item of a list is not. */
export function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const kept: Record<string, Json> = {};
  for (const [name, member] of Object.entries(value)) if (member !== null) setOwn(kept, name, withoutNulls(member));
  return kept;
}

/** A JSON body as it is judged and classified, its null members left out; the record keeps what came. */
export function parseBody(text: string): Json | undefined {
  const body = parseJson(text);
  return body !== undefined && text.includes('null') ? withoutNulls(body) : body;
}

/** Parses a text that we wrote; a value that was read may be nested deeper in it. */
export const parseOwnJson = (text: string): Json | undefined => parseUpTo(2 * deepestRead, text);

/** A JSON value as text for people: strings as they are. */
export function plainText(value: Json | undefined): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Follows own properties and list indexes only, never a prototype; undefined where the path leads nowhere. */
export function follow(root: unknown, path: readonly string[]): unknown {
  let found = root;
  for (const step of path) {
    if (Array.isArray(found)) {
      const list: readonly unknown[] = found;
      found = /^\d+$/.test(step) ? list[Number(step)] : undefined;
    } else {
      found = readMember(found, step);
    }
  }
  return found;
}

/** The value at a dotted path, `body.keys.0.kid`. */
export const valueAt = (root: unknown, path: string): unknown => follow(root, path.split('.'));

/** An own member of a JSON object, null included. */
export function readMember(value: unknown, name: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function readTextMember(value: unknown, name: string): string | undefined {
  const member = readMember(value, name);
  return typeof member === 'string' ? member : undefined;
}

export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

export const itemsIn = (value: Json | undefined): readonly Json[] => (isList(value) ? value : []);

/** The strings of a list; none of anything else. */
export const textsIn = (value: Json | undefined): readonly string[] =>
  itemsIn(value).filter((item) => typeof item === 'string');

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

/** A fresh JSON copy of a value a scope gave; undefined where it is not JSON. */
export function copyJson(value: unknown): Json | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (Array.isArray(value)) return value.map((item: unknown) => copyJson(item) ?? null);
  if (typeof value !== 'object') return undefined;
  const copy: Record<string, Json> = {};
  for (const [name, member] of Object.entries(value)) {
    const json = copyJson(member);
    if (json !== undefined) setOwn(copy, name, json);
  }
  return copy;
}

/** Sets an own property whatever its name is: `__proto__` is a name like any other. */
export function setOwn(target: Record<string, Json>, name: string, value: Json): void {
  if (name === '__proto__') {
    Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[name] = value;
  }
}

/** The members that have a value: what an optional property under `exactOptionalPropertyTypes` wants. */
export type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

export function defined<T extends object>(record: T): Defined<T> {
  const found: { [name: string]: unknown } = {};
  const names = Object.keys(record);
  for (const name of names) {
    const value: unknown = record[name as keyof T];
    if (value !== undefined) found[name] = value;
  }
  // Every member that has a value is there, and no other.
  return found as Defined<T>;
}
