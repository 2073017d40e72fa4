import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type JsonObject } from '../lib/json.ts';
import { parseYaml } from '../suite/yaml/document.ts';
import { findLiterals, literalsOf, renderLiteral } from './fixture-literals.ts';
import { packageRoot, referenceFolder } from './paths.ts';

function read(file: string): JsonObject {
  const { json } = parseYaml(readFileSync(file, 'utf8'), file);
  if (!isJsonObject(json)) throw new Error(`${file} is no mapping`);
  return json;
}

/** Every place of suites/ that names a value of the reference carrier, as a line of text (P7). */
export function literalsInSuites(): readonly string[] {
  const literals = literalsOf(read(`${referenceFolder}/registrations.json`), read(`${referenceFolder}/carrier.yaml`));
  return readdirSync(join(packageRoot, 'suites'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml'))
    .toSorted()
    .flatMap((name) => {
      const text = readFileSync(join(packageRoot, 'suites', name), 'utf8');
      return findLiterals(text, literals).map((found) => renderLiteral(`suites/${name}`, found));
    });
}
