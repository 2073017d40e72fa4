import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { readResult } from '../../journal/read-result.ts';
import { startCli } from '../../testing/program/spawn-cli.ts';
import { makeFolder, startInRealTime, stopCarrier, writeFolder } from '../../testing/program/target-file.ts';

const invariant = 'every-id-token-in-order';
const suite = 'Tokens at several moments';

/** Cases whose tokens are issued one to eight seconds after the request. */
const cases = Array.from(
  { length: 8 },
  (_, at) => `
  - id: tokens-${at}
    title: Its tokens come after a while
    rule: REQ-014
    steps:
      - { as: first, authorize: {} }
      - { at: first + ${at + 1}s, trigger: approve }
      - { await: callback, expect: completed }
`,
);

/** Node module that sets the clock of its process by these milliseconds once a file is there. */
const settableClock = (file: string, by: number): string => `import { existsSync } from 'node:fs';
  const day = Date.now;
  const timer = setInterval(() => {
    if (!existsSync(${JSON.stringify(file)})) return;
    clearInterval(timer);
    Date.now = () => day() + ${by};
  }, 10).unref();`;

/** Environment of a process, and a function that sets the clock of that process. */
function makeSettable(by: number) {
  const folder = makeFolder();
  const file = join(folder, 'jump');
  writeFileSync(join(folder, 'clock.mjs'), settableClock(file, by));
  return {
    env: { NODE_OPTIONS: `--import=${join(folder, 'clock.mjs')}` },
    jump: () => writeFileSync(file, ''),
  };
}

interface Jump {
  /** Milliseconds by which the clock is set; undefined: not at all. */
  readonly by: number | undefined;
  /** Whether the carrier is on the same machine. */
  readonly shared: boolean;
}

/** Runs the cases in real time against an honest carrier in another process; the clock is set in the middle. */
async function runAcross({ by = 0, shared }: Jump) {
  const [ours, theirs] = [makeSettable(by), makeSettable(by)];
  const carrier = await startInRealTime(undefined, theirs.env);
  const out = makeFolder();
  const suites = writeFolder({ 'tokens.suite.yaml': `suite: ${suite}\ncases:${cases.join('')}` });
  const what = ['run', suite, invariant, '--suites', suites, '--target', carrier.target, '--out', out];
  const running = startCli(what, { env: { ...carrier.env, ...ours.env }, timeLimit: 390_000 });
  if (by !== 0) {
    await running.stderr(/0\/\d+ cases/);
    await pause(3500);
    ours.jump();
    // Both have one clock, which no two processes read at once.
    await pause(100);
    if (shared) theirs.jump();
  }
  const { code, stdout, stderr } = await running.ended;
  await stopCarrier(carrier);
  const { result } = readResult(join(out, 'result.json'));
  const judged = [...result.cases, ...result.invariants, ...result.rules];
  const bad = judged.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn' || verdict === 'error');
  return { code, stdout, stderr, result, bad };
}

const hour = 3_600_000;

describe.concurrent('in real time', () => {
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

  test('the same run without a jump is green', async () => {
    const { code, stderr, result, bad } = await runAcross({ by: undefined, shared: true });
    expect(bad, stderr).toEqual([]);
    expect(result.invariants.find(({ id }) => id === invariant)).toMatchObject({ verdict: 'pass' });
    expect(code, stderr).toBe(0);
  }, 400_000);
});
