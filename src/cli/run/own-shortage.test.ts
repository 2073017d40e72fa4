import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readResult } from '../../journal/read-result.ts';
import { type ProcessResult, root } from '../../testing/program/spawn-cli.ts';
import {
  makeFolder,
  type SpawnedCarrier,
  startCarrier,
  stopCarrier,
  writeTarget,
} from '../../testing/program/target-file.ts';

const hasBash = existsSync('/bin/bash') || existsSync('/usr/bin/bash');

/** Runs the program with a limit on open files. */
async function runWithFiles(
  files: number,
  args: readonly string[],
  env: SpawnedCarrier['env'],
): Promise<ProcessResult> {
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
