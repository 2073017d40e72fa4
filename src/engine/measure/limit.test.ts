import { describe, expect, test } from 'vitest';
import type { LimitResult } from '../../model/limit.ts';
import { searchEdge, computeWindow, addCountedUnits } from './limit.ts';
describe('the parts', () => {
  test.each([
    [0, 1000, 300],
    [0, 1, 0],
    [24, 1, 8],
    [5, 5_000_000, 4_999_999],
  ])('from %d to %d the edge %d is found in few probes', async (from, to, edge) => {
    const holds = (value: number): boolean => (from < to ? value <= edge : value >= edge);
    const found = await searchEdge({ from, to }, (value) => Promise.resolve({ held: holds(value), response: '' }));
    expect(found).toMatchObject({ state: 'limit', value: edge });
    expect(found.probes.length).toBeLessThanOrEqual(2 + Math.ceil(Math.log2(Math.abs(to - from) + 1)));
  });

  test('a window lies between two rungs, and rungs that contradict each other give none', () => {
    const rungs = (...held: readonly boolean[]) =>
      held.map((is, at) => ({ at: (at + 1) * 10, held: is, response: '' }));
    expect(computeWindow(rungs(true, true, false))).toEqual({ state: 'limit', value: 25, uncertainty: 5 });
    expect(computeWindow(rungs(true, true))).toEqual({ state: 'beyond', value: 20, uncertainty: 0 });
    expect(computeWindow(rungs(false, false))).toEqual({ state: 'nothing', value: 10, uncertainty: 0 });
    expect(computeWindow(rungs(true, false, true))).toMatchObject({ state: 'contradictory' });
  });

  test('bytes are counted where twice the bytes fit half the characters', () => {
    const result = (name: string, value: number): LimitResult => ({
      name,
      title: '',
      rules: [],
      state: 'limit',
      value,
      uncertainty: 0,
      unit: 'characters',
      words: name,
      probes: [],
    });
    const limits = [{ name: 'two', beside: { limit: 'one', bytesEach: 2 } }, { name: 'one' }];
    const words = (two: number): string | undefined =>
      addCountedUnits([result('one', 241), result('two', two)], limits)[1]?.words;
    expect(words(241)).toBe('two: characters are counted');
    expect(words(120)).toBe('two: bytes are counted');
    expect(words(77)).toBe('two');
  });
});
