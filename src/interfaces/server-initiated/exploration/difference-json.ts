import { isJsonObject, type Json, type JsonObject } from '../../../lib/json.ts';
import type { Difference, TemplateMap } from '../../../model/suite.ts';
import type { Template } from '../../../model/template.ts';

/** The keys of a difference that map names to values. */
const maps = ['claims', 'raw', 'header', 'beside', 'query', 'headers'] as const;
const lists = ['drop', 'dropHeader'] as const;
const templates = ['append', 'request', 'body', 'text', 'jwk'] as const;
const words = ['client', 'key', 'alg', 'tamper', 'form', 'method', 'writing'] as const;

/** Every template of a difference. */
export const templatesOf = (difference: Difference): readonly Template[] => [
  ...maps.flatMap((key) => difference[key] ?? []).map(([, template]) => template),
  ...templates.flatMap((key) => difference[key] ?? []),
];

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
  const written = new Map<string, Json | undefined>();
  for (const key of maps) if (difference[key] !== undefined) written.set(key, writeMap(difference[key], each));
  for (const key of templates) if (difference[key] !== undefined) written.set(key, writtenIn(difference[key], each));
  for (const key of lists) if (difference[key] !== undefined) written.set(key, [...difference[key]]);
  for (const key of words) if (difference[key] !== undefined) written.set(key, difference[key]);
  return wholly(written);
}

/** Undefined where a value is. */
function wholly(written: ReadonlyMap<string, Json | undefined>): JsonObject | undefined {
  const members = [...written].flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  return members.length === written.size ? Object.fromEntries(members) : undefined;
}

const writeMap = (map: TemplateMap, each: TemplateMap): JsonObject | undefined =>
  wholly(new Map(map.map(([name, template]) => [name, writtenIn(template, each)])));

const namesIn = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.map(String) : isJsonObject(value) ? Object.keys(value) : [];

/** Names of members in raw JSON text. */
const namesBefore = (value: Json): readonly string[] =>
  typeof value === 'string' ? [...value.matchAll(/"(\w+)" *:/g)].map(([, name = '']) => name) : [];

/** What of the request a key of a difference changes, whatever it changes it to. */
const touchedBy: Readonly<Record<string, (value: Json) => readonly string[]>> = {
  claims: (value) => namesIn(value).map((name) => `claims.${name}`),
  drop: (value) => namesIn(value).map((name) => `claims.${name}`),
  raw: (value) => namesIn(value).map((name) => `claims.${name}`),
  header: (value) => namesIn(value).map((name) => `header.${name}`),
  dropHeader: (value) => namesIn(value).map((name) => `header.${name}`),
  members: (value) => namesIn(value).map((name) => `members.${name}`),
  beside: (value) => namesIn(value).map((name) => `beside.${name}`),
  query: (value) => namesIn(value).map((name) => `query.${name}`),
  headers: (value) => namesIn(value).map((name) => `headers.${name.toLowerCase()}`),
  append: (value) => ['claims', ...namesBefore(value).map((name) => `claims.${name}`)],
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

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

/** Both differences in one; undefined where they change the same part. */
export function joined(one: JsonObject, other: JsonObject): JsonObject | undefined {
  if (overlap(one, other)) return undefined;
  const result: Record<string, Json> = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const own = result[key];
    if (isJsonObject(own) && isJsonObject(value)) result[key] = { ...own, ...value };
    else if (isList(own) && isList(value)) result[key] = [...own, ...value];
    else result[key] = value;
  }
  return result;
}
