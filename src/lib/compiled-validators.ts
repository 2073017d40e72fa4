import { mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import type { ValidateFunction } from 'ajv';
import equal from 'ajv/dist/runtime/equal.js';
import ucs2length from 'ajv/dist/runtime/ucs2length.js';
import { packageFile } from './package-file.ts';
import { readPacked, writePacked } from './packed.ts';

const folder = fileURLToPath(packageFile('dist/validators/'));
const small = 'small';

/** Longer code has a file of its own. Characters. */
const longest = 100_000;

const fileOf = (key: string): string => `${folder}${key}.json.br`;

/** Writes the code of validators, by their keys: of long ones a file each, of all others one. */
export function writeCompiled(codes: ReadonlyMap<string, string>): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const isLong = ([, code]: readonly [string, string]): boolean => code.length > longest;
  const all = [...codes];
  for (const [key, code] of all.filter(isLong)) writePacked(fileOf(key), code);
  writePacked(fileOf(small), Object.fromEntries(all.filter((one) => !isLong(one))));
}

/** A CommonJS module with a default, as `require` has it: who imports it may be given the default alone. */
const required = (imported: object): object => ('default' in imported ? imported : { default: imported });

/** What the code of a validator asks ajv for. */
const helpers: Readonly<Record<string, unknown>> = {
  'ajv/dist/runtime/equal': required(equal),
  'ajv/dist/runtime/ucs2length': required(ucs2length),
};

function needHelper(id: string): unknown {
  if (!Object.hasOwn(helpers, id)) throw new Error(`the code of a validator asks for ${id}`);
  return helpers[id];
}

let smallOnes: unknown;

function codeOf(key: string): unknown {
  smallOnes ??= readPacked(fileOf(small)) ?? {};
  const isSmall = typeof smallOnes === 'object' && smallOnes !== null && Object.hasOwn(smallOnes, key);
  return isSmall ? Object.getOwnPropertyDescriptor(smallOnes, key)?.value : readPacked(fileOf(key));
}

/** What the build has made of a schema; nothing where it has not seen it. */
export function compiledOf(key: string): ValidateFunction | undefined {
  const code = codeOf(key);
  if (typeof code !== 'string') return undefined;
  const made: { exports?: ValidateFunction } = {};
  // What the build has written is a module, as Node would have it.
  const load = compileFunction(code, ['module', 'require']) as (
    module: typeof made,
    require: typeof needHelper,
  ) => void;
  load(made, needHelper);
  return made.exports;
}
