import { hash } from 'node:crypto';
import { createRequire } from 'node:module';
import type { Ajv, Options, ValidateFunction } from 'ajv';
import { compiledOf } from './compiled-validators.ts';

/** A JSON Schema, and how it is judged. */
export interface SchemaSource {
  readonly dialect: 'draft-07' | '2020-12';
  readonly options: Options;
  readonly schema: object | boolean;
  /** Schemas that it refers to, by their ids. */
  readonly known?: Readonly<Record<string, object>>;
}

const require = createRequire(import.meta.url);

const keyOf = (source: SchemaSource): string => hash('sha256', JSON.stringify(source), 'base64url');

type Draft07 = typeof import('ajv');
type Draft2020 = typeof import('ajv/dist/2020.js');

/** The class for a dialect; ajv is loaded for schemas that the build has not seen. */
function compilerFor(dialect: SchemaSource['dialect']): new (options: Options) => Ajv {
  if (dialect === '2020-12') return (require('ajv/dist/2020.js') as Draft2020).Ajv2020;
  return (require('ajv') as Draft07).Ajv;
}

/** A compiler of schemas, with those that a source refers to. */
export function openAjv({ dialect, options, known = {} }: SchemaSource): Ajv {
  const Compiler = compilerFor(dialect);
  const ajv = new Compiler(options);
  for (const [id, schema] of Object.entries(known)) ajv.addSchema(schema, id);
  return ajv;
}

const seen = new Map<string, SchemaSource>();

/** Every schema that this process has asked a validator for, by its key: what a build compiles. */
export const seenSchemas: ReadonlyMap<string, SchemaSource> = seen;

/** Whether the build has compiled the schema; its patterns are then among those of `npm run regexps`. */
export const isBuilt = (source: SchemaSource): boolean => compiledOf(keyOf(source)) !== undefined;

/** The validator of a schema: code that the build has written, else compiled now. */
export function validatorFor<T = unknown>(source: SchemaSource): ValidateFunction<T> {
  const key = keyOf(source);
  seen.set(key, source);
  const found = compiledOf(key) ?? openAjv(source).compile(source.schema);
  // The caller knows what its schema says of a value.
  return found as ValidateFunction<T>;
}
