import { expect, test } from 'vitest';
import { dealItems, roundSeed } from './exploration.ts';

const list = Array.from({ length: 10 }, (_, at) => at);
const round = (at: number, count: number): readonly number[] => dealItems(list, { seed: 'any', round: at }, count);

test('each round goes on where the round before ended, and begins again behind the last', () => {
  const three = [round(1, 4), round(2, 4), round(3, 4)];
  expect(new Set(three.flat())).toEqual(new Set(list));
  expect(
    three
      .flat()
      .slice(0, 10)
      .toSorted((a, b) => a - b),
  ).toEqual(list);
  expect(three[2]?.slice(2)).toEqual(three[0]?.slice(0, 2));
});

test('a round takes each at most once, and another seed has another order', () => {
  expect([...round(7, 40)].toSorted((a, b) => a - b)).toEqual(list);
  expect(dealItems(list, { seed: 'other', round: 1 }, 10)).not.toEqual(round(1, 10));
  expect(dealItems([], { seed: 'any', round: 2 }, 5)).toEqual([]);
});

test('the first round draws by the seed itself', () => {
  expect([roundSeed({ seed: '7', round: 1 }), roundSeed({ seed: '7', round: 2 })]).toEqual(['7', '7/2']);
});
