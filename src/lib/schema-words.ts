import { copyJson, isJsonObject, type Json, type JsonObject, renderPlain, isList } from './json.ts';
import { countNoun } from './lists.ts';

const quoteJson = (value: Json): string => JSON.stringify(value);
const toList = (value: Json): readonly Json[] => (isList(value) ? value : [value]);
const joinOr = (words: readonly string[]): string => words.join(' or ');
const countWords = (value: Json, noun: string): string => countNoun(Number(value), noun);

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
};

const describeType = (type: Json): string => (typeof type === 'string' ? (typeNames[type] ?? type) : quoteJson(type));

function describeMembers(properties: Json): string {
  if (!isJsonObject(properties)) return 'an object';
  const members = Object.entries(properties).map(([name, schema]) => `${name} ${describeSchemaWords(schema)}`);
  return `an object with ${members.join(', ')}`;
}

/** Describes a pattern by the words of its schema, or by the pattern itself. */
const describePattern = (pattern: Json, { description }: JsonObject): string =>
  typeof description === 'string' ? description : `text of the form ${renderPlain(pattern)}`;

const describePatternMembers = (patterns: Json): string =>
  Object.entries(isJsonObject(patterns) ? patterns : {})
    .map(([form, schema]) => `each member of the form ${form} ${describeSchemaWords(schema)}`)
    .join(', ');

const describeItems = (schemas: Json): string =>
  isList(schemas)
    ? schemas.map((schema, at) => `item ${at} ${describeSchemaWords(schema)}`).join(', ')
    : `each item ${describeSchemaWords(schemas)}`;

const describeOtherMembers = (schema: Json): string =>
  schema === false ? 'no other member' : `each other member ${describeSchemaWords(schema)}`;

/** JSON Schema keywords (draft-07) that suites may use, each with its description. Their order is that of the sentence. */
const keywordWords: Readonly<Record<string, (value: Json, schema: JsonObject) => string>> = {
  const: quoteJson,
  enum: (values) => (toList(values).length === 1 ? '' : 'one of ') + toList(values).map(quoteJson).join(', '),
  type: (type) => joinOr(toList(type).map(describeType)),
  required: (names) => `with ${toList(names).map(renderPlain).join(', ')}`,
  properties: describeMembers,
  pattern: describePattern,
  minLength: (least) => `at least ${countWords(least, 'character')} long`,
  maxLength: (most) => `at most ${countWords(most, 'character')} long`,
  minimum: (least) => `${quoteJson(least)} or more`,
  maximum: (most) => `${quoteJson(most)} or less`,
  exclusiveMinimum: (least) => `more than ${quoteJson(least)}`,
  exclusiveMaximum: (most) => `less than ${quoteJson(most)}`,
  minItems: (least) => `at least ${countWords(least, 'item')}`,
  maxItems: (most) => `at most ${countWords(most, 'item')}`,
  uniqueItems: () => 'no item twice',
  multipleOf: (step) => `a multiple of ${quoteJson(step)}`,
  minProperties: (least) => `at least ${countWords(least, 'member')}`,
  maxProperties: (most) => `at most ${countWords(most, 'member')}`,
  items: describeItems,
  additionalItems: (schema) =>
    schema === false ? 'no further item' : `each further item ${describeSchemaWords(schema)}`,
  contains: (schema) => `a list with ${describeSchemaWords(schema)}`,
  patternProperties: describePatternMembers,
  propertyNames: (schema) => `each name of a member ${describeSchemaWords(schema)}`,
  additionalProperties: describeOtherMembers,
  'false schema': () => 'nothing',
  not: (schema, { description }) =>
    typeof description === 'string' ? description : `anything but ${describeSchemaWords(schema)}`,
  anyOf: (schemas) => joinOr(toList(schemas).map(describeSchemaWords)),
  oneOf: (schemas) => `exactly one of: ${joinOr(toList(schemas).map(describeSchemaWords))}`,
  allOf: (schemas) => toList(schemas).map(describeSchemaWords).join(', and '),
  if: (schema, { then = true, else: otherwise = true }) =>
    [
      ...(then === true ? [] : [`where it is ${describeSchemaWords(schema)}, ${describeSchemaWords(then)}`]),
      ...(otherwise === true
        ? []
        : [`where it is not ${describeSchemaWords(schema)}, ${describeSchemaWords(otherwise)}`]),
    ].join(', and '),
};

/** Describes a schema in words, without its keywords. */
export function describeSchemaWords(schema: Json): string {
  if (schema === false) return 'nothing';
  if (!isJsonObject(schema)) return 'anything';
  const { description } = schema;
  const saysType =
    'const' in schema ||
    'enum' in schema ||
    'properties' in schema ||
    ('pattern' in schema && description !== undefined);
  const asked = Object.keys(keywordWords).filter((name) => name in schema && !(name === 'type' && saysType));
  const words = asked.map((name) => keywordWords[name]?.(schema[name] ?? null, schema) ?? name);
  return words.length === 0 ? 'anything' : words.join(', ');
}

/** Describes one keyword of a schema; undefined if it has no words. */
export function describeKeyword(keyword: string, value: Json, schema: JsonObject = {}): string | undefined {
  return Object.hasOwn(keywordWords, keyword) ? keywordWords[keyword]?.(value, schema) : undefined;
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
const maxQuotedLength = 80;

function showData(data: unknown): string {
  const json = JSON.stringify(copyJson(data) ?? null);
  return json.length > maxQuotedLength ? `${json.slice(0, maxQuotedLength)}…` : json;
}

/** Describes a mistake in a document: `/rules/0/verdict is "x", not one of "pass", "fail"`. */
export function describeSchemaError({
  instancePath,
  keyword,
  params,
  schema,
  parentSchema,
  data,
}: SchemaError): string {
  const name = instancePath === '' ? 'the top' : instancePath;
  if (keyword === 'required') return `${name} has no member "${String(params['missingProperty'])}"`;
  if (keyword === 'additionalProperties')
    return `${name} has an unknown member "${String(params['additionalProperty'])}"`;
  const around = copyJson(parentSchema);
  const asked = describeKeyword(keyword, copyJson(schema) ?? null, isJsonObject(around) ? around : {});
  return `${name} is ${showData(data)}, not ${asked ?? `as ${keyword} has it`}`;
}
