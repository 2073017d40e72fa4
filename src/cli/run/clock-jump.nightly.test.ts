import { describe, expect, test } from 'vitest';
import { invariant, runAcross } from '../../testing/program/jumping-clock.ts';

const hour = 3_600_000;

/** Concurrent, because all of them wait. */
describe.concurrent('in real time', () => {
  test('a run without a jump of the clock is green', async () => {
    const { code, stderr, result, bad } = await runAcross({ by: undefined, shared: true });
    expect(bad, stderr).toEqual([]);
    expect(result.invariants.find(({ id }) => id === invariant)).toMatchObject({ verdict: 'pass' });
    expect(code, stderr).toBe(0);
  }, 400_000);

  test.each([
    ['forward', { by: hour, shared: true }],
    ['back', { by: -hour, shared: true }],
    ['forward', { by: hour, shared: false }],
  ] as const)(
    'a clock of the machine that is set %s breaks no rule: the run stops and says why (%j)',
    async (direction, jump) => {
      const { code, stdout, stderr, result, bad } = await runAcross(jump);
      expect(bad, stderr).toEqual([]);
      const words = `Z the clock of this machine was set ${direction} by 3600.0 s`;
      expect(stderr).toContain(`${words}: cases that were under way have no verdict`);
      expect(stdout.match(/^ +because +stopped: at \S+ the clock of this machine/gm)).toHaveLength(1);
      expect(result.footer?.reasons.filter((reason) => reason.includes(words))).toHaveLength(1);
      expect(result.footer?.stopped).toBe(true);
      expect(code, stderr).toBe(4);
    },
    400_000,
  );
});
