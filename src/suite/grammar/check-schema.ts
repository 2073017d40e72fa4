import { onceEach } from '../../lib/lists.ts';
import { describeSchema, describeValue, schemaKeys } from './describe-schema.ts';
import type { ErrorObject, ValidateFunction } from 'ajv';
import type { Json, JsonObject } from '../../lib/json.ts';
import type { Problem } from '../../model/problem.ts';
import { type Grammar, documentSchema } from './grammar.ts';
import type { Mistake, YamlDocument } from '../yaml/document.ts';
import { nearest, suggestion } from '../../lib/suggest.ts';
import { validatorFor } from '../../lib/validator.ts';
import type { Path } from '../yaml/yaml-tree.ts';

/** Validators for a kind of file (draft-07), compiled on first use. */
interface SchemaValidator {
  readonly every: () => ValidateFunction;
  /** Stops at the first mistake. */
  readonly first: () => ValidateFunction;
}

/** Returns the validators of a kind of file, compiled once for each grammar. */
export const grammarValidator = onceEach((file: Grammar<unknown>): SchemaValidator => {
  const schema = documentSchema(file);
  return { every: once(() => compileSchema(schema, true)), first: once(() => compileSchema(schema, false)) };
});

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

// Skips the meta-schema, because a test checks our schemas against it. Optimizing code that runs once does not pay.
export const compileSchema = (schema: JsonObject, allErrors: boolean): ValidateFunction =>
  validatorFor({ dialect: 'draft-07', options: { ...reporting, allErrors }, schema });

const reporting = {
  strict: true,
  strictTypes: false,
  verbose: true,
  validateSchema: false,
  code: { optimize: false },
} as const;

/** Maximum values in a file for which every mistake is reported, because finding all takes quadratic time. */
const mostValues = 20_000;

function isLarge(json: Json): boolean {
  let values = 0;
  const open: Json[] = [json];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const members: readonly Json[] = typeof next === 'object' && next !== null ? Object.values(next) : [];
    values += members.length;
    if (values > mostValues) return true;
    open.push(...members);
  }
  return false;
}

/** Reports every mistake against a schema, or only the first in a large file, each at its key or value. */
export function checkSchema(document: YamlDocument, validator: SchemaValidator): readonly Problem[] {
  const validate = isLarge(document.json) ? validator.first() : validator.every();
  if (validate(document.json)) return [];
  const errors = validate.errors ?? [];
  const misspelt = new Set(errors.flatMap(meantBy));
  return errors.flatMap((error) => {
    if (error.keyword === 'required' && misspelt.has(placeOfKey(error, error.params['missingProperty']))) return [];
    const say = Object.hasOwn(phrases, error.keyword) ? phrases[error.keyword] : undefined;
    if (say === null) return [];
    const path = parsePointer(error.instancePath, document.json);
    if (error.propertyName !== undefined)
      return [document.problem(wrongName(error, error.propertyName, { document, path }))];
    const mistake = (say ?? otherwise)({ error, document, path, name: describeKey(path) });
    return [document.problem(mistake)];
  });
}

const placeOfKey = ({ instancePath }: ErrorObject, key: unknown): string => `${instancePath}\n${String(key)}`;

/** Place of the missing key that an unknown key probably misspells; both are one mistake. */
function meantBy(error: ErrorObject): readonly string[] {
  if (error.keyword !== 'additionalProperties') return [];
  const near = nearest(String(error.params['additionalProperty']), schemaKeys(error.parentSchema));
  return near === undefined ? [] : [placeOfKey(error, near)];
}

interface Failure {
  readonly error: ErrorObject;
  readonly document: YamlDocument;
  readonly path: Path;
  readonly name: string;
}

/** Messages by keyword; null for keywords that only repeat another error. */
const phrases: Readonly<Record<string, ((failure: Failure) => Mistake) | null>> = {
  if: null,
  additionalProperties: unknownKey,
  propertyNames: null,
  required: missingKey,
  type: wrongType,
  enum: describeUnlisted,
  const: describeUnlisted,
  minItems: empty,
  minProperties: empty,
  minLength: empty,
};

function empty({ document, path, name }: Failure): Mistake {
  return { code: 'bad-value', message: `${name} must not be empty`, position: document.position(path) };
}

function wrongName(
  { parentSchema }: ErrorObject,
  name: string,
  { document, path }: Pick<Failure, 'document' | 'path'>,
): Mistake {
  const message = `${describeKey([...path, name])} must be ${describeSchema(parentSchema)}`;
  return { code: 'bad-value', message, position: document.keyPosition([...path, name]) };
}

function unknownKey({ error, document, path }: Failure): Mistake {
  const key = String(error.params['additionalProperty']);
  return {
    code: 'unknown-key',
    message: `unknown key "${key}" in ${describeContainer(error, path)}`,
    position: document.keyPosition([...path, key]),
    hint: suggestion(key, schemaKeys(error.parentSchema)),
  };
}

function missingKey({ error, document, path }: Failure): Mistake {
  const key = String(error.params['missingProperty']);
  return {
    code: 'missing-key',
    message: `missing key "${key}" in ${describeContainer(error, path)}`,
    position: document.position(path),
  };
}

function wrongType({ error, document, path, name }: Failure): Mistake {
  const message = `${name} must be ${describeSchema(error.parentSchema)}, not ${describeValue(error.data)}`;
  return { code: 'wrong-type', message, position: document.position(path) };
}

const otherwise = (failure: Failure): Mistake => ({ ...wrongType(failure), code: 'bad-value' });

function describeUnlisted(failure: Failure): Mistake {
  const { data, schema } = failure.error;
  const allowed: readonly unknown[] = Array.isArray(schema) ? schema : [schema];
  const hint = typeof data === 'string' ? suggestion(data, allowed.map(String)) : undefined;
  return { ...otherwise(failure), hint };
}

/** `"status"`, `entry 2 of "status"`, `the file`. */
function describeKey(path: Path): string {
  const last = path.at(-1);
  if (last === undefined) return 'the file';
  if (typeof last === 'string') return `"${last}"`;
  return `entry ${last + 1} of ${describeKey(path.slice(0, -1))}`;
}

function describeContainer({ parentSchema }: ErrorObject, path: Path): string {
  const title: unknown = parentSchema?.['title'];
  if (typeof title === 'string') return title;
  const last = path.at(-1);
  return typeof last === 'string' ? last : describeKey(path);
}

/** Converts a JSON pointer to a path; list indexes become numbers. */
function parsePointer(pointer: string, json: Json): Path {
  const path: (string | number)[] = [];
  let value: unknown = json;
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    const step = Array.isArray(value) ? Number(name) : name;
    path.push(step);
    value = member(value, step);
  }
  return path;
}

function member(value: unknown, step: string | number): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  const found: unknown = Reflect.get(value, step);
  return found;
}
