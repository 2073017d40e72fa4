import { readFileSync } from 'node:fs';
import { serverInitiated } from '../interfaces/server-initiated/interface.ts';
import { loadLimits } from '../suite/load-limits.ts';
import { packFacts } from '../suite/compile/facts.ts';
import { loadSuites } from '../suite/load.ts';
import { recordParsed } from '../suite/yaml/prepared.ts';
import { tamperNames } from '../wire/build/tamper.ts';
import { isJsonObject, parseJson } from '../lib/json.ts';
import { writePacked } from '../lib/packed.ts';
import { readExploration } from './read.ts';
import { writeValidators } from './write-validators.ts';
import { packageRoot, preparedSuites, shippedSuites, shownFaults } from './paths.ts';

// A step of the build: the shipped suites, parsed and checked. A file that is edited afterwards is read as ever.
const { parse, packed } = recordParsed();
const { suites, problems } = await loadSuites({
  tampers: tamperNames,
  prepared: { parse, facts: undefined },
  dirs: [shippedSuites],
  faults: undefined,
  interface: serverInitiated,
});
readExploration(parse);
const limits = loadLimits({ tampers: tamperNames, parse, dir: shippedSuites, difference: serverInitiated.difference });
const areMistaken = problems.length + limits.problems.length > 0;
writePacked(preparedSuites, areMistaken ? {} : packed(packFacts(suites)));

writePacked(shownFaults, readShown(`${packageRoot}/fixtures/prove/matrix.json`));

await writeValidators(suites);

/** The ids of the cases that a golden matrix has red with each fault. `jti-never-kept@a` is the same fault on a drawn carrier. */
function readShown(file: string): Readonly<Record<string, readonly string[]>> {
  const matrix = parseJson(readFileSync(file, 'utf8'));
  const rows = isJsonObject(matrix) && isJsonObject(matrix['rows']) ? matrix['rows'] : {};
  const found = new Map<string, readonly string[]>();
  for (const [row, value] of Object.entries(rows)) {
    const name = row.replace(/@.*$/s, '');
    const red = isJsonObject(value) && Array.isArray(value['red']) ? value['red'].map(String) : [];
    found.set(name, [...new Set([...(found.get(name) ?? []), ...red])]);
  }
  return Object.fromEntries(found);
}
