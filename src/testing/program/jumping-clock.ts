import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readResult } from '../../journal/read-result.ts';
import { startCli } from './spawn-cli.ts';
import { makeFolder, startInRealTime, stopCarrier, writeFolder } from './target-file.ts';

export const invariant = 'every-id-token-in-order';
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
  return { env: { NODE_OPTIONS: `--import=${join(folder, 'clock.mjs')}` }, jump: () => writeFileSync(file, '') };
}

interface Jump {
  /** Milliseconds by which the clock is set; undefined: not at all. */
  readonly by: number | undefined;
  /** Whether the carrier is on the same machine. */
  readonly shared: boolean;
}

/** Runs the cases in real time against an honest carrier in another process; the clock is set in the middle. */
export async function runAcross({ by = 0, shared }: Jump) {
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
