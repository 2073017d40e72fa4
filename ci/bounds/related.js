import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Tests that take minutes, or need what `npm ci` does not install. */
const stages = /\.(?:browser|extra|prove|nightly|golden|space|soak)\.test\.ts$/;

/** Helpers of tests that load the program from dist, by a computed name. */
const programs = { 'src/testing/program/run-cli.ts': 'src/cli/main.ts' };

/** Relative paths in imports that load a module when the file runs; types are erased. */
const imports = /^(?:import|export) (?!type\b)[^;]*?from '(\.[^']+)'|^import '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm;

const roomOf = (file) => file.split('/')[1];

/** For each file of src, the files that import it. */
export function findImporters(root) {
  const importers = {};
  for (const name of readdirSync(join(root, 'src'), { recursive: true })) {
    const file = join('src', name);
    if (!file.endsWith('.ts') || stages.test(file)) continue;
    const found = readFileSync(join(root, file), 'utf8').matchAll(imports);
    const loaded = [...found].map(([, ...paths]) => join(dirname(file), paths.find((path) => path !== undefined)));
    if (Object.hasOwn(programs, file)) loaded.push(programs[file]);
    for (const other of loaded) (importers[other] ??= []).push(file);
  }
  return importers;
}

/**
 * Test files that load a module, the nearest first: beside it, those that import it, those of its folder, those of its room, and the
 * rest, each by the number of imports between.
 */
export function testsOf(file, importers) {
  const distances = { [file]: 0 };
  const queue = [file];
  for (const next of queue) {
    for (const importer of importers[next] ?? []) {
      if (Object.hasOwn(distances, importer)) continue;
      distances[importer] = distances[next] + 1;
      queue.push(importer);
    }
  }
  const placeOf = (test) => {
    const distance = distances[test];
    if (test === file.replace(/\.ts$/, '.test.ts')) return 0;
    if (distance === 1) return 1;
    if (dirname(test) === dirname(file)) return 100 + distance;
    return (roomOf(test) === roomOf(file) ? 200 : 300) + distance;
  };
  return queue.filter((name) => name.endsWith('.test.ts')).toSorted((one, other) => placeOf(one) - placeOf(other));
}
