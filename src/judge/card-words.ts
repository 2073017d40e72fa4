import { isJsonObject, isList, type Json, type JsonObject, renderPlain } from '../lib/json.ts';
import { MissingValue, type Scope, type Template } from '../model/suite.ts';
import type { Expectation } from '../suite/expectations/expectations.ts';

type FieldNamer = (path: string) => string;

const createFieldNamer =
  (fields: Readonly<Record<string, string>>): FieldNamer =>
  (path) => {
    const name = path.replace(/^card\.?/, '');
    if (name === '') return 'what the phone shows';
    return Object.hasOwn(fields, name) ? (fields[name] ?? name) : name;
  };

const quote = (value: Json): string => (value === null ? 'nothing' : JSON.stringify(value));

function describeValue(path: string, value: Json, nameOf: FieldNamer): string {
  if (path === 'card.shown' && typeof value === 'boolean') return `the request is ${value ? '' : 'not '}shown`;
  return `${nameOf(path)} is ${quote(value)}`;
}

/** Value in the case, or a description of it if its step left none. */
function expectedValue(template: Template, scope: Scope): string | { readonly value: Json } {
  try {
    return { value: template.evaluate(scope) };
  } catch (error) {
    if (!(error instanceof MissingValue)) throw error;
    const [step = 'an earlier step', , ...rest] = error.path.split('.');
    return `the same as at step ${step}${rest.length === 0 ? '' : ` (${rest.join('.')})`}`;
  }
}

function describeEquals([path, template]: readonly [string, Template], scope: Scope, nameOf: FieldNamer): string {
  const found = expectedValue(template, scope);
  return typeof found === 'string' ? `${nameOf(path)} is ${found}` : describeValue(path, found.value, nameOf);
}

/** Describes a schema keyword that suites use for cards; undefined if there is no wording, and the keyword is shown as written. */
type Keyword = (
  about: { readonly path: string; readonly nameOf: FieldNamer },
  value: Json,
  schema: JsonObject,
) => string | undefined;

const joinClauses = (all: readonly string[]): string => all.join(', and ');

const describeAllOf = (schemas: Json, path: string, nameOf: FieldNamer): string | undefined =>
  isList(schemas) ? joinClauses(schemas.flatMap((one) => describeSchema(path, one, nameOf))) : undefined;

const keywords: Readonly<Record<string, Keyword>> = {
  contains: ({ path, nameOf }, value) =>
    isJsonObject(value) && value['const'] !== undefined ? `${nameOf(path)} has ${quote(value['const'])}` : undefined,
  minItems: ({ path, nameOf }, value) =>
    `${nameOf(path)} has ${value === 1 ? 'an entry' : `at least ${renderPlain(value)} entries`}`,
  not: ({ path, nameOf }, value) =>
    isJsonObject(value) && typeof value['description'] === 'string'
      ? `${nameOf(path)} is not ${value['description']}`
      : undefined,
  allOf: ({ path, nameOf }, value) => describeAllOf(value, path, nameOf),
  if: ({ path, nameOf }, value, { then = {} }) => {
    const [given, wanted] = [value, then].map((one) => describeAllOf([one], path, nameOf));
    return `if ${given}, then ${wanted}`;
  },
};

/** Keywords that describe a value or its members. */
const describedKeywords: ReadonlySet<string> = new Set([
  'type',
  'const',
  'enum',
  'required',
  'properties',
  'then',
  'description',
]);

function describeSchema(path: string, schema: Json, nameOf: FieldNamer): readonly string[] {
  if (!isJsonObject(schema)) return [];
  const { required, properties } = schema;
  const members = isJsonObject(properties) ? properties : {};
  const named = isList(required) ? required.filter((name) => typeof name === 'string') : [];
  return [
    ...describeSchemaItself(path, schema, nameOf),
    ...named.filter((name) => !Object.hasOwn(members, name)).map((name) => `${nameOf(`${path}.${name}`)} is there`),
    ...Object.entries(members).flatMap(([name, member]) => describeSchema(`${path}.${name}`, member, nameOf)),
  ];
}

/** Describes a schema's value itself, without its members. */
function describeSchemaItself(path: string, schema: JsonObject, nameOf: FieldNamer): readonly string[] {
  const { const: only, enum: some, type } = schema;
  const others = Object.entries(schema).filter(([keyword]) => !describedKeywords.has(keyword));
  const said = others.map(
    ([keyword, value]) => [keyword, value, keywords[keyword]?.({ path, nameOf }, value, schema)] as const,
  );
  const unsaid = said.filter(([, , words]) => words === undefined).map(([keyword, value]) => [keyword, value] as const);
  const found = [
    ...(only === undefined ? [] : [describeValue(path, only, nameOf)]),
    ...(isList(some) ? [`${nameOf(path)} is one of ${some.map(quote).join(', ')}`] : []),
    ...said.flatMap(([, , words]) => words ?? []),
    ...(unsaid.length === 0 ? [] : [`${nameOf(path)} fits ${JSON.stringify(Object.fromEntries(unsaid))}`]),
  ];
  if (found.length > 0 || type === undefined || type === 'object') return found;
  return [`${nameOf(path)} is there, as ${isList(type) ? type.map(quote).join(' or ') : renderPlain(type)}`];
}

/** Question for the operator: everything that one expectation of a look requires; `fields` names the parts of a card. */
export function describeCard(
  { equals = [], equalsOrAbsent = [], includes = [], differs = [], absent = [], checks = [], card }: Expectation,
  scope: Scope,
  fields: Readonly<Record<string, string>>,
): string {
  const nameOf = createFieldNamer(fields);
  const words = [
    ...equals.map((entry) => describeEquals(entry, scope, nameOf)),
    ...equalsOrAbsent.map((entry) => `${describeEquals(entry, scope, nameOf)}, unless nothing is there of it`),
    ...includes.map((entry) => `${describeEquals(entry, scope, nameOf)}, or that is among it`),
    ...differs.map((entry) => `it is not so that ${describeEquals(entry, scope, nameOf)}`),
    ...(card === undefined ? [] : describeSchema('card', card.schema, nameOf)),
    ...absent.map((path) => `${nameOf(path)} is not there`),
    ...checks.map((name) => `this holds: ${name.replaceAll('-', ' ')}`),
  ];
  return words.length === 0 ? 'the phone shows what the case says' : joinClauses(words);
}
