import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readResult } from '../../journal/read-result.ts';
import { startCli } from '../../testing/program/spawn-cli.ts';
import { makeFolder, startInRealTime, writeFolder } from '../../testing/program/target-file.ts';
import { planAndRun, waitingCases } from '../../testing/program/timed-run.ts';

/** Concurrent, because both wait. real-time.nightly.test.ts compares longer runs with their plan to the second. */
describe.concurrent('in real time', () => {
  test('eighteen cases on three subscribers wait side by side', async () => {
    const { plan, took } = await planAndRun(waitingCases(18));
    expect(plan).toMatchObject({ cases: 18, subscribers: 3, sum: 36 });
    expect(plan.longest).toBeLessThan(plan.sum / 3);
    expect(took).toBeGreaterThan(plan.longest);
    expect(took).toBeLessThan(plan.sum);
  }, 90_000);

  test('outside --hours only cases that reach no phone run, and Ctrl-C names the hours in the command that goes on', async () => {
    const { env, target } = await startInRealTime();
    const two = (value: number): string => String(value % 24).padStart(2, '0');
    const hour = new Date().getHours();
    const hours = `${two(hour + 2)}:00-${two(hour + 3)}:00`;
    const out = makeFolder();
    const what = ['success-callback-members', 'key-set-stable'];
    const running = startCli(['run', ...what, '--hours', hours, '--target', target, '--out', out], { env });
    await running.stderr(/outside the hours .* these wait until \w+day,? \d\d:\d\d/);
    const journal = join(out, 'journal.jsonl');
    const hasEnded = (): boolean => /"kind":"case","id":"key-set-stable"/.test(readFileSync(journal, 'utf8'));
    await expect.poll(hasEnded, { timeout: 45_000 }).toBe(true);
    running.interrupt();
    const { code, stderr } = await running.ended;
    expect(code, stderr).toBe(130);
    expect(stderr.match(/outside the hours/g)).toHaveLength(1);
    expect(stderr).toMatch(new RegExp(`\\ngo on with: .* --hours ${hours}\\n`));
    const cases = Object.fromEntries(
      [...readResult(join(out, 'result.json')).result.cases].map((one) => [one.id, one]),
    );
    expect(cases['key-set-stable']?.verdict).toBe('pass');
    expect(cases['success-callback-members']).toMatchObject({ verdict: 'not-run', messages: [] });
  }, 120_000);

  test('a process that stands still: the cases that were under way are run again', async () => {
    const [folder, out] = [writeFolder({}), makeFolder()];
    const halt = `import { existsSync, rmSync } from 'node:fs';
      import { isMainThread } from 'node:worker_threads';
      setInterval(() => {
        if (!isMainThread || !existsSync(${JSON.stringify(join(folder, 'halt'))})) return;
        rmSync(${JSON.stringify(join(folder, 'halt'))});
        const end = performance.now() + 6000;
        while (performance.now() < end);
      }, 20).unref();`;
    writeFileSync(join(folder, 'halt.mjs'), halt);
    const running = startCli(['run', 'FLOW-*', '--out', out], {
      env: { NODE_OPTIONS: `--import=${join(folder, 'halt.mjs')}` },
      timeLimit: 150_000,
    });
    const journal = join(out, 'journal.jsonl');
    const isUnderWay = (): boolean => existsSync(journal) && readFileSync(journal, 'utf8').includes('"kind":"case"');
    await expect.poll(isUnderWay, { timeout: 45_000 }).toBe(true);
    writeFileSync(join(folder, 'halt'), '');
    const { code, stderr } = await running.ended;
    expect(stderr).toContain('carrierspec itself stood still for');
    const cases = [...readResult(join(out, 'result.json')).result.cases];
    const tries = cases.flatMap(({ messages }) => messages.filter(({ attempt }) => attempt === 'later'));
    expect(tries.length).toBeGreaterThan(0);
    expect(cases.filter(({ verdict }) => verdict === 'inconclusive')).toEqual([]);
    expect(code, stderr).toBe(0);
  }, 180_000);
});
