import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import standalone from 'ajv/dist/standalone/index.js';
import { shape } from '../certificate/verify.ts';
import { serverInitiated } from '../interfaces/server-initiated/interface.ts';
import { parts, validatorOfPart } from '../journal/schema.ts';
import { compiledFile, openAjv, type SchemaSource, seenSchemas } from '../lib/validator.ts';
import { compileAll } from '../suite/expectations/schema-check.ts';
import { compileSchema } from '../suite/grammar/check-schema.ts';
import { suiteSchemas } from '../suite/grammar/schemas.ts';
import type { Suites } from '../suite/suites.ts';
import { targetSchemas } from '../target/grammar/schemas.ts';

/** The code of a validator, as a module. */
function codeOf(source: SchemaSource): string {
  const { options } = source;
  const ajv = openAjv({ ...source, options: { ...options, code: { ...options.code, source: true } } });
  return standalone.default(ajv, ajv.compile(source.schema));
}

/** Asks for the validator of every schema of ours. */
function askForAll({ cases, invariants }: Suites): void {
  for (const schema of Object.values({ ...suiteSchemas(serverInitiated), ...targetSchemas(serverInitiated) })) {
    for (const allErrors of [true, false]) compileSchema(schema, allErrors);
  }
  for (const name of parts) validatorOfPart(name);
  shape();
  // The steps of a case are compiled when they are looked at, and its schemas with them.
  for (const { steps } of cases) for (const { expectations } of steps) expectations.at(-1);
  for (const { expectations } of invariants) expectations.at(-1);
  compileAll();
}

/** A step of the build: validators of all schemas that ship, as code, so that no run has to make it. */
export function writeValidators(suites: Suites): void {
  askForAll(suites);
  const folder = dirname(compiledFile('any'));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [key, source] of seenSchemas) writeFileSync(compiledFile(key), codeOf(source));
}
