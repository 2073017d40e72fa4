import { expect, test } from 'vitest';
import { buildScenario } from '../../testing/suite.ts';
import type { Suites } from '../../suite/suites.ts';
import { sampleCases } from './sample.ts';

const suites: Suites = {
  rules: [],
  cases: Array.from({ length: 20 }, (_, index) => buildScenario(`matrix/row-${index}`)),
  invariants: [],
  bases: {},
  digests: { rules: '', suites: '' },
  files: [],
};

test('a carrier gets an eighth of the cases, in their order, and the same ones for a seed', () => {
  const chosen = sampleCases(suites, '1');
  expect(chosen).toHaveLength(3);
  expect(suites.cases.map(({ id }) => id).filter((id) => chosen.includes(id))).toEqual(chosen);
  expect(sampleCases(suites, '1')).toEqual(chosen);
});

test('with a few dozen carriers every case runs', () => {
  const all = new Set(Array.from({ length: 40 }, (_, number) => sampleCases(suites, `7 ${number}`)).flat());
  expect(all.size).toBe(suites.cases.length);
});
