import { createContext, Script } from 'node:vm';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { copyJson, isJsonObject, type Json } from '../../lib/json.ts';
import type { SchemaCheck, SchemaMismatch } from '../../model/suite.ts';
import { MissingValue } from '../../model/template.ts';
import { describeExpected, describeKeyword } from '../../lib/schema-words.ts';
import { isBuilt, validatorFor } from '../../lib/validator.ts';

/** Milliseconds for the patterns of one schema that the build has not seen: a suite of a user may have one of more than linear time. */
const longestMatch = 1000;
const mostMismatches = 10;
const longestText = 200;
const longestString = 2000;

const compiled = new Map<string, SchemaCheck>();
const options = { strict: true, strictTypes: false, strictRequired: false, allErrors: true, verbose: true } as const;

/** A JSON Schema (draft-07) that is compiled when it is first used; equal schemas share one. */
export function schemaCheck(schema: Json): SchemaCheck {
  const key = JSON.stringify(schema);
  const known = compiled.get(key);
  if (known !== undefined) return known;
  let validate: Validate | undefined;
  const check: SchemaCheck = {
    schema,
    mismatches: (value) => {
      validate ??= compile(schema);
      return validate(value)
        ? []
        : reported(validate.errors ?? [])
            .slice(0, mostMismatches)
            .map(mismatchOf);
    },
  };
  compiled.set(key, check);
  return check;
}

type Validate = Pick<ValidateFunction, 'errors'> & ((value: unknown) => unknown);

function compile(schema: Json): Validate {
  const source = {
    dialect: 'draft-07',
    options,
    schema: isJsonObject(schema) || typeof schema === 'boolean' ? schema : false,
  } as const;
  const validate = validatorFor(source);
  return /"pattern(?:Properties)?":/.test(JSON.stringify(schema)) && !isBuilt(source) ? inTime(validate) : validate;
}

/** The error is of the room: no Error of ours. */
const isTimeout = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';

const room = createContext({});
const inRoom = new Script('judge()');

/** The same validator, stopped after `longestMatch`: it then throws MissingValue. */
function inTime(validate: ValidateFunction): Validate {
  const limited: Validate = (value) => {
    let fits: unknown;
    room['judge'] = (): void => {
      fits = validate(value);
    };
    try {
      inRoom.runInContext(room, { timeout: longestMatch });
    } catch (error) {
      if (!isTimeout(error)) throw error;
      throw new MissingValue(`result of this schema after ${longestMatch} ms: a pattern in it takes too long here`);
    }
    limited.errors = validate.errors ?? null;
    return fits;
  };
  return limited;
}

/** Compiles every schema that was read so far, for a build that keeps what came of them. */
export function compileAll(): void {
  for (const { mismatches } of compiled.values()) mismatches(null);
}

/** Keywords whose error repeats what the errors of the schemas inside say. */
const repeating = new Set(['if', 'allOf', 'propertyNames']);
/** Keywords whose error says all; those of the schemas inside are about single branches. */
const branching = ['anyOf', 'oneOf', 'contains', 'not'];

/** The errors that say something of their own. */
function reported(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const branches = errors
    .filter(({ keyword }) => branching.includes(keyword))
    .map(({ schemaPath }) => `${schemaPath}/`);
  const isInside = ({ schemaPath }: ErrorObject): boolean => branches.some((branch) => schemaPath.startsWith(branch));
  return errors.filter((error) => !repeating.has(error.keyword) && !isInside(error));
}

const nameIn = (params: ErrorObject['params'], key: string): string => {
  const name: unknown = params[key];
  return typeof name === 'string' ? name : '';
};

const pointer = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** A member that is missing: the mismatch is at its place, and says what was asked of it. */
function missingMember({ instancePath, params, parentSchema }: ErrorObject): SchemaMismatch {
  const name = nameIn(params, 'missingProperty');
  const properties: unknown = parentSchema?.['properties'];
  const schema = isJsonObject(properties) ? properties[name] : undefined;
  const message = schema === undefined ? 'there' : describeExpected(schema);
  return { path: instancePath + pointer(name), message, actual: null };
}

function mismatchOf(error: ErrorObject): SchemaMismatch {
  const { instancePath, schema, parentSchema, data, keyword, params } = error;
  if (keyword === 'required') return missingMember(error);
  if (keyword === 'additionalProperties') {
    const name = nameIn(params, 'additionalProperty');
    const actual = isJsonObject(data) ? (data[name] ?? null) : null;
    return { path: instancePath + pointer(name), message: 'absent', actual: cut(copyJson(actual) ?? null) };
  }
  const around = copyJson(parentSchema);
  const asked = describeKeyword(keyword, copyJson(schema) ?? null, isJsonObject(around) ? around : {});
  return { path: instancePath, message: asked ?? `as ${keyword} has it`, actual: cut(copyJson(data) ?? null) };
}

/** A value short enough for a report; a text stays whole up to what a body may hold, so that its length can be told. */
function cut(value: Json): Json {
  if (typeof value === 'string') return value.slice(0, longestString);
  if (value === null || typeof value !== 'object') return value;
  const written = JSON.stringify(value);
  return written.length > longestText ? `${written.slice(0, longestText)}...` : value;
}
