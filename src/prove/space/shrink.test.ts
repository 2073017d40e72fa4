import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shrink } from './shrink.ts';

const numbers = Array.from({ length: 60 }, (_, index) => index);

test('finds exactly those that it takes', () =>
  fc.assert(
    fc.asyncProperty(fc.subarray(numbers, { maxLength: 4 }), async (guilty) => {
      const small = await shrink(numbers, (part) => Promise.resolve(guilty.every((one) => part.includes(one))));
      expect(small).toEqual(guilty);
    }),
  ));

test('finds one of two causes that are enough each', async () => {
  const small = await shrink(numbers, (part) => Promise.resolve(part.includes(7) || part.includes(41)));
  expect([[7], [41]]).toContainEqual(small);
});

test('asks about one cause among a hundred not more than twenty times', async () => {
  let asked = 0;
  const list = Array.from({ length: 100 }, (_, index) => index);
  const small = await shrink(list, (part) => {
    asked += 1;
    return Promise.resolve(part.includes(99));
  });
  expect(small).toEqual([99]);
  expect(asked).toBeLessThanOrEqual(20);
});
