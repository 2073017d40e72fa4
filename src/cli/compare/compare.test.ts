import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { runCli } from '../../testing/program/run-cli.ts';
import { makeFolder } from '../../testing/program/target-file.ts';

const folder = makeFolder();
const at = (name: string): string => join(folder, name);
const compare = (...args: readonly string[]) => runCli(['compare', ...args], { cwd: folder });
const [one, other, changed] = ['one/result.json', 'other/result.json', 'changed/result.json'];

/** Two runs of the reference carrier, one with a fault, and a run with different suites. */
beforeAll(async () => {
  const run = ['run', 'jti-again-after-4m30s', 'denial-is-request-denied'];
  await Promise.all([
    runCli([...run, '--out', at('one')]),
    runCli([...run, '--out', at('other'), '--fault', 'jti-kept-2-minutes']),
  ]);
  mkdirSync(at('changed'));
  const text = readFileSync(at(one), 'utf8');
  writeFileSync(at(changed), text.replace(/"suites":"sha256:..../, '"suites":"sha256:0000'));
});

describe('compare', () => {
  test('shows on the terminal what differs, and ends with 0', async () => {
    const { code, stdout, stderr } = await compare(one, other);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^2 results, one carrier over time: \d+ of \d+ rules differ/);
    expect(stdout).toMatch(/\nREQ-015 {2}recommended {2}§2\.3 jti[^\n]*\n[^\n]*\n +verdict +A {2}pass {4}B {2}warn\n/);
    expect(stdout).toMatch(/after-4m30s +A {2}denied 400 invalid_request {4}B {2}accepted 200/);
    expect(stdout.split('\n').length).toBeLessThan(40);
    // A rule that is the same in both is counted, and not shown.
    expect(stdout).not.toContain('CB-022');
  });

  test('writes each format, and nothing on stdout', async () => {
    const names = ['terminal', 'html', 'json'];
    const reports = names.flatMap((name) => ['--report', `${name}=${name}.out`]);
    const { code, stdout, stderr } = await compare(one, other, ...reports);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toBe(`reports: ${names.map((name) => `${name}.out`).join(', ')}\n`);
    for (const name of names) expect(readFileSync(at(`${name}.out`), 'utf8')).toContain('REQ-015');
  });

  test('refuses other suites, and joins them once told so', async () => {
    const refused = await compare(one, changed);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(/^carrierspec: changed\/result\.json: it is not as its run wrote it: /);
    expect(refused.stderr.split('\n').slice(1).join('\n')).toBe(
      `carrierspec: the results were made with different suites (A / B): A is ${one}, B is ${changed}. A verdict of one is not that of another; --shared joins them nevertheless and shows only what they share\n`,
    );
    const joined = await compare(one, changed, '--shared');
    expect(joined.code).toBe(0);
    expect(joined.stdout).toContain('The suites are not the same');
  });

  test('a run that was cut off is compared, and said to be', async () => {
    mkdirSync(at('cut'));
    writeFileSync(at('cut/result.json'), readFileSync(at(one), 'utf8').replace(/,\n"footer":.*\n/, '\n'));
    const { code, stdout, stderr } = await compare(one, 'cut/result.json');
    expect(code).toBe(0);
    expect(stderr).toContain('the run was cut off');
    expect(stdout).toContain('B was cut off: what is missing in it says nothing.');
  });

  test.each([
    ['one result', [one], 'compare needs two results or more'],
    ['a result that is not there', [one, 'nowhere.json'], 'nowhere.json cannot be read: there is no such file'],
    ['an unknown format', [one, other, '--report', 'docx=x'], '--report: "docx" is none of terminal, html, json'],
    ['no path', [one, other, '--report', 'html'], '--report: html needs a path, as html=PATH; - is stdout'],
    [
      'two on stdout',
      [one, other, '--report', 'html=-', '--report', 'json=-'],
      '--report: only one report can go to stdout',
    ],
    [
      'a report over a result',
      [one, other, '--report', `json=${other}`],
      `--report: ${other} is written or read by something else`,
    ],
  ])('%s is a mistake of usage', async (_, args, message) => {
    expect(await compare(...args)).toEqual({ code: 2, stdout: '', stderr: `carrierspec: ${message}\n` });
  });
});
