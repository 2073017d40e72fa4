import { expect, test } from 'vitest';
import { buildScenario } from '../../testing/suite.ts';
import type { Suites } from '../../suite/suites.ts';
import { sampleRows } from './sample.ts';

const rows = Array.from({ length: 11 }, (_, index) => `matrix/row-${index}`);
const suites: Suites = {
  rules: [],
  cases: ['one', ...rows, 'two/only', 'three'].map((id) => buildScenario(id)),
  invariants: [],
  bases: {},
  digests: { rules: '', suites: '' },
  files: [],
};

test('a carrier gets a fifth of the cases, and a tenth of the rows of each matrix', () => {
  const chosen = sampleRows(suites, '1');
  expect(chosen.filter((id) => id.startsWith('matrix/'))).toHaveLength(2);
  expect(chosen.filter((id) => !id.startsWith('matrix/'))).toHaveLength(1);
  expect(sampleRows(suites, '1')).toEqual(chosen);
});

test('with a few carriers every row runs', () => {
  const all = new Set(Array.from({ length: 80 }, (_, number) => sampleRows(suites, `7 ${number}`)).flat());
  expect([...all].toSorted()).toEqual(suites.cases.map(({ id }) => id).toSorted());
});
