import { isJsonObject, type Json, type JsonObject } from '../../../lib/json.ts';
import type { Difference, TemplateMap } from '../../../model/suite.ts';
import type { Template } from '../../../model/template.ts';

/** The keys of a difference that map names to values. */
const maps = ['claims', 'raw', 'header', 'beside', 'query', 'headers'] as const;
const lists = ['drop', 'dropHeader'] as const;
const templates = ['append', 'request', 'body', 'text', 'jwk'] as const;
const words = ['client', 'key', 'alg', 'tamper', 'form', 'method', 'writing'] as const;

const wholeTemplate = /^\{\{ *each\.([\w-]+) *\}\}$/;

/** A value as it was written; undefined where it reads what only its case has. */
function writtenIn({ source, paths }: Template, each: TemplateMap): Json | undefined {
  if (!paths.some(([root]) => root === 'each')) return source;
  const name = typeof source === 'string' ? wholeTemplate.exec(source)?.[1] : undefined;
  const own = each.find(([key]) => key === name)?.[1];
  return own === undefined || own.paths.some(([root]) => root === 'each') ? undefined : own.source;
}

/** A difference as a suite writes it; undefined where a value reads what only its case has. */
export function writeDifference(difference: Difference, each: TemplateMap): JsonObject | undefined {
  const written: Record<string, Json> = {};
  for (const key of maps) {
    const members: Record<string, Json> = {};
    for (const [name, template] of difference[key] ?? []) {
      const value = writtenIn(template, each);
      if (value === undefined) return undefined;
      members[name] = value;
    }
    if (difference[key] !== undefined) written[key] = members;
  }
  for (const key of templates) {
    const template = difference[key];
    const value = template === undefined ? undefined : writtenIn(template, each);
    if (template !== undefined && value === undefined) return undefined;
    if (value !== undefined) written[key] = value;
  }
  for (const key of lists) if (difference[key] !== undefined) written[key] = [...difference[key]];
  for (const key of words) if (difference[key] !== undefined) written[key] = difference[key];
  return written;
}

const namesIn = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.map(String) : isJsonObject(value) ? Object.keys(value) : [];

/** What of the request a key of a difference changes, whatever it changes it to. */
const touchedBy: Readonly<Record<string, (value: Json) => readonly string[]>> = {
  claims: (value) => namesIn(value).map((name) => `claims.${name}`),
  drop: (value) => namesIn(value).map((name) => `claims.${name}`),
  raw: (value) => namesIn(value).map((name) => `claims.${name}`),
  header: (value) => namesIn(value).map((name) => `header.${name}`),
  dropHeader: (value) => namesIn(value).map((name) => `header.${name}`),
  beside: (value) => namesIn(value).map((name) => `beside.${name}`),
  query: (value) => namesIn(value).map((name) => `query.${name}`),
  headers: (value) => namesIn(value).map((name) => `headers.${name.toLowerCase()}`),
  append: () => ['claims'],
  client: () => ['client', 'key', 'header.kid'],
  key: () => ['key', 'header.kid', 'header.alg'],
  jwk: () => ['key'],
  alg: () => ['key', 'header.alg'],
  tamper: () => ['jws'],
};

const known = new WeakMap<JsonObject, ReadonlySet<string>>();

/** Parts of the request that a difference changes: `claims.iat`, `header.kid`, `key`, `body`. */
export function touchedIn(difference: JsonObject): ReadonlySet<string> {
  const touched =
    known.get(difference) ??
    new Set(Object.entries(difference).flatMap(([key, value]) => touchedBy[key]?.(value) ?? ['body']));
  known.set(difference, touched);
  return touched;
}

/** Whether two differences change the same part. */
export function overlap(one: JsonObject, other: JsonObject): boolean {
  const touched = touchedIn(one);
  for (const part of touchedIn(other)) if (touched.has(part)) return true;
  return false;
}

/** Both differences in one; undefined where they change the same part. */
export function joined(one: JsonObject, other: JsonObject): JsonObject | undefined {
  if (overlap(one, other)) return undefined;
  const result: Record<string, Json> = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const own = result[key];
    if (isJsonObject(own) && isJsonObject(value)) result[key] = { ...own, ...value };
    else if (Array.isArray(own) && Array.isArray(value)) result[key] = [...own, ...value];
    else result[key] = value;
  }
  return result;
}
