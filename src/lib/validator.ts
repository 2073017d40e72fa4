import { hash } from 'node:crypto';
import { createRequire } from 'node:module';
import type { Ajv, Options, ValidateFunction } from 'ajv';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import equal from 'ajv/dist/runtime/equal.js';
import ucs2length from 'ajv/dist/runtime/ucs2length.js';
import { emptyPackageFolder, packageFile, readPacked, writePacked } from './package-file.ts';

const validatorFolder = fileURLToPath(packageFile('dist/validators/'));
const smallFileKey = 'small';

/** Characters above which a validator's code gets its own file. */
const maxSharedCode = 100_000;

const validatorFile = (key: string): string => `${validatorFolder}${key}.json.br`;

/** Writes the code of validators by key: each long one to its own file, the others to one file. */
export function writeCompiled(codes: ReadonlyMap<string, string>): void {
  emptyPackageFolder(validatorFolder);
  const isLong = ([, code]: readonly [string, string]): boolean => code.length > maxSharedCode;
  const all = [...codes];
  for (const [key, code] of all.filter(isLong)) writePacked(validatorFile(key), code);
  writePacked(validatorFile(smallFileKey), Object.fromEntries(all.filter((one) => !isLong(one))));
}

/** Gives an import the shape that `require` returns, because an import of CommonJS may be the default export alone. */
const asRequired = (imported: object): object => ('default' in imported ? imported : { default: imported });

/** Modules that the code of a validator requires. */
const runtimeHelpers: Readonly<Record<string, unknown>> = {
  'ajv/dist/runtime/equal': asRequired(equal),
  'ajv/dist/runtime/ucs2length': asRequired(ucs2length),
};

function requireHelper(id: string): unknown {
  if (!Object.hasOwn(runtimeHelpers, id)) throw new Error(`the code of a validator asks for ${id}`);
  return runtimeHelpers[id];
}

let smallValidators: unknown;

function validatorCode(key: string): unknown {
  smallValidators ??= readPacked(validatorFile(smallFileKey)) ?? {};
  const isSmall =
    typeof smallValidators === 'object' && smallValidators !== null && Object.hasOwn(smallValidators, key);
  return isSmall ? Object.getOwnPropertyDescriptor(smallValidators, key)?.value : readPacked(validatorFile(key));
}

/** Loads the validator that the build compiled; undefined if it has not seen the schema. */
function loadCompiled(key: string): ValidateFunction | undefined {
  const code = validatorCode(key);
  if (typeof code !== 'string') return undefined;
  const made: { exports?: ValidateFunction } = {};
  // The build wrote a CommonJS module.
  const load = compileFunction(code, ['module', 'require']) as (
    module: typeof made,
    require: typeof requireHelper,
  ) => void;
  load(made, requireHelper);
  return made.exports;
}

export interface SchemaSource {
  readonly dialect: 'draft-07' | '2020-12';
  readonly options: Options;
  readonly schema: object | boolean;
  /** Referenced schemas, by id. */
  readonly known?: Readonly<Record<string, object>>;
}

const require = createRequire(import.meta.url);

const schemaKey = (source: SchemaSource): string => hash('sha256', JSON.stringify(source), 'base64url');

type Draft07 = typeof import('ajv');
type Draft2020 = typeof import('ajv/dist/2020.js');

/** Ajv class for a dialect. It is loaded only for a schema that the build has not seen. */
function compilerFor(dialect: SchemaSource['dialect']): new (options: Options) => Ajv {
  if (dialect === '2020-12') return (require('ajv/dist/2020.js') as Draft2020).Ajv2020;
  return (require('ajv') as Draft07).Ajv;
}

export function openAjv({ dialect, options, known = {} }: SchemaSource): Ajv {
  const Compiler = compilerFor(dialect);
  const ajv = new Compiler(options);
  for (const [id, schema] of Object.entries(known)) ajv.addSchema(schema, id);
  return ajv;
}

const requestedSchemas = new Map<string, SchemaSource>();

/** Every schema for which this process has requested a validator, by key; a build compiles them. */
export const requestedSources: ReadonlyMap<string, SchemaSource> = requestedSchemas;

/** Whether the build has compiled the schema, so that `npm run regexps` checks its patterns. */
export const isPrecompiled = (source: SchemaSource): boolean => loadCompiled(schemaKey(source)) !== undefined;

/** Returns the validator that the build compiled, or compiles one now. */
export function validatorFor<T = unknown>(source: SchemaSource): ValidateFunction<T> {
  const key = schemaKey(source);
  requestedSchemas.set(key, source);
  const found = loadCompiled(key) ?? openAjv(source).compile(source.schema);
  // The caller knows what its schema says of a value.
  return found as ValidateFunction<T>;
}
