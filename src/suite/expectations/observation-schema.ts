import { describeValue } from '../grammar/describe-schema.ts';
import { type Cursor, entries, items, type Mistake } from '../yaml/document.ts';
import { isJsonObject, type Json, isList } from '../../lib/json.ts';
import { type CompileContext, reportAt, reportAtKey } from '../compile/context.ts';
import { suggestion } from '../../lib/suggest.ts';

type Report = Pick<CompileContext, 'report'>;
type Kind = 'schema' | 'schemas' | 'map' | 'pattern' | 'types' | 'texts' | 'list' | 'number' | 'count' | 'flag' | 'any';

/** The keywords of draft-07 that a suite may use, and what their value is. References have no use in schemas this small. */
export const schemaKeywords: ReadonlyMap<string, Kind> = new Map([
  ...kind('schema', 'not if then else contains propertyNames items additionalItems additionalProperties'),
  ...kind('schemas', 'allOf anyOf oneOf'),
  ...kind('map', 'properties patternProperties'),
  ...kind('pattern', 'pattern'),
  ...kind('types', 'type'),
  ...kind('texts', 'required'),
  ...kind('list', 'enum'),
  ...kind('number', 'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf'),
  ...kind('count', 'minLength maxLength minItems maxItems minProperties maxProperties'),
  ...kind('flag', 'uniqueItems'),
  ...kind('any', 'const title description $comment'),
]);

function kind(value: Kind, names: string): readonly (readonly [string, Kind])[] {
  return names.split(' ').map((name) => [name, value] as const);
}

const types = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

/** What a keyword's value must be, where that is more than "a schema". */
const values: Readonly<Partial<Record<Kind, { readonly words: string; readonly fits: (value: Json) => boolean }>>> = {
  schemas: { words: 'a list of schemas', fits: (value) => isList(value) && value.length > 0 },
  map: { words: 'a mapping of names to schemas', fits: isJsonObject },
  pattern: { words: 'a regular expression', fits: isPattern },
  types: {
    words: `one of ${types.join(', ')}, or a list of them`,
    fits: (value) => (isList(value) ? value : [value]).every((type) => types.some((known) => known === type)),
  },
  texts: {
    words: 'a list of names',
    fits: (value) => isList(value) && value.every((item) => typeof item === 'string'),
  },
  list: { words: 'a list of values', fits: (value) => isList(value) && value.length > 0 },
  number: { words: 'a number', fits: (value) => typeof value === 'number' },
  count: { words: 'a whole number', fits: (value) => Number.isInteger(value) && Number(value) >= 0 },
  flag: { words: 'true or false', fits: (value) => typeof value === 'boolean' },
};

function isPattern(value: Json): boolean {
  try {
    return typeof value === 'string' && new RegExp(value, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

/** Checks a JSON Schema that a suite holds, without compiling it; false where something was reported. */
export function checkObservationSchema(cursor: Cursor, context: Report): boolean {
  const { value } = cursor;
  if (typeof value === 'boolean') return true;
  if (isJsonObject(value))
    return entries(cursor)
      .map(([name, at]) => checkKeyword(name, at, context))
      .every(Boolean);
  return refuse(cursor, context, {
    code: 'wrong-type',
    message: `a JSON Schema is a mapping, not ${describeValue(value)}`,
  });
}

function checkKeyword(name: string, cursor: Cursor, context: Report): boolean {
  const meant = schemaKeywords.get(name);
  if (meant === undefined) {
    const message = `"${name}" is not a keyword of JSON Schema that suites may use`;
    reportAtKey(cursor, context, { code: 'unknown-key', message, hint: suggestion(name, schemaKeywords.keys()) });
    return false;
  }
  const asked = values[meant];
  if (asked !== undefined && !asked.fits(cursor.value ?? null)) {
    const message = `"${name}" must be ${asked.words}, not ${describeValue(cursor.value)}`;
    return refuse(cursor, context, { code: 'bad-value', message });
  }
  const inside = schemasIn(meant, cursor);
  if (inside.length > 0) return inside.map((schema) => checkObservationSchema(schema, context)).every(Boolean);
  if (meant === 'schema' || meant === 'map' || !JSON.stringify(cursor.value ?? null).includes('{{')) return true;
  return refuse(cursor, context, {
    code: 'bad-template',
    message: 'templates are not read inside a JSON Schema',
    hint: 'compare with equals: { path: value }',
  });
}

function schemasIn(meant: Kind, cursor: Cursor): readonly Cursor[] {
  if (meant === 'map') return entries(cursor).map(([, schema]) => schema);
  if (meant === 'schemas' || (meant === 'schema' && isList(cursor.value))) return items(cursor);
  return meant === 'schema' ? [cursor] : [];
}

function refuse(cursor: Cursor, context: Report, wrong: Omit<Mistake, 'position'>): false {
  reportAt(cursor, context, wrong);
  return false;
}
