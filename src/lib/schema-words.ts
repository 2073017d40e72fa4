import { copyJson, isJsonObject, type Json, type JsonObject, plainText, isList } from './json.ts';
import { countNoun } from './lists.ts';

const quoted = (value: Json): string => JSON.stringify(value);
const asList = (value: Json): readonly Json[] => (isList(value) ? value : [value]);
const either = (words: readonly string[]): string => words.join(' or ');
const counted = (value: Json, noun: string): string => countNoun(Number(value), noun);

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

/** Describes a pattern by the words of its schema, or by the pattern itself. */
const formWords = (pattern: Json, { description }: JsonObject): string =>
  typeof description === 'string' ? description : `text of the form ${plainText(pattern)}`;

const eachMember = (patterns: Json): string =>
  Object.entries(isJsonObject(patterns) ? patterns : {})
    .map(([form, schema]) => `each member of the form ${form} ${describeExpected(schema)}`)
    .join(', ');

const itemWords = (schemas: Json): string =>
  isList(schemas)
    ? schemas.map((schema, at) => `item ${at} ${describeExpected(schema)}`).join(', ')
    : `each item ${describeExpected(schemas)}`;

const otherMembers = (schema: Json): string =>
  schema === false ? 'no other member' : `each other member ${describeExpected(schema)}`;

/** JSON Schema keywords (draft-07) that suites may use, each with its description. Their order is that of the sentence. */
const keywords: Readonly<Record<string, (value: Json, schema: JsonObject) => string>> = {
  const: quoted,
  enum: (values) => (asList(values).length === 1 ? '' : 'one of ') + asList(values).map(quoted).join(', '),
  type: (type) => either(asList(type).map(typeWord)),
  required: (names) => `with ${asList(names).map(plainText).join(', ')}`,
  properties: memberWords,
  pattern: formWords,
  minLength: (least) => `at least ${counted(least, 'character')} long`,
  maxLength: (most) => `at most ${counted(most, 'character')} long`,
  minimum: (least) => `${quoted(least)} or more`,
  maximum: (most) => `${quoted(most)} or less`,
  exclusiveMinimum: (least) => `more than ${quoted(least)}`,
  exclusiveMaximum: (most) => `less than ${quoted(most)}`,
  minItems: (least) => `at least ${counted(least, 'item')}`,
  maxItems: (most) => `at most ${counted(most, 'item')}`,
  uniqueItems: () => 'no item twice',
  multipleOf: (step) => `a multiple of ${quoted(step)}`,
  minProperties: (least) => `at least ${counted(least, 'member')}`,
  maxProperties: (most) => `at most ${counted(most, 'member')}`,
  items: itemWords,
  additionalItems: (schema) => (schema === false ? 'no further item' : `each further item ${describeExpected(schema)}`),
  contains: (schema) => `a list with ${describeExpected(schema)}`,
  patternProperties: eachMember,
  propertyNames: (schema) => `each name of a member ${describeExpected(schema)}`,
  additionalProperties: otherMembers,
  'false schema': () => 'nothing',
  not: (schema, { description }) =>
    typeof description === 'string' ? description : `anything but ${describeExpected(schema)}`,
  anyOf: (schemas) => either(asList(schemas).map(describeExpected)),
  oneOf: (schemas) => `exactly one of: ${either(asList(schemas).map(describeExpected))}`,
  allOf: (schemas) => asList(schemas).map(describeExpected).join(', and '),
  if: (schema, { then = true, else: otherwise = true }) =>
    [
      ...(then === true ? [] : [`where it is ${describeExpected(schema)}, ${describeExpected(then)}`]),
      ...(otherwise === true ? [] : [`where it is not ${describeExpected(schema)}, ${describeExpected(otherwise)}`]),
    ].join(', and '),
};

/** Describes a schema in words, without its keywords. */
export function describeExpected(schema: Json): string {
  if (schema === false) return 'nothing';
  if (!isJsonObject(schema)) return 'anything';
  const { description } = schema;
  const saysType =
    'const' in schema ||
    'enum' in schema ||
    'properties' in schema ||
    ('pattern' in schema && description !== undefined);
  const asked = Object.keys(keywords).filter((name) => name in schema && !(name === 'type' && saysType));
  const words = asked.map((name) => keywords[name]?.(schema[name] ?? null, schema) ?? name);
  return words.length === 0 ? 'anything' : words.join(', ');
}

/** Describes one keyword of a schema; undefined if it has no words. */
export function describeKeyword(keyword: string, value: Json, schema: JsonObject = {}): string | undefined {
  return Object.hasOwn(keywords, keyword) ? keywords[keyword]?.(value, schema) : undefined;
}

/** Error of a JSON Schema validator; ajv gives these members if `verbose` is set. */
interface SchemaError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly schema?: unknown;
  readonly parentSchema?: unknown;
  readonly data?: unknown;
}

/** Maximum length of a quoted value, in UTF-16 units. */
const longest = 80;

function showData(data: unknown): string {
  const json = JSON.stringify(copyJson(data) ?? null);
  return json.length > longest ? `${json.slice(0, longest)}…` : json;
}

/** Describes a mistake in a document: `/rules/0/verdict is "x", not one of "pass", "fail"`. */
export function describeMistake({ instancePath, keyword, params, schema, parentSchema, data }: SchemaError): string {
  const name = instancePath === '' ? 'the top' : instancePath;
  if (keyword === 'required') return `${name} has no member "${String(params['missingProperty'])}"`;
  if (keyword === 'additionalProperties')
    return `${name} has an unknown member "${String(params['additionalProperty'])}"`;
  const around = copyJson(parentSchema);
  const asked = describeKeyword(keyword, copyJson(schema) ?? null, isJsonObject(around) ? around : {});
  return `${name} is ${showData(data)}, not ${asked ?? `as ${keyword} has it`}`;
}
