import { memoizeByObject, readOnce } from '../../lib/lists.ts';
import { describeAllowed, describeWrongValue, schemaKeyNames } from './describe-schema.ts';
import type { ErrorObject, ValidateFunction } from 'ajv';
import type { Json, JsonObject } from '../../lib/json.ts';
import type { Problem } from '../../model/problem.ts';
import { type Grammar, documentSchema } from './grammar.ts';
import type { Mistake, YamlDocument } from '../yaml/document.ts';
import { nearestName, suggestKnown } from '../../lib/suggestion.ts';
import { validatorFor } from '../../lib/validator.ts';
import type { Path } from '../yaml/yaml-tree.ts';

/** Validators for a kind of file (draft-07), compiled on first use. */
interface SchemaValidator {
  readonly every: () => ValidateFunction;
  /** Stops at the first mistake. */
  readonly first: () => ValidateFunction;
}

/** Returns the validators of a kind of file, compiled once for each grammar. */
export const grammarValidator = memoizeByObject((file: Grammar<unknown>): SchemaValidator => {
  const schema = documentSchema(file);
  return {
    every: readOnce(() => compileSchema(schema, true)),
    first: readOnce(() => compileSchema(schema, false)),
  };
});

// Skips the meta-schema, because a test checks our schemas against it. Optimizing code that runs once does not pay.
export const compileSchema = (schema: JsonObject, allErrors: boolean): ValidateFunction =>
  validatorFor({ dialect: 'draft-07', options: { ...reportingOptions, allErrors }, schema });

const reportingOptions = {
  strict: true,
  strictTypes: false,
  verbose: true,
  validateSchema: false,
  code: { optimize: false },
} as const;

/** Maximum values in a file for which every mistake is reported, because finding all takes quadratic time. */
const maxReportedValues = 20_000;

function isLarge(json: Json): boolean {
  let values = 0;
  const open: Json[] = [json];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const members: readonly Json[] = typeof next === 'object' && next !== null ? Object.values(next) : [];
    values += members.length;
    if (values > maxReportedValues) return true;
    open.push(...members);
  }
  return false;
}

/** Reports every mistake against a schema, or only the first in a large file, each at its key or value. */
export function checkSchema(document: YamlDocument, validator: SchemaValidator): readonly Problem[] {
  const validate = isLarge(document.json) ? validator.first() : validator.every();
  if (validate(document.json)) return [];
  const errors = validate.errors ?? [];
  const misspelt = new Set(errors.flatMap(misspeltKey));
  return errors.flatMap((error) => {
    if (error.keyword === 'required' && misspelt.has(keyId(error, error.params['missingProperty']))) return [];
    const say = Object.hasOwn(keywordDescribers, error.keyword) ? keywordDescribers[error.keyword] : undefined;
    if (say === null) return [];
    const path = parsePointer(error.instancePath, document.json);
    if (error.propertyName !== undefined)
      return [document.problem(describeWrongName(error, error.propertyName, { document, path }))];
    const mistake = (say ?? badValueMistake)({ error, document, path, name: describePath(path) });
    return [document.problem(mistake)];
  });
}

const keyId = ({ instancePath }: ErrorObject, key: unknown): string => `${instancePath}\n${String(key)}`;

/** Place of the missing key that an unknown key probably misspells; both are one mistake. */
function misspeltKey(error: ErrorObject): readonly string[] {
  if (error.keyword !== 'additionalProperties') return [];
  const near = nearestName(String(error.params['additionalProperty']), schemaKeyNames(error.parentSchema));
  return near === undefined ? [] : [keyId(error, near)];
}

interface Failure {
  readonly error: ErrorObject;
  readonly document: YamlDocument;
  readonly path: Path;
  readonly name: string;
}

/** Messages by keyword; null for keywords that only repeat another error. */
const keywordDescribers: Readonly<Record<string, ((failure: Failure) => Mistake) | null>> = {
  if: null,
  additionalProperties: describeUnknownKey,
  propertyNames: null,
  required: describeMissingKey,
  type: describeWrongType,
  enum: describeUnlisted,
  const: describeUnlisted,
  minItems: emptyValue,
  minProperties: emptyValue,
  minLength: emptyValue,
};

function emptyValue({ document, path, name }: Failure): Mistake {
  return { code: 'bad-value', message: `${name} must not be empty`, position: document.position(path) };
}

function describeWrongName(
  { parentSchema }: ErrorObject,
  name: string,
  { document, path }: Pick<Failure, 'document' | 'path'>,
): Mistake {
  const message = `${describePath([...path, name])} must be ${describeAllowed(parentSchema)}`;
  return { code: 'bad-value', message, position: document.keyPosition([...path, name]) };
}

function describeUnknownKey({ error, document, path }: Failure): Mistake {
  const key = String(error.params['additionalProperty']);
  return {
    code: 'unknown-key',
    message: `unknown key "${key}" in ${describeContainer(error, path)}`,
    position: document.keyPosition([...path, key]),
    hint: suggestKnown(key, schemaKeyNames(error.parentSchema)),
  };
}

function describeMissingKey({ error, document, path }: Failure): Mistake {
  const key = String(error.params['missingProperty']);
  return {
    code: 'missing-key',
    message: `missing key "${key}" in ${describeContainer(error, path)}`,
    position: document.position(path),
  };
}

function describeWrongType({ error, document, path, name }: Failure): Mistake {
  const message = `${name} must be ${describeAllowed(error.parentSchema)}, not ${describeWrongValue(error.data)}`;
  return { code: 'wrong-type', message, position: document.position(path) };
}

const badValueMistake = (failure: Failure): Mistake => ({ ...describeWrongType(failure), code: 'bad-value' });

function describeUnlisted(failure: Failure): Mistake {
  const { data, schema } = failure.error;
  const allowed: readonly unknown[] = Array.isArray(schema) ? schema : [schema];
  const hint = typeof data === 'string' ? suggestKnown(data, allowed.map(String)) : undefined;
  return { ...badValueMistake(failure), hint };
}

/** `"status"`, `entry 2 of "status"`, `the file`. */
function describePath(path: Path): string {
  const last = path.at(-1);
  if (last === undefined) return 'the file';
  if (typeof last === 'string') return `"${last}"`;
  return `entry ${last + 1} of ${describePath(path.slice(0, -1))}`;
}

function describeContainer({ parentSchema }: ErrorObject, path: Path): string {
  const title: unknown = parentSchema?.['title'];
  if (typeof title === 'string') return title;
  const last = path.at(-1);
  return typeof last === 'string' ? last : describePath(path);
}

/** Converts a JSON pointer to a path; list indexes become numbers. */
function parsePointer(pointer: string, json: Json): Path {
  const path: (string | number)[] = [];
  let value: unknown = json;
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    const step = Array.isArray(value) ? Number(name) : name;
    path.push(step);
    value = memberAt(value, step);
  }
  return path;
}

function memberAt(value: unknown, step: string | number): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  const found: unknown = Reflect.get(value, step);
  return found;
}
