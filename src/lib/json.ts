export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

/** Maximum nesting of JSON from outside (RFC 8259 §9 allows a limit), because recursive code must not run out of stack. */
export const maxJsonDepth = 100;

/** Whether a character occurs more than `most` times. */
function occursMoreThan(text: string, character: string, most: number): boolean {
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

/** End of the string that begins at `from`, in JSON. */
function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** A member name that an object has twice (RFC 8259 §4), in a text that is JSON; `JSON.parse` keeps the last one silently. */
export function findRepeatedName(text: string): string | undefined {
  const objects: Set<string>[] = [];
  let last = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') {
      const end = endOfString(text, at);
      last = text.slice(at, end);
      at = end - 1;
    } else if (character === '{') objects.push(new Set());
    else if (character === '}') objects.pop();
    else if (character === ':') {
      const name = String(JSON.parse(last));
      const names = objects.at(-1);
      if (names?.has(name) === true) return name;
      names?.add(name);
    }
  }
  return undefined;
}

/** Counts brackets first, because most texts have too few to be too deep. */
const isTooDeep = (text: string, deepest: number): boolean =>
  (occursMoreThan(text, '{', deepest / 2) || occursMoreThan(text, '[', deepest / 2)) && nestsDeeper(text, deepest);

/** Whether a text has more levels of brackets than we read. */
export const nestsTooDeep = (text: string): boolean => isTooDeep(text, maxJsonDepth);

function parseUpTo(deepest: number, text: string): Json | undefined {
  if (isTooDeep(text, deepest)) return undefined;
  try {
    // JSON.parse returns Json by definition.
    const value = JSON.parse(text) as Json;
    return surrogateEscape.test(text) || !text.isWellFormed() ? replaceLoneSurrogates(value) : value;
  } catch {
    return undefined;
  }
}

/** Escape of a surrogate, which may be one of a pair (RFC 8259 §7). */
const surrogateEscape = /\\u[dD][89a-fA-F]/;

/** Replaces lone surrogates with U+FFFD, in member names too, because UTF-8 cannot encode them (RFC 8259 §8.2). */
export function replaceLoneSurrogates(value: Json): Json {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(replaceLoneSurrogates);
  if (!isJsonObject(value)) return value;
  const clean: Record<string, Json> = {};
  for (const [name, member] of Object.entries(value)) setOwn(clean, name.toWellFormed(), replaceLoneSurrogates(member));
  return clean;
}

/** Parses JSON from outside into a well-formed value; undefined if it is not JSON or nested too deep. */
export const parseJson = (text: string): Json | undefined => parseUpTo(maxJsonDepth, text);

/** Removes null members at any depth; null items of lists stay. */
export function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const kept: Record<string, Json> = {};
  for (const [name, member] of Object.entries(value)) if (member !== null) setOwn(kept, name, withoutNulls(member));
  return kept;
}

const byteOrderMark = '\u{FEFF}';

/** Whether a text begins with a byte order mark. */
export const hasByteOrderMark = (text: string): boolean => text.startsWith(byteOrderMark);

/** RFC 8259 §8.1: a reader may ignore a byte order mark. */
export const withoutByteOrderMark = (text: string): string => (hasByteOrderMark(text) ? text.slice(1) : text);

/** Parses a JSON body for judging, without its byte order mark and its null members. The record keeps the original. */
export function parseBody(text: string): Json | undefined {
  const body = parseJson(withoutByteOrderMark(text));
  return body !== undefined && text.includes('null') ? withoutNulls(body) : body;
}

/** Parses a text that we wrote. It may be nested deeper, because it can contain a value from outside. */
export const parseOwnJson = (text: string): Json | undefined => parseUpTo(2 * maxJsonDepth, text);

/** Renders a JSON value for people: strings without quotes. */
export function renderPlain(value: Json | undefined): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Follows own properties and list indexes only, never a prototype; undefined if the path does not exist. */
export function followPath(root: unknown, path: readonly string[]): unknown {
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

/** Returns the value at a dotted path such as `body.keys.0.kid`. */
export const valueAt = (root: unknown, path: string): unknown => followPath(root, path.split('.'));

/** Returns an own member of a JSON object, null included. */
export function readMember(value: unknown, name: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function readTextMember(value: unknown, name: string): string | undefined {
  const member = readMember(value, name);
  return typeof member === 'string' ? member : undefined;
}

export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

export const listItems = (value: Json | undefined): readonly Json[] => (isList(value) ? value : []);

/** Strings in a list; empty if the value is not a list. */
export const listStrings = (value: Json | undefined): readonly string[] =>
  listItems(value).filter((item) => typeof item === 'string');

/** Compares JSON values; member order does not matter. */
export function equalsJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, at) => equalsJson(item, b[at]));
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && equalsJson(a[name], b[name]))
  );
}

/** Copies a value as JSON; undefined if it is not JSON. */
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

/** Sets an own property, even `__proto__`. */
export function setOwn(target: Record<string, Json>, name: string, value: Json): void {
  if (name === '__proto__') {
    Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[name] = value;
  }
}

/** Type without undefined values, as `exactOptionalPropertyTypes` requires. */
export type WithoutUndefined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

export function omitUndefined<T extends object>(record: T): WithoutUndefined<T> {
  const found: { [name: string]: unknown } = {};
  const names = Object.keys(record);
  for (const name of names) {
    const value: unknown = record[name as keyof T];
    if (value !== undefined) found[name] = value;
  }
  // It has every member with a value and no other.
  return found as WithoutUndefined<T>;
}

/** Characters that JSON allows unescaped but a terminal or CI log would act on. */
const actedOnInJson = /[\u007f-\u00a0\p{Cf}\p{Zl}\p{Zp}\p{DI}]|#(?=#)/gu;

/** A value as JSON, on one line unless indented, with the characters of `actedOnInJson` escaped as `\uXXXX`. */
export function forJson(value: unknown, indent?: number): string {
  return (JSON.stringify(value, undefined, indent) ?? 'null').replace(actedOnInJson, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

export function* renderJsonLines(values: Iterable<unknown>): Iterable<string> {
  let separator = '\n';
  for (const value of values) {
    yield separator + forJson(value);
    separator = ',\n';
  }
}
