import { at, type Cursor, entries, items } from '../yaml/document.ts';
import { isJsonObject, type Json, type JsonObject, isList } from '../../lib/json.ts';
import type { CompileKnowledge } from '../context.ts';
import type { TemplateContext } from '../template/template.ts';

export interface ReadContext extends TemplateContext {
  readonly known: Pick<CompileKnowledge, 'checks' | 'tampers' | 'warn'>;
}

/** Shape of a YAML value: its JSON Schema (draft-07), and a reader that returns undefined for other shapes. */
export interface Grammar<Value> {
  readonly schema: JsonObject;
  /** Named shapes to which `schema` refers. */
  readonly definitions: ReadonlyMap<string, JsonObject>;
  readonly read: (cursor: Cursor, context?: ReadContext) => Value | undefined;
  /** Its compiler reads it when it needs it, and `object` leaves it out. */
  readonly isLate?: true;
}

/** Type of a grammar's values after reading. */
export type ReadValue<G> = G extends Grammar<infer Value> ? Value : never;

/** Title for messages, description, and further JSON Schema keywords. */
export interface ShapeWords {
  readonly title?: string;
  readonly description?: string;
  readonly [keyword: string]: Json | undefined;
}

const noDefinitions: ReadonlyMap<string, JsonObject> = new Map();

function withWords(schema: JsonObject, words: ShapeWords): JsonObject {
  const given = Object.entries(words).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  return { ...schema, ...Object.fromEntries(given) };
}

function scalarShape<Value>(
  schema: JsonObject,
  words: ShapeWords,
  read: (value: Json) => Value | undefined,
): Grammar<Value> {
  return {
    schema: withWords(schema, words),
    definitions: noDefinitions,
    read: ({ value }) => (value === undefined ? undefined : read(value)),
  };
}

/** Non-empty string. */
export const nonEmptyText = (words: ShapeWords = {}): Grammar<string> =>
  scalarShape({ type: 'string', minLength: 1 }, words, (value) => (typeof value === 'string' ? value : undefined));

/** String that matches a regular expression (ECMA-262); the caller anchors it. */
export const pattern = (expression: string, words: ShapeWords = {}): Grammar<string> =>
  scalarShape({ type: 'string', pattern: expression }, words, (value) =>
    typeof value === 'string' ? value : undefined,
  );

export const anyText = (words: ShapeWords = {}): Grammar<string> =>
  scalarShape({ type: 'string' }, words, (value) => (typeof value === 'string' ? value : undefined));

export const flag = (words: ShapeWords = {}): Grammar<boolean> =>
  scalarShape({ type: 'boolean' }, words, (value) => (typeof value === 'boolean' ? value : undefined));

export const integer = (minimum: number, maximum: number, words: ShapeWords = {}): Grammar<number> =>
  scalarShape({ type: 'integer', minimum, ...(Number.isFinite(maximum) ? { maximum } : {}) }, words, (value) =>
    typeof value === 'number' ? value : undefined,
  );

/** One of the listed words. */
export const word = <const Word extends string>(all: readonly Word[], words: ShapeWords = {}): Grammar<Word> =>
  scalarShape({ type: 'string', enum: all }, words, (value) => all.find((one) => one === value));

/** Maps values as they are read; undefined drops a value. */
export const mapped = <From, To>(shape: Grammar<From>, make: (value: From) => To | undefined): Grammar<To> => ({
  ...shape,
  read: (cursor, context) => {
    const value = shape.read(cursor, context);
    return value === undefined ? undefined : make(value);
  },
});

/** Checks the values of a shape, if there is a context. */
export const checked = <Value>(
  shape: Grammar<Value>,
  check: (value: Value, cursor: Cursor, context: ReadContext) => void,
): Grammar<Value> => ({
  ...shape,
  read: (cursor, context) => {
    const value = shape.read(cursor, context);
    if (value !== undefined && context !== undefined) check(value, cursor, context);
    return value;
  },
});

/** Any value, or one that the JSON Schema in `words` describes; read as its place in the file. */
export const json = (words: ShapeWords = {}): Grammar<Cursor> => ({
  schema: withWords({}, words),
  definitions: noDefinitions,
  read: (cursor) => (cursor.value === undefined ? undefined : cursor),
});

/** Reads a shape as its place in the file, for compilers that read the content themselves. */
export const placed = (shape: Grammar<unknown>): Grammar<Cursor> => ({ ...shape, read: json().read });

/** Leaves a member of a mapping to its compiler. */
export const late = (shape: Grammar<unknown>): Grammar<never> => ({ ...shape, read: () => undefined, isLate: true });

export const list = <Item>(item: Grammar<Item>, words: ShapeWords = {}): Grammar<readonly Item[]> => ({
  schema: withWords({ type: 'array', items: item.schema }, words),
  definitions: item.definitions,
  read: (cursor, context) => (Array.isArray(cursor.value) ? readItems(item, cursor, context) : undefined),
});

/** List, or a single value that means a list of one. */
export const listOrOne = <Item>(item: Grammar<Item>, words: ShapeWords = {}): Grammar<readonly Item[]> => ({
  schema: withWords(listOrOneSchema(item), words),
  definitions: item.definitions,
  read: (cursor, context) => {
    if (Array.isArray(cursor.value)) return readItems(item, cursor, context);
    const one = item.read(cursor, context);
    return one === undefined ? undefined : [one];
  },
});

function listOrOneSchema(item: Grammar<unknown>): JsonObject {
  const types = schemaTypes(item);
  const many: JsonObject = { minItems: 1, items: item.schema };
  if (types === undefined) return { anyOf: [item.schema, { type: 'array', ...many }] };
  // Keywords of strings and numbers do not affect lists, so one schema can contain both.
  if ('type' in item.schema && types.every((type) => scalars.includes(type))) {
    return { ...item.schema, type: [...types, 'array'], ...many };
  }
  return typedSchema([
    { types: ['array'], schema: many },
    { types, schema: item.schema },
  ]);
}

const scalars: readonly string[] = ['string', 'integer', 'number', 'boolean'];

/** JSON types of a shape's values, if its schema names them. */
function schemaTypes({ schema, definitions }: Grammar<unknown>): readonly string[] | undefined {
  const name = schema['$ref'];
  const found = typeof name === 'string' ? definitions.get(name.slice(referenceTo('').length)) : schema;
  const types = found?.['type'];
  if (isList(types)) return types.filter((type) => typeof type === 'string');
  return typeof types === 'string' ? [types] : undefined;
}

/** Checks a value against the schema for its own type only. A value of any other type is one mistake. */
function typedSchema(all: readonly { readonly types: readonly string[]; readonly schema: JsonObject }[]): JsonObject {
  const ofTypes = all.map(({ types, schema }) => ({ if: { not: { type: singleOrList(types) } }, else: schema }));
  return { type: all.flatMap(({ types }) => types), allOf: ofTypes };
}

const singleOrList = (types: readonly string[]): Json => (types.length === 1 ? (types[0] ?? '') : types);

const readItems = <Item>(item: Grammar<Item>, cursor: Cursor, context?: ReadContext): readonly Item[] =>
  items(cursor).flatMap((one) => {
    const read = item.read(one, context);
    return read === undefined ? [] : [read];
  });

/** Mapping with names of the author's choice. */
export const mapping = <Value>(
  value: Grammar<Value>,
  words: ShapeWords = {},
): Grammar<readonly (readonly [string, Value])[]> => ({
  schema: withWords({ type: 'object', additionalProperties: value.schema }, words),
  definitions: value.definitions,
  read: (cursor, context) =>
    isJsonObject(cursor.value)
      ? entries(cursor).flatMap(([name, one]) => {
          const read = value.read(one, context);
          return read === undefined ? [] : [[name, read] as const];
        })
      : undefined,
});

/** Either of two shapes; the first that reads the value wins. */
export const either = <One, Other>(
  one: Grammar<One>,
  other: Grammar<Other>,
  words: ShapeWords = {},
): Grammar<One | Other> => ({
  schema: withWords(eitherSchema(one, other), words),
  definitions: mergeDefinitions([one.definitions, other.definitions]),
  read: (cursor, context) => one.read(cursor, context) ?? other.read(cursor, context),
});

function eitherSchema(one: Grammar<unknown>, other: Grammar<unknown>): JsonObject {
  const [types, others] = [schemaTypes(one), schemaTypes(other)];
  if (types === undefined || others === undefined || types.some((type) => others.includes(type))) {
    return { anyOf: [one.schema, other.schema] };
  }
  return typedSchema([
    { types, schema: one.schema },
    { types: others, schema: other.schema },
  ]);
}

export type Keys = Readonly<Record<string, Grammar<unknown>>>;
export type Members<K extends Keys> = { readonly [Name in keyof K]?: ReadValue<K[Name]> };

export interface ObjectGrammar<K extends Keys> extends Grammar<Members<K> & { readonly cursor: Cursor }> {
  readonly keys: K;
}

/** Mapping with known keys only. Reads each member; `cursor` is its own place. */
export function object<const K extends Keys>(
  keys: K,
  { required = [], ...words }: ShapeWords & { readonly required?: readonly (keyof K & string)[] } = {},
): ObjectGrammar<K> {
  const properties = Object.fromEntries(Object.entries(keys).map(([name, { schema }]) => [name, schema]));
  const needed = required.length === 0 ? {} : { required };
  return {
    keys,
    schema: withWords({ type: 'object', additionalProperties: false, ...needed, properties }, words),
    definitions: mergeDefinitions(Object.values(keys).map(({ definitions }) => definitions)),
    read: (cursor, context) =>
      isJsonObject(cursor.value) ? { ...readMembers(keys, cursor, context), cursor } : undefined,
  };
}

/** Mapping like `object`, read without its place. */
export const members = <const K extends Keys>(
  keys: K,
  words: ShapeWords & { readonly required?: readonly (keyof K & string)[] } = {},
): Grammar<Members<K>> => ({
  ...object(keys, words),
  read: (cursor, context) => (isJsonObject(cursor.value) ? readMembers(keys, cursor, context) : undefined),
});

function readMembers<K extends Keys>(keys: K, cursor: Cursor, context?: ReadContext): Members<K> {
  const read: Record<string, unknown> = {};
  for (const name of Object.keys(isJsonObject(cursor.value) ? cursor.value : {})) {
    const shape = Object.hasOwn(keys, name) ? keys[name] : undefined;
    const value = shape?.isLate === true ? undefined : shape?.read(at(cursor, name), context);
    if (value !== undefined) read[name] = value;
  }
  // Each value comes from its own key's grammar; a mapped type cannot be built entry by entry without a cast.
  return read as Members<K>;
}

/** Names a shape, so that the schema defines it once and refers to it by name. */
export const named = <Value>(name: string, shape: Grammar<Value>): Grammar<Value> => ({
  schema: { $ref: referenceTo(name) },
  definitions: new Map([[name, shape.schema], ...shape.definitions]),
  read: shape.read,
});

const referenceTo = (name: string): string => `#/definitions/${name}`;

export const described = <Value>(shape: Grammar<Value>, words: ShapeWords | string): Grammar<Value> => {
  const given = typeof words === 'string' ? { description: words } : words;
  const schema = '$ref' in shape.schema ? { allOf: [shape.schema] } : shape.schema;
  return { ...shape, schema: withWords(schema, given) };
};

function mergeDefinitions(all: readonly ReadonlyMap<string, JsonObject>[]): ReadonlyMap<string, JsonObject> {
  const filled = all.filter(({ size }) => size > 0);
  return filled.length === 0 ? noDefinitions : new Map(filled.flatMap((one) => [...one]));
}

/** JSON Schema of a kind of file, as checked in for editors. */
export function documentSchema(file: Grammar<unknown>): JsonObject {
  const definitions = file.definitions.size === 0 ? {} : { definitions: Object.fromEntries(file.definitions) };
  return { $schema: 'http://json-schema.org/draft-07/schema#', ...file.schema, ...definitions };
}
