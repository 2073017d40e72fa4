import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { runCli } from '../../testing/run-cli.ts';
import { makeFolder } from '../../testing/target-file.ts';

const id = 'iat-far-too-old/24h-old';
let out = '';

beforeAll(async () => {
  out = makeFolder();
  const ended = await runCli(['run', 'REQ-009', '--fault', 'iat-not-checked', '--out', out]);
  expect(ended.code).not.toBe(2);
});

describe('replay', () => {
  test('repeats the flags of the run: the same verdict and findings', async () => {
    const { stdout } = await runCli(['replay', id, join(out, 'result.json'), '--out', makeFolder()]);
    expect(stdout).toMatch(/replay: the same as in .*result\.json: warn, [1-9] findings?$/m);
    expect(stdout).toContain('Warnings');
  });

  test('a carrier that was mended comes out otherwise', async () => {
    const { code, stdout } = await runCli([
      'replay',
      id,
      join(out, 'result.json'),
      '--fault',
      'token-type-missing',
      '--out',
      makeFolder(),
    ]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/replay: not as in .*: pass, was warn; [1-9] findings? gone, 0 findings new$/m);
    expect(stdout).toMatch(/^ {2}- REQ-009: /m);
  });

  test('the journal of a run is as good, and --json is one document', async () => {
    const { stdout } = await runCli(['replay', id, join(out, 'journal.jsonl'), '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ case: id, verdict: 'warn', same: true, compared: { before: 'warn' } });
  });

  test('the usual result is found; without one flags must say what to run against', async () => {
    const cwd = makeFolder();
    const nothing = await runCli(['replay', id], { cwd });
    expect(nothing).toMatchObject({ code: 2, stdout: '' });
    expect(nothing.stderr).toContain(
      'there is no carrierspec-report/latest/result.json to replay from: name a result.json or journal.jsonl, or say with --target or --fault what to run against',
    );
    expect(readdirSync(cwd)).toEqual([]);
    const exclusive = await runCli(['replay', id, '--fault', 'token-type-missing'], { cwd });
    expect(exclusive.stdout).toContain('\nNo required rule was judged: exit code 0\n');
    expect(exclusive.stdout).not.toContain('replay:');
    await runCli(['run', id], { cwd });
    const again = await runCli(['replay', id], { cwd });
    expect(again.stdout).toContain('replay: the same as in carrierspec-report/latest/result.json: pass, 0 findings');
  });

  test('mistakes of usage', async () => {
    const wrong = await runCli(['replay', `${id}x`, join(out, 'result.json')]);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain(`has no case ${id}x; did you mean ${id}?`);
    expect((await runCli(['replay', id, '/nowhere'])).code).toBe(2);
  });
});
