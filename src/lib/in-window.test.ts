import { setImmediate as yieldOnce } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inWindow } from './in-window.ts';

test('so many are open at a time, the first first, and each is done once', async () => {
  let open = 0;
  let most = 0;
  const begun: number[] = [];
  const results = await inWindow([1, 2, 3, 4, 5, 6, 7], 3, async (one) => {
    begun.push(one);
    open += 1;
    most = Math.max(most, open);
    await yieldOnce();
    open -= 1;
    return one * 2;
  });
  expect(most).toBe(3);
  expect(begun).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect([...results].toSorted((a, b) => a - b)).toEqual([2, 4, 6, 8, 10, 12, 14]);
});

test('an empty list is done at once, and what one throws is thrown', async () => {
  expect(await inWindow([], 3, () => Promise.reject(new Error('never')))).toEqual([]);
  await expect(inWindow([1], 3, () => Promise.reject(new Error('this one')))).rejects.toThrow('this one');
});
