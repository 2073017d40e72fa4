import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { runCli } from '../../testing/run-cli.ts';
import { makeFolder } from '../../testing/target-file.ts';

describe('what a run leaves', () => {
  const lastLine = (text: string): string | undefined => text.trimEnd().split('\n').at(-1);

  test('a journal, a result, JUnit XML and a page; it ends by saying where the page is', async () => {
    const out = join(makeFolder(), 'a folder');
    const { code, stdout } = await runCli(['run', 'jti-absent', '--out', out]);
    expect(code).toBe(0);
    expect(readdirSync(out).toSorted()).toEqual(['journal.jsonl', 'junit.xml', 'report.html', 'result.json']);
    const page = join(out, 'report.html');
    expect(lastLine(stdout)).toBe(`open in a browser: ${pathToFileURL(page).href}`);
    expect(readFileSync(page, 'utf8')).toMatch(/^<!doctype html>\n/);
  });

  test('a report on stdout is alone there: where the page is stands on stderr', async () => {
    const out = makeFolder();
    const { stdout, stderr } = await runCli(['run', 'jti-absent', '--out', out, '--report', 'json=-']);
    expect(stdout).toBe(readFileSync(join(out, 'result.json'), 'utf8'));
    expect(lastLine(stderr)).toBe(`open in a browser: ${pathToFileURL(join(out, 'report.html')).href}`);
  });

  test('two reports never go to one place', async () => {
    const out = makeFolder();
    const flags = ['--out', out, '--report', `ctrf=${join(out, 'report.html')}`];
    const { code, stderr } = await runCli(['run', 'jti-absent', ...flags]);
    expect(code).toBe(2);
    expect(stderr).toContain('is written or read by something else');
    expect(readdirSync(out)).toEqual([]);
  });

  test.runIf(existsSync('/proc'))('a folder that nobody can make is a mistake of usage', async () => {
    const { code, stderr } = await runCli(['run', 'jti-absent', '--out', '/proc/nix/deeper']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'carrierspec: --out: /proc/nix/deeper cannot be written: there is no such folder\n',
    });
  });
});
