import { describe, expect, test } from 'vitest';
import { casesOf } from '../explore/cases.ts';
import { momentProbe } from '../explore/chains/moments.ts';
import { linksOf } from '../explore/chains/link.ts';
import { allOf } from '../explore/probe.ts';
import { randomOf } from '../lib/covering/random.ts';
import { readSuites, readWritten } from './read.ts';
import { compileGenerated } from '../suite/compile/generated.ts';
import { tamperNames } from '../wire/build/tamper.ts';
import { serverInitiated } from '../interfaces/server-initiated/interface.ts';
import { pinned } from '../interfaces/server-initiated/exploration/pinned.ts';

const suites = await readSuites([]);
const written = await readWritten([]);
const links = linksOf({ cases: suites.cases, written, runs: () => true, passing: new Set(['approve']), pinned });

describe('listed cases as links of a chain', () => {
  test('every listed case is found as it is written', () => {
    expect(written.map(({ id }) => id).toSorted()).toEqual(suites.cases.map(({ id }) => id).toSorted());
    expect(links.length).toBeGreaterThan(suites.cases.length * 0.9);
  });

  test('each of them is a case of the suite language at any moment', () => {
    const random = randomOf('moments');
    const probes = links.map((link) => momentProbe(link, random));
    const { problems, cases } = compileGenerated(
      casesOf(probes, 'moment').map(({ json }) => json),
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
    expect(probes.map((probe) => probe.title(allOf(probe)))).toContainEqual(
      expect.stringMatching(/^What holds at any time holds 5 s before the next hour: /),
    );
  });
});
