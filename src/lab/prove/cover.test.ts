import { expect, test } from 'vitest';
import { superfluousFaults } from './cover.ts';
import type { ProofMatrixRow } from './matrix.ts';

const row = (rule: string, ...ids: readonly string[]): ProofMatrixRow => ({
  turned: { [rule]: 'fail' },
  shown: { [rule]: ids },
});
const superfluous = (rows: Readonly<Record<string, ProofMatrixRow>>) =>
  superfluousFaults(new Map(Object.entries(rows)));

test('a fault adds nothing where others turn its rows, and two others its rule', () => {
  const rows = { wide: row('A-1', 'm/1', 'm/2'), other: row('A-1', 'm/2', 'm/3'), narrow: row('A-1', 'm/2') };
  expect(superfluous(rows)).toEqual(['narrow']);
  expect(superfluous({ wide: rows.wide, narrow: rows.narrow })).toEqual([]);
});

test('a fault that alone shows a rule in a row adds that', () => {
  const both = { turned: { 'A-1': 'fail', 'A-2': 'warn' }, shown: { 'A-1': ['m/1'], 'A-2': ['m/1'] } } as const;
  const rows = { one: row('A-1', 'm/1'), both, other: row('A-2', 'n') };
  expect(superfluous(rows)).toEqual([]);
  expect(superfluous({ ...rows, again: both })).toEqual(['one', 'both', 'again']);
});

test('an aspect of a rule is turned by two as well', () => {
  const rows = { one: row('A-1#edge', 'm/1'), two: row('A-1#edge', 'm/1'), three: row('A-1#edge', 'm/1') };
  expect(superfluous(rows)).toEqual(['one', 'two', 'three']);
  expect(superfluous({ one: rows.one, two: rows.two })).toEqual([]);
});

test('a fault that breaks many rules stands for no other', () => {
  const many = Array.from({ length: 7 }, (_, at) => `B-${at}`);
  const broad: ProofMatrixRow = {
    turned: Object.fromEntries(['A-1', ...many].map((rule) => [rule, 'fail' as const])),
    shown: { 'A-1': ['m/1', 'm/2'] },
  };
  const narrow = { one: row('A-1', 'm/1'), two: row('A-1', 'm/2') };
  expect(superfluous({ ...narrow, broad })).toEqual([]);
  expect(superfluous({ broad, again: broad })).toEqual([]);
});
