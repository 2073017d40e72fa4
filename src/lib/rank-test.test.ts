import { expect, test } from 'vitest';
import { rankDistance } from './rank-test.ts';

const from = (first: number, count = 20): number[] => Array.from({ length: count }, (_, at) => first + at);

test.each([
  ['the same', from(1), from(1), 0],
  ['all equal', [5, 5, 5], [5, 5, 5], 0],
  ['none', [], from(1), 0],
  // U is 400 of 400: 200 above its mean, with a standard deviation of 36.97.
  ['all larger', from(21), from(1), 5.41],
  ['all smaller', from(1), from(21), -5.41],
  ['every other one', [2, 4, 6, 8], [1, 3, 5, 7], 0.577],
])('%s', (_, ours, theirs, expected) => expect(rankDistance(ours, theirs)).toBeCloseTo(expected, 2));

test('one value far out changes little', () =>
  expect(Math.abs(rankDistance([...from(1, 19), 100_000], from(1)))).toBeLessThan(1));
