import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { seededRandom } from '../../lib/covering/random.ts';
import { readSuites, readWrittenSuites } from '../../setup/read-files.ts';
import { compileGenerated } from '../../suite/compile/suite.ts';
import { tamperNames } from '../../wire/build/tamper.ts';
import { buildCases } from '../explore/cases.ts';
import { createGround, keepAllParts } from '../explore/exploration.ts';
import { workInPlace } from '../prove/carrier-place.ts';
import { buildLinks } from './links.ts';
import { momentProbe } from './windows.ts';

const suites = await readSuites([]);
const written = await readWrittenSuites([]);
const folder = mkdtempSync(join(tmpdir(), 'written-'));
afterAll(() => rmSync(folder, { recursive: true }));
const links = await workInPlace(folder, (place) => {
  const { target } = place.prepare(undefined);
  const ground = createGround({ suites, written, target }, serverInitiated);
  return Promise.resolve(buildLinks({ ...ground, runs: () => true }));
});

/** Ids of the cases that have a step with `near`. */
const withNear = readdirSync('suites', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.suite.yaml'))
  .flatMap((name) =>
    readFileSync(join('suites', name), 'utf8')
      .split(/^ {2}- id: /m)
      .slice(1),
  )
  .filter((text) => /^ +(?:- )?near:/m.test(text) || /\{[^}]*\bnear: \{/.test(text))
  .map((text) => text.split('\n')[0]);

describe('listed cases as links of a chain', () => {
  test('every listed case is found as it is written, but those whose steps are near misses', () => {
    const ids = new Set(written.cases.map(({ id }) => id));
    const nearMisses = suites.cases.filter(({ id }) => withNear.includes(id.split('/')[0]));
    const others = suites.cases.filter(({ id }) => !ids.has(id));
    expect(others.map(({ id }) => id)).toEqual(nearMisses.map(({ id }) => id));
    expect(others.length).toBeLessThan(suites.cases.length * 0.05);
    expect(links.length).toBeGreaterThan(suites.cases.length * 0.9);
  });

  test('each of them is a case of the suite language at any moment', () => {
    const random = seededRandom('moments');
    const probes = links.map((link) => momentProbe(link, random));
    const { problems, cases } = compileGenerated(
      buildCases(probes, 'moment').map(({ json }) => json),
      {
        source: 'test',
        area: 'test',
        tampers: tamperNames,
        verbs: serverInitiated.verbs,
        checks: new Set(Object.keys(serverInitiated.checks)),
      },
    );
    expect(problems).toEqual([]);
    expect(cases.length).toBe(links.length);
    expect(probes.map((probe) => probe.title(keepAllParts(probe)))).toContainEqual(
      expect.stringMatching(/^What holds at any time holds 5 s before the next hour: /),
    );
  });
});
