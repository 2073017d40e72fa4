import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { faultSubjects } from './catalogue.ts';
import { parseProofMatrix } from './matrix.ts';
import { readFreedoms } from '../space/freedoms.ts';
import { choiceName } from '../space/freedoms-grammar.ts';

const freedoms = readFreedoms();
const names = new Set(
  freedoms.flatMap(({ id, choices }) => [id, ...choices.slice(1).map(({ name }) => choiceName(id, name))]),
);
const excepts = faultSubjects.flatMap(({ name, except = {} }) =>
  Object.entries(except).map(([choice, reason]) => ({ name, choice, reason })),
);

test('a fault is excepted from freedoms, or from choices of them, that there are', () => {
  expect(excepts.filter(({ choice }) => !names.has(choice))).toEqual([]);
});

test('each exception has a reason in words', () => {
  expect(excepts.filter(({ reason }) => !/^[a-z\d].* .*[^.]$/u.test(reason))).toEqual([]);
});

test('each row of the golden matrix is killed or allowed', () => {
  const rows = parseProofMatrix(readFileSync('fixtures/prove/matrix.json', 'utf8'));
  expect(rows.size).toBeGreaterThan(faultSubjects.length);
  expect([...rows].filter(([, { status }]) => status !== 'killed' && status !== 'allowed')).toEqual([]);
});
