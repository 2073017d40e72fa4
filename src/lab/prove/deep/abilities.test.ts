import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { requestMembers } from '../../../interfaces/server-initiated/claims.ts';
import { serverInitiated } from '../../../interfaces/server-initiated/interface.ts';
import { packageFile } from '../../../lib/package-file.ts';
import { readSuites } from '../../../setup/read-files.ts';
import { compileGenerated } from '../../../suite/compile/suite.ts';
import { tamperNames } from '../../../wire/build/tamper.ts';
import { serverInitiatedProbes } from '../../exploration/exploration.ts';
import { buildCases } from '../../explore/cases.ts';
import { createGround, keepAllParts, probeKinds } from '../../explore/exploration.ts';
import { workInPlace } from '../carrier-place.ts';

const folder = mkdtempSync(join(tmpdir(), 'abilities-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Ids of the listed cases from which exploration reads the abilities of a target. */
const namedIn = (folder: string, pattern: RegExp): readonly string[] => {
  const files = fileURLToPath(packageFile(folder));
  return readdirSync(files).flatMap((name) =>
    [...readFileSync(join(files, name), 'utf8').matchAll(pattern)].map(([, id]) => id ?? ''),
  );
};
const named = ['src/lab/exploration', 'src/lab/requests'].flatMap((one) => namedIn(one, /\bruns\('([^']+)'\)/g));

const suites = await readSuites([]);
const ground = await workInPlace(folder, (place) =>
  Promise.resolve(createGround({ suites, target: place.prepare(undefined).target }, serverInitiated)),
);

test.each([...new Set(named)])('the reference carrier has what %s needs', (id) => {
  expect(ground.runs(id)).toBe(true);
});

test('a case that nobody has listed does not run', () => {
  expect([ground.runs('no-such-case'), named.length > 3]).toEqual([false, true]);
});

/** Probes of each kind. */
const probesOf = (seed: string, round = 1) =>
  serverInitiatedProbes(ground, {
    seed,
    round,
    requests: { values: 100, sequences: 160, races: 60, windows: 60 },
  });
const madeBy = (seed: string): readonly string[] =>
  probesOf(seed).map((probe) => JSON.stringify([probe.title(keepAllParts(probe)), probe.steps(keepAllParts(probe))]));

test('the drawn probes of each kind are cases of the suite language, whichever round draws them', () => {
  const probes = [1, 2].flatMap((round) => probesOf('cases', round));
  expect(new Set(probes.map(({ kind }) => kind))).toEqual(new Set(probeKinds));
  const { problems } = compileGenerated(
    buildCases(probes, 'made').map(({ json }) => json),
    {
      source: 'test',
      area: 'test',
      tampers: tamperNames,
      verbs: serverInitiated.verbs,
      checks: new Set(Object.keys(serverInitiated.checks)),
    },
  );
  expect(problems).toEqual([]);
});

test('the same seed makes the same probes, and another makes others', () => {
  expect(madeBy('1')).toEqual(madeBy('1'));
  expect(madeBy('2')).not.toEqual(madeBy('1'));
});

/** `decode`, predictions and explorations use these rules. */
test('the claims name rules of the suites', () => {
  const known = new Set(
    suites.rules.flatMap(({ id, aspects }) => [id, ...aspects.map((aspect) => `${id}#${aspect.id}`)]),
  );
  const rules = requestMembers.flatMap(({ shown = [], known: hanging = [], open = [] }) =>
    [...shown, ...hanging, ...open].map(([rule]) => rule),
  );
  expect(rules.filter((rule) => !known.has(rule))).toEqual([]);
  expect(new Set(requestMembers.map(({ in: part, name }) => `${part}.${name}`)).size).toBe(requestMembers.length);
});
