import { describe, expect, test } from 'vitest';
import type { Suites } from '../../suite/suites.ts';
import { buildScenario } from '../../testing/parts/suite.ts';
import { differingChoices, drawRows, oppositeRows, readFreedoms, sampleCases } from './freedoms.ts';
import type { Freedom } from './freedoms-grammar.ts';

const freedom = (id: string, names: readonly string[], excludes: Readonly<Record<string, string>> = {}): Freedom => ({
  id,
  clause: '4.2',
  cites: [],
  description: 'Something.',
  choices: names.map((name, index) => ({ name, warns: {}, excludes: index === 1 ? excludes : {} })),
});

describe('carriers of a space', () => {
  const freedoms = [
    freedom('one', ['plain', 'x', 'y']),
    freedom('two', ['plain', 'x'], { 'one/x': 'they contradict each other' }),
    freedom('three', ['plain', 'x'], { two: 'they contradict each other' }),
  ];

  test('keep what excludes each other apart, whichever says so', () => {
    const { rows, covered, pairs } = drawRows(freedoms, { seed: '1' });
    expect(covered).toBe(pairs);
    expect(rows.filter(({ one, two }) => one === 'x' && two === 'x')).toEqual([]);
    expect(rows.filter(({ two, three }) => two !== 'plain' && three !== 'plain')).toEqual([]);
    expect(rows.some(({ one, three }) => one === 'x' && three === 'x')).toBe(true);
  });

  test('are told by what is not plain', () =>
    expect(differingChoices({ one: 'y', two: 'plain', three: 'plain' }, freedoms)).toEqual({ one: 'y' }));
});

describe('two carriers that differ in all they may', () => {
  const freedoms = readFreedoms();
  const [a, b] = oppositeRows(freedoms, 'seed');

  test('differ from the plain one, but for what excludes each other', () => {
    const excluding = freedoms.filter(({ choices }) =>
      choices.some(({ excludes }) => Object.keys(excludes).length > 0),
    );
    for (const row of [a, b]) {
      expect(Object.keys(row).length).toBeGreaterThanOrEqual(freedoms.length - 2 * excluding.length);
      for (const { id, choices } of freedoms) expect(row[id]).not.toBe(choices[0]?.name);
    }
  });

  test('differ from each other where there are choices enough', () => {
    const enough = freedoms.filter(({ id, choices }) => choices.length > 2 && id in a && id in b);
    const same = enough.filter(({ id }) => a[id] === b[id]);
    expect(enough.length).toBeGreaterThan(20);
    expect(same.length).toBeLessThanOrEqual(enough.length / 10);
  });

  test('are the same each time', () => expect(oppositeRows(freedoms, 'seed')).toEqual([a, b]));
});

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
