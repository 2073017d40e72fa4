import { isJsonObject, type Json, isList, copyJson } from '../../lib/json.ts';
import { describeSchemaWords, describeKeyword } from '../../lib/schema-words.ts';
import { suggestKnown } from '../../lib/suggestion.ts';
import { truncateText } from '../../lib/truncation.ts';
import { isPrecompiled, validatorFor } from '../../lib/validator.ts';
import { type SchemaCheck, type SchemaMismatch, UnjudgedValue } from '../../model/suite.ts';
import { type CompileContext, reportAt, reportAtKey } from '../context.ts';
import { describeWrongValue } from '../grammar/describe-schema.ts';
import { type Cursor, entries, items, type Mistake } from '../yaml/document.ts';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { createContext, Script } from 'node:vm';

type SchemaReport = Pick<CompileContext, 'report'>;
type KeywordKind =
  | 'schema'
  | 'schemas'
  | 'map'
  | 'pattern'
  | 'types'
  | 'texts'
  | 'list'
  | 'number'
  | 'count'
  | 'flag'
  | 'any';

/** Keywords of draft-07 that a suite may use, and the kind of their value. References are useless in schemas this small. */
export const schemaKeywords: ReadonlyMap<string, KeywordKind> = new Map([
  ...listKind('schema', 'not if then else contains propertyNames items additionalItems additionalProperties'),
  ...listKind('schemas', 'allOf anyOf oneOf'),
  ...listKind('map', 'properties patternProperties'),
  ...listKind('pattern', 'pattern'),
  ...listKind('types', 'type'),
  ...listKind('texts', 'required'),
  ...listKind('list', 'enum'),
  ...listKind('number', 'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf'),
  ...listKind('count', 'minLength maxLength minItems maxItems minProperties maxProperties'),
  ...listKind('flag', 'uniqueItems'),
  ...listKind('any', 'const title description $comment'),
]);

function listKind(value: KeywordKind, names: string): readonly (readonly [string, KeywordKind])[] {
  return names.split(' ').map((name) => [name, value] as const);
}

const schemaTypeNames = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

/** Allowed values by kind, except for plain schemas. */
const valueForms: Readonly<
  Partial<Record<KeywordKind, { readonly words: string; readonly fits: (value: Json) => boolean }>>
> = {
  schemas: { words: 'a list of schemas', fits: (value) => isList(value) && value.length > 0 },
  map: { words: 'a mapping of names to schemas', fits: isJsonObject },
  pattern: { words: 'a regular expression', fits: isPattern },
  types: {
    words: `one of ${schemaTypeNames.join(', ')}, or a list of them`,
    fits: (value) => (isList(value) ? value : [value]).every((type) => schemaTypeNames.some((known) => known === type)),
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

/** Checks a suite's JSON Schema without compiling it; false if it reported a problem. */
export function checkObservationSchema(cursor: Cursor, context: SchemaReport): boolean {
  const { value } = cursor;
  if (typeof value === 'boolean') return true;
  if (isJsonObject(value))
    return entries(cursor)
      .map(([name, at]) => checkKeyword(name, at, context))
      .every(Boolean);
  return reportKeyword(cursor, context, {
    code: 'wrong-type',
    message: `a JSON Schema is a mapping, not ${describeWrongValue(value)}`,
  });
}

function checkKeyword(name: string, cursor: Cursor, context: SchemaReport): boolean {
  const meant = schemaKeywords.get(name);
  if (meant === undefined) {
    const message = `"${name}" is not a keyword of JSON Schema that suites may use`;
    reportAtKey(cursor, context, { code: 'unknown-key', message, hint: suggestKnown(name, schemaKeywords.keys()) });
    return false;
  }
  const asked = valueForms[meant];
  if (asked !== undefined && !asked.fits(cursor.value ?? null)) {
    const message = `"${name}" must be ${asked.words}, not ${describeWrongValue(cursor.value)}`;
    return reportKeyword(cursor, context, { code: 'bad-value', message });
  }
  const inside = listSubschemas(meant, cursor);
  if (inside.length > 0) return inside.map((schema) => checkObservationSchema(schema, context)).every(Boolean);
  if (meant === 'schema' || meant === 'map' || !JSON.stringify(cursor.value ?? null).includes('{{')) return true;
  return reportKeyword(cursor, context, {
    code: 'bad-template',
    message: 'templates are not read inside a JSON Schema',
    hint: 'compare with equals: { path: value }',
  });
}

function listSubschemas(meant: KeywordKind, cursor: Cursor): readonly Cursor[] {
  if (meant === 'map') return entries(cursor).map(([, schema]) => schema);
  if (meant === 'schemas' || (meant === 'schema' && isList(cursor.value))) return items(cursor);
  return meant === 'schema' ? [cursor] : [];
}

function reportKeyword(cursor: Cursor, context: SchemaReport, wrong: Omit<Mistake, 'position'>): false {
  reportAt(cursor, context, wrong);
  return false;
}

/** Time limit in milliseconds for a schema with patterns that the build has not seen: a user's pattern may not run in linear time. */
const maxMatchMilliseconds = 1000;
const maxMismatches = 10;
const maxJsonLength = 200;
const maxStringLength = 2000;

const checksBySchema = new Map<string, SchemaCheck>();
const ajvOptions = { strict: true, strictTypes: false, strictRequired: false, allErrors: true, verbose: true } as const;

/** Checks against a JSON Schema (draft-07), compiled on first use. Equal schemas share one check. */
export function createSchemaCheck(schema: Json): SchemaCheck {
  const key = JSON.stringify(schema);
  const known = checksBySchema.get(key);
  if (known !== undefined) return known;
  let validate: Validate | undefined;
  const check: SchemaCheck = {
    schema,
    mismatches: (value) => {
      validate ??= compileObservationSchema(schema);
      return validate(value)
        ? []
        : dropRedundant(validate.errors ?? [])
            .slice(0, maxMismatches)
            .map(toMismatch);
    },
  };
  checksBySchema.set(key, check);
  return check;
}

type Validate = Pick<ValidateFunction, 'errors'> & ((value: unknown) => unknown);

function compileObservationSchema(schema: Json): Validate {
  const source = {
    dialect: 'draft-07',
    options: ajvOptions,
    schema: isJsonObject(schema) || typeof schema === 'boolean' ? schema : false,
  } as const;
  const validate = validatorFor(source);
  return /"pattern(?:Properties)?":/.test(JSON.stringify(schema)) && !isPrecompiled(source)
    ? limitTime(validate)
    : validate;
}

/** The error comes from another context, so it is not an instance of our Error. */
const isTimeout = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';

const sandbox = createContext({});
const sandboxScript = new Script('judge()');

/** Sizes of the values at which a pattern took too long, in characters of JSON, by validator. */
const slowValues = new Map<Validate, number>();

/** Tries schemas again that took too long in an earlier run of this process. */
export const retrySlowSchemas = (): void => slowValues.clear();

const slowPattern = (characters: number): UnjudgedValue =>
  new UnjudgedValue(
    `a pattern in it took longer than ${maxMatchMilliseconds / 1000} s on ${characters} characters, so the run does not try it again`,
  );

/** Limits a validator to `maxMatchMilliseconds`, once in a run: it then throws UnjudgedValue, at once from the second time on. */
function limitTime(validate: ValidateFunction): Validate {
  const limited: Validate = (value) => {
    const before = slowValues.get(limited);
    if (before !== undefined) throw slowPattern(before);
    let fits: unknown;
    sandbox['judge'] = (): void => {
      fits = validate(value);
    };
    try {
      sandboxScript.runInContext(sandbox, { timeout: maxMatchMilliseconds });
    } catch (error) {
      if (!isTimeout(error)) throw error;
      const characters = JSON.stringify(value).length;
      slowValues.set(limited, characters);
      throw slowPattern(characters);
    }
    limited.errors = validate.errors ?? null;
    return fits;
  };
  return limited;
}

/** Compiles every schema read so far, for a build that stores the validators. */
export function compileSchemas(): void {
  for (const { mismatches } of checksBySchema.values()) mismatches(null);
}

/** Keywords whose errors only repeat those of their subschemas. */
const redundantKeywords = new Set(['if', 'allOf', 'propertyNames']);
/** Keywords whose errors suffice; the errors of their subschemas concern single branches. */
const branchingKeywords = ['anyOf', 'oneOf', 'contains', 'not'];

/** Drops redundant errors. */
function dropRedundant(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const branches = errors
    .filter(({ keyword }) => branchingKeywords.includes(keyword))
    .map(({ schemaPath }) => `${schemaPath}/`);
  const isInside = ({ schemaPath }: ErrorObject): boolean => branches.some((branch) => schemaPath.startsWith(branch));
  return errors.filter((error) => !redundantKeywords.has(error.keyword) && !isInside(error));
}

const readParam = (params: ErrorObject['params'], key: string): string => {
  const name: unknown = params[key];
  return typeof name === 'string' ? name : '';
};

const pointerStep = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Mismatch of a missing member, at the member's own path and with its expected value. */
function missingMember({ instancePath, params, parentSchema }: ErrorObject): SchemaMismatch {
  const name = readParam(params, 'missingProperty');
  const properties: unknown = parentSchema?.['properties'];
  const schema = isJsonObject(properties) ? properties[name] : undefined;
  const message = schema === undefined ? 'there' : describeSchemaWords(schema);
  return { path: instancePath + pointerStep(name), message, actual: null };
}

function toMismatch(error: ErrorObject): SchemaMismatch {
  const { instancePath, schema, parentSchema, data, keyword, params } = error;
  if (keyword === 'required') return missingMember(error);
  if (keyword === 'additionalProperties') {
    const name = readParam(params, 'additionalProperty');
    const actual = isJsonObject(data) ? (data[name] ?? null) : null;
    return {
      path: instancePath + pointerStep(name),
      message: 'absent',
      actual: shortenValue(copyJson(actual) ?? null),
    };
  }
  const around = copyJson(parentSchema);
  const asked = describeKeyword(keyword, copyJson(schema) ?? null, isJsonObject(around) ? around : {});
  return { path: instancePath, message: asked ?? `as ${keyword} has it`, actual: shortenValue(copyJson(data) ?? null) };
}

/** Shortens a value for a report. Strings get a higher limit than other values. */
function shortenValue(value: Json): Json {
  if (typeof value === 'string') return truncateText(value, maxStringLength);
  if (value === null || typeof value !== 'object') return value;
  const written = JSON.stringify(value);
  return written.length > maxJsonLength ? truncateText(written, maxJsonLength) : value;
}
