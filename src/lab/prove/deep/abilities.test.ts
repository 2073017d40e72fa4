import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { buildCases } from '../../explore/cases.ts';
import { createGround, keepAllParts } from '../../explore/exploration.ts';
import { requestMembers } from '../../../interfaces/server-initiated/claims.ts';
import { findAbilities } from '../../exploration/abilities.ts';
import { serverInitiatedProbes } from '../../exploration/exploration.ts';
import { readListRows, rowTexts } from '../../exploration/rows.ts';
import { serverInitiated } from '../../../interfaces/server-initiated/interface.ts';
import { isJsonObject, isList, readMember } from '../../../lib/json.ts';
import { packageFile } from '../../../lib/package-file.ts';
import { readSuites, readWrittenSuites } from '../../../setup/read-files.ts';
import { compileGenerated } from '../../../suite/compile/suite.ts';
import { tamperNames } from '../../../wire/build/tamper.ts';
import { workInPlace } from '../carrier-place.ts';

const folder = mkdtempSync(join(tmpdir(), 'abilities-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Ids of the listed cases from which the exploration's sources read the abilities of a target. */
const namedIn = (folder: string, pattern: RegExp): readonly string[] => {
  const files = fileURLToPath(packageFile(folder));
  return readdirSync(files).flatMap((name) =>
    [...readFileSync(join(files, name), 'utf8').matchAll(pattern)].map(([, id]) => id ?? ''),
  );
};
const named = [
  ...namedIn('src/lab/exploration', /\bruns\('([^']+)'\)/g),
  ...namedIn('suites/exploration', /'case:([^']+)'/g),
];

const suites = await readSuites([]);
const written = await readWrittenSuites([]);
const ground = await workInPlace(folder, (place) =>
  Promise.resolve(createGround({ suites, written, target: place.prepare(undefined).target }, serverInitiated)),
);

test.each([...new Set(named)])('the reference carrier has what %s needs', (id) => {
  expect(ground.runs(id)).toBe(true);
});

test('a case that nobody has listed does not run', () => {
  expect([ground.runs('no-such-case'), named.length > 5]).toEqual([false, true]);
});

describe('the rows of suites/exploration', () => {
  const lists = Object.entries(written.exploration).flatMap(([file, document]) =>
    ['rows', 'floods', 'memories', 'pairs', 'requests', 'queries'].flatMap((name) => {
      const list = readMember(document, name);
      return isList(list) ? list.filter(isJsonObject).map((row) => [file, row] as const) : [];
    }),
  );

  test.each(lists)('of %s: the reference carrier has what each needs', (_, row) => {
    const needs = rowTexts(row['needs']).filter((need) => !need.startsWith('!'));
    expect(readListRows([{ ...row, needs }], findAbilities(ground)).length).toBeGreaterThan(0);
  });

  test('are cases of the suite language, with a value for every name, whichever round draws them', () => {
    const requests = { values: 300, bytes: 300, sequences: 600, races: 160, volume: 2500 };
    const probes = [1, 2, 3, 4].flatMap((round) =>
      serverInitiatedProbes(ground, { seed: 'rows', round, strength: 2, requests }),
    );
    const cases = buildCases(probes, 'made').map(({ json }) => json);
    const { problems } = compileGenerated(cases, {
      source: 'test',
      area: 'test',
      tampers: tamperNames,
      verbs: serverInitiated.verbs,
      checks: new Set(Object.keys(serverInitiated.checks)),
    });
    expect(problems).toEqual([]);
    // Every reference of a row has a value; attacks in listed deviations have the same form.
    const unnamed = probes
      .filter(({ kind }) => ['sequences', 'races', 'volume'].includes(kind))
      .map((probe) => JSON.stringify(probe.steps(keepAllParts(probe), '')))
      .filter((text) => /\$(?:\{(?!jndi:)|(?!ne\b)[a-z])|undefined/.test(text));
    expect(unnamed).toEqual([]);
    const titles = new Set(probes.map((probe) => probe.title(keepAllParts(probe))));
    const missing = ['races', 'histories', 'volume'].flatMap((file) =>
      readListRows(readMember(written.exploration[file], 'rows'), findAbilities(ground))
        .map(({ title }) => title)
        .filter((title) => !titles.has(title)),
    );
    expect(missing).toEqual([]);
  });

  test('the same seed makes the same probes, and another makes others', () => {
    const madeBy = (seed: string): readonly string[] =>
      serverInitiatedProbes(ground, {
        seed,
        round: 1,
        strength: 2,
        requests: { members: 60, values: 60, bytes: 60, sequences: 200, races: 40, volume: 400 },
      }).map((probe) => JSON.stringify([probe.title(keepAllParts(probe)), probe.steps(keepAllParts(probe), 'p-')]));
    expect(madeBy('1')).toEqual(madeBy('1'));
    expect(madeBy('2')).not.toEqual(madeBy('1'));
  });
});

/** `decode`, predictions and explorations use these rules. */
test('the claims name rules of the suites', () => {
  const known = new Set(
    suites.rules.flatMap(({ id, aspects }) => [id, ...aspects.map((aspect) => `${id}#${aspect.id}`)]),
  );
  const rules = requestMembers.flatMap(({ shown = [], known: hanging = [], open = [], exact }) => [
    ...[...shown, ...hanging, ...open].map(([rule]) => rule),
    ...(exact === undefined ? [] : [exact.rule]),
  ]);
  expect(rules.filter((rule) => !known.has(rule))).toEqual([]);
  expect(new Set(requestMembers.map(({ in: part, name }) => `${part}.${name}`)).size).toBe(requestMembers.length);
});
