import { isJsonObject, type Json, type JsonObject, plainText } from '../../lib/json.ts';
import { countOf } from '../../lib/lists.ts';

type Word = (value: Json, schema: JsonObject) => string;

const quoted = (value: Json): string => JSON.stringify(value);
const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
const listOf = (value: Json): readonly Json[] => (isList(value) ? value : [value]);
const either = (words: readonly string[]): string => words.join(' or ');
const counted = (value: Json, noun: string): string => countOf(Number(value), noun);

const types: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
};

const typeWord = (type: Json): string => (typeof type === 'string' ? (types[type] ?? type) : quoted(type));

function memberWords(properties: Json): string {
  if (!isJsonObject(properties)) return 'an object';
  const members = Object.entries(properties).map(([name, schema]) => `${name} ${describeExpected(schema)}`);
  return `an object with ${members.join(', ')}`;
}

/** Keywords of JSON Schema (draft-07) that suites use, each as what it asks for. In this order they make one sentence. */
const keywords: Readonly<Record<string, Word>> = {
  const: quoted,
  enum: (values) => (listOf(values).length === 1 ? '' : 'one of ') + listOf(values).map(quoted).join(', '),
  type: (type) => either(listOf(type).map(typeWord)),
  required: (names) => `with ${listOf(names).map(plainText).join(', ')}`,
  properties: memberWords,
  pattern: (pattern) => `text of the form ${plainText(pattern)}`,
  minLength: (least) => `at least ${counted(least, 'character')} long`,
  maxLength: (most) => `at most ${counted(most, 'character')} long`,
  minimum: (least) => `${quoted(least)} or more`,
  maximum: (most) => `${quoted(most)} or less`,
  exclusiveMinimum: (least) => `more than ${quoted(least)}`,
  exclusiveMaximum: (most) => `less than ${quoted(most)}`,
  minItems: (least) => `at least ${counted(least, 'item')}`,
  maxItems: (most) => `at most ${counted(most, 'item')}`,
  uniqueItems: () => 'no item twice',
  minProperties: (least) => `at least ${counted(least, 'member')}`,
  items: (schema) => `each item ${describeExpected(schema)}`,
  contains: (schema) => `a list with ${describeExpected(schema)}`,
  additionalProperties: () => 'no other member',
  'false schema': () => 'nothing',
  not: (schema) => `anything but ${describeExpected(schema)}`,
  anyOf: (schemas) => either(listOf(schemas).map(describeExpected)),
  oneOf: (schemas) => `exactly one of: ${either(listOf(schemas).map(describeExpected))}`,
  allOf: (schemas) => listOf(schemas).map(describeExpected).join(', and '),
};

/** What a schema asks for, in words without a keyword. */
export function describeExpected(schema: Json): string {
  if (schema === false) return 'nothing';
  if (!isJsonObject(schema)) return 'anything';
  const type = 'type' in schema && ('const' in schema || 'enum' in schema || 'properties' in schema) ? ['type'] : [];
  const asked = Object.keys(keywords).filter((name) => name in schema && !type.includes(name));
  const words = asked.map((name) => keywords[name]?.(schema[name] ?? null, schema) ?? name);
  return words.length === 0 ? 'anything' : words.join(', ');
}

/** What one keyword of a schema asks for; undefined where the words of others say it. */
export function describeKeyword(keyword: string, value: Json): string | undefined {
  return Object.hasOwn(keywords, keyword) ? keywords[keyword]?.(value, {}) : undefined;
}
