import { readFileSync } from 'node:fs';
import standalone from 'ajv/dist/standalone/index.js';
import { minify } from 'rolldown/utils';
import { manifestValidator } from '../certificate/verify.ts';
import { serverInitiated } from '../interfaces/server-initiated/interface.ts';
import { partValidator, resultPartNames } from '../journal/schema.ts';
import { isJsonObject, parseJson } from '../lib/json.ts';
import { writePacked } from '../lib/package-file.ts';
import { openAjv, requestedSources, type SchemaSource, writeCompiled } from '../lib/validator.ts';
import { compileSchemas } from '../suite/expectations/schema-check.ts';
import { compileSchema } from '../suite/grammar/check-schema.ts';
import { loadSuiteFolders } from '../suite/load.ts';
import { loadLimits } from '../suite/load-limits.ts';
import { packFacts, recordParsed } from '../suite/prepared-files.ts';
import { suiteSchemas } from '../suite/schemas.ts';
import type { Suites } from '../suite/suites.ts';
import { targetSchemas } from '../target/schemas.ts';
import { tamperNames } from '../wire/build/tamper.ts';
import { goldenMatrix, packageRoot, preparedSuites, shippedSuites } from './paths.ts';

/** Minified code of a validator, as a module; it ships in the package. */
async function standaloneCode(source: SchemaSource): Promise<string> {
  const { options } = source;
  const ajv = openAjv({ ...source, options: { ...options, code: { ...options.code, optimize: true, source: true } } });
  const { code, errors } = await minify('validator.cjs', standalone.default(ajv, ajv.compile(source.schema)));
  if (errors.length > 0) throw new Error(`the code of a validator cannot be read: ${errors[0]?.message}`);
  return code;
}

function requestValidators({ cases, invariants }: Suites): void {
  for (const schema of Object.values({ ...suiteSchemas(serverInitiated), ...targetSchemas(serverInitiated) })) {
    // The validator that stops at the first mistake is only for huge files, so it is not built.
    compileSchema(schema, true);
  }
  for (const name of resultPartNames) partValidator(name);
  manifestValidator();
  // Reading the steps of a case compiles them and their schemas.
  for (const { steps } of cases) for (const { expectations } of steps) expectations.at(-1);
  for (const { expectations } of invariants) expectations.at(-1);
  compileSchemas();
}

/** Build step: writes the code of the validators for all shipped schemas, so that no run compiles them. */
async function writeValidators(suites: Suites): Promise<void> {
  requestValidators(suites);
  const codes = new Map<string, string>();
  for (const [key, source] of requestedSources) codes.set(key, await standaloneCode(source));
  writeCompiled(codes);
}

// Build step: parses and checks the shipped suites. A file edited afterwards is parsed as usual.
const { parse, packed } = recordParsed();
const { suites, problems, warnings } = await loadSuiteFolders({
  tampers: tamperNames,
  prepared: { parse, facts: undefined },
  dirs: [shippedSuites],
  interface: serverInitiated,
});
const shippedLimits = loadLimits({
  tampers: tamperNames,
  parse,
  dir: shippedSuites,
  difference: serverInitiated.difference,
});
const hasProblems = problems.length + warnings.length + shippedLimits.problems.length > 0;
writePacked(preparedSuites, hasProblems ? {} : packed(packFacts(suites)));

const proofs = `${packageRoot}/fixtures/prove`;
const matrix = parseJson(readFileSync(`${proofs}/matrix.json`, 'utf8'));
writePacked(goldenMatrix, {
  rows: isJsonObject(matrix) ? matrix['rows'] : {},
  unturned: readFileSync(`${proofs}/unturned.txt`, 'utf8').split('\n'),
});

await writeValidators(suites);
