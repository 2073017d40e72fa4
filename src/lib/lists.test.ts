import { describe, expect, it, test } from 'vitest';
import { groupBy, mapConcurrently, listRanges, listIds } from './lists.ts';
import { setImmediate as yieldOnce } from 'node:timers/promises';

it('listIds: says how many it left out', () => {
  expect(listIds(['a', 'b', 'c'], 2)).toBe('a, b and 1 more');
  expect(listIds(['a', 'b'], 2)).toBe('a, b');
});

describe('listFolded', () => {
  it('folds runs of consecutive numbers', () => {
    const ids = ['REQ-001', 'REQ-002', 'REQ-003', 'REQ-007', 'CB-008', 'CB-009'];
    expect(listRanges(ids, 9)).toBe('REQ-001..003, REQ-007, CB-008..009');
  });

  it('keeps ids without a number, repeated ones, and numbers of another length apart', () =>
    expect(listRanges(['a', 'a', 'x/9', 'x/10', '7', '8'], 9)).toBe('a, a, x/9, x/10, 7..8'));

  it('counts what it left out by ids, not by runs', () => {
    expect(listRanges(['A-1', 'A-2', 'B-1', 'C-3', 'C-4', 'C-5'], 2)).toBe('A-1..2, B-1 and 3 more');
    expect(listRanges(['A-1', 'A-2', 'A-3'], 1)).toBe('A-1..3');
  });
});

it('groupBy: keeps the order in which keys were first met', () => {
  expect([...groupBy(['bb', 'a', 'cc'], (text) => String(text.length))]).toEqual([
    ['2', ['bb', 'cc']],
    ['1', ['a']],
  ]);
});

test('a window runs each task once, in order, at most so many at a time', async () => {
  let open = 0;
  let most = 0;
  const begun: number[] = [];
  const results = await mapConcurrently([1, 2, 3, 4, 5, 6, 7], 3, async (one) => {
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

test('a window of no items returns at once; one rejects if a task does', async () => {
  expect(await mapConcurrently([], 3, () => Promise.reject(new Error('never')))).toEqual([]);
  await expect(mapConcurrently([1], 3, () => Promise.reject(new Error('this one')))).rejects.toThrow('this one');
});
