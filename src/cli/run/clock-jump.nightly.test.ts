import { expect, test } from 'vitest';
import { invariant, runAcross } from '../../testing/program/jumping-clock.ts';

test('a run in real time without a jump of the clock is green', async () => {
  const { code, stderr, result, bad } = await runAcross({ by: undefined, shared: true });
  expect(bad, stderr).toEqual([]);
  expect(result.invariants.find(({ id }) => id === invariant)).toMatchObject({ verdict: 'pass' });
  expect(code, stderr).toBe(0);
}, 400_000);
