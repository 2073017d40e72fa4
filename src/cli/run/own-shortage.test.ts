import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readResult } from '../../journal/read-result.ts';
import { type Ended, root, startCli } from '../../testing/spawn-cli.ts';
import {
  makeFolder,
  type SpawnedCarrier,
  startCarrier,
  startInRealTime,
  stopCarrier,
  writeFolder,
  writeTarget,
} from '../../testing/target-file.ts';

const hasBash = existsSync('/bin/bash') || existsSync('/usr/bin/bash');

/** The program in a process that may open few files. */
async function runWithFiles(files: number, args: readonly string[], env: SpawnedCarrier['env']): Promise<Ended> {
  const line = `ulimit -n ${files}; exec "$0" "$@"`;
  const argv = ['-c', line, process.execPath, join(root, 'bin/carrierspec.js'), ...args];
  const child = spawn('bash', argv, { env: { PATH: process.env['PATH'] ?? '', ...env } });
  const [stdout, stderr]: [string[], string[]] = [[], []];
  child.stdout.on('data', (chunk) => stdout.push(String(chunk)));
  child.stderr.on('data', (chunk) => stderr.push(String(chunk)));
  const code = await new Promise<number>((resolve) => {
    child.once('close', (ended) => resolve(ended ?? -1));
  });
  return { code, stdout: stdout.join(''), stderr: stderr.join('') };
}

const verdictsIn = (out: string): ReadonlySet<string> =>
  new Set([...readResult(join(out, 'result.json')).result.cases].map(({ verdict }) => verdict));

describe.skipIf(!hasBash)('a process that may open few files', () => {
  let carrier: SpawnedCarrier;
  let target = '';
  beforeAll(async () => {
    carrier = await startCarrier(['--clock', 'virtual']);
    target = writeTarget((given) => given);
  });
  afterAll(() => stopCarrier(carrier));

  test.each([
    [60, ['CB-00*']],
    [256, ['callback', '--jobs', '200']],
  ])(
    '%d: sends less at the same time, says so, and fails no carrier that conforms',
    async (files, what) => {
      const out = makeFolder();
      const args = ['run', ...what, '--target', target, '--out', out];
      const { code, stderr } = await runWithFiles(files, args, carrier.env);
      expect(stderr).toMatch(
        new RegExp(`\\d+ exchanges at the same time instead of \\d+, because this process may open ${files} files`),
      );
      expect(code, stderr).toBe(0);
      expect([...verdictsIn(out)].filter((one) => one === 'fail' || one === 'warn')).toEqual([]);
    },
    240_000,
  );

  test('too few for a run: exit code 5, and the limit to raise', async () => {
    const args = ['run', 'callback', '--target', target, '--out', makeFolder()];
    const { code, stdout, stderr } = await runWithFiles(42, args, carrier.env);
    expect({ code, stdout }, stderr).toEqual({ code: 5, stdout: '' });
    expect(stderr).toMatch(
      /^carrierspec: this process may open 42 files, and a run needs at least \d+: raise the limit/m,
    );
  }, 60_000);
});

test('a clock of the machine that jumps in real time: its cases have no verdict, and the run says why', async () => {
  const carrier = await startInRealTime();
  const [folder, out] = [writeFolder({}), makeFolder()];
  const jump = `import { existsSync } from 'node:fs';
    const day = Date.now;
    setInterval(() => {
      if (existsSync(${JSON.stringify(join(folder, 'jump'))})) Date.now = () => day() + 3_600_000;
    }, 20).unref();`;
  writeFileSync(join(folder, 'jump.mjs'), jump);
  const what = ['plain-request', 'plain-query', 'token-call-signed', 'denial-is-request-denied', 'jti-absent'];
  const running = startCli(['run', ...what, '--target', carrier.target, '--out', out], {
    env: { ...carrier.env, NODE_OPTIONS: `--import=${join(folder, 'jump.mjs')}` },
    timeLimit: 150_000,
  });
  await running.stderr(/1\/5 cases/);
  writeFileSync(join(folder, 'jump'), '');
  const { code, stderr } = await running.ended;
  await stopCarrier(carrier);
  const words = 'the clock of this machine was set forward by 3600.0 s';
  expect(stderr).toContain(`${words}: cases that were under way have no verdict`);
  const cases = [...readResult(join(out, 'result.json')).result.cases];
  expect(cases.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')).toEqual([]);
  expect(cases.filter(({ reason = '' }) => reason.includes(words)).length).toBeGreaterThan(0);
  expect(code, stderr).toBe(4);
}, 180_000);
