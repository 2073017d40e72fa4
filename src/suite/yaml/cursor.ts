import { isJsonObject, type Json } from '../../lib/json.ts';
import type { Position } from '../../model/position.ts';
import type { Path, YamlDocument } from './document.ts';

/** A value of a YAML file together with its place; `value` is undefined where there is none. */
export interface Cursor {
  readonly document: YamlDocument;
  readonly path: Path;
  readonly value: Json | undefined;
}

export function rootOf(document: YamlDocument): Cursor {
  return { document, path: [], value: document.json };
}

export function at(cursor: Cursor, key: string): Cursor {
  const { value } = cursor;
  const found = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return { document: cursor.document, path: [...cursor.path, key], value: found };
}

/** The entries of a mapping; none where it is something else, which the schema has reported. */
export function entries(cursor: Cursor): readonly (readonly [string, Cursor])[] {
  return isJsonObject(cursor.value) ? Object.keys(cursor.value).map((key) => [key, at(cursor, key)] as const) : [];
}

/** The items of a list; none where it is something else. */
export function items(cursor: Cursor): readonly Cursor[] {
  const { document, path, value } = cursor;
  return isList(value) ? value.map((item, index) => ({ document, path: [...path, index], value: item })) : [];
}

/** A list, or the one value that stands for a list of it. */
export function oneOrMore(cursor: Cursor): readonly Cursor[] {
  if (cursor.value === undefined) return [];
  return isList(cursor.value) ? items(cursor) : [cursor];
}

export function text(cursor: Cursor): string | undefined {
  return typeof cursor.value === 'string' ? cursor.value : undefined;
}

/** A list of strings; undefined where there is no list. */
export function texts(cursor: Cursor): readonly string[] | undefined {
  return isList(cursor.value) ? cursor.value.filter((item) => typeof item === 'string') : undefined;
}

export function place(cursor: Cursor): Position {
  return cursor.document.position(cursor.path);
}

export function keyPlace(cursor: Cursor): Position {
  return cursor.document.keyPosition(cursor.path);
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
