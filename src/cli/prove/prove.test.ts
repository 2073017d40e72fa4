import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCli } from '../../testing/run-cli.ts';
import { makeFolder, writeFolder } from '../../testing/target-file.ts';

const timeLimit = 240_000;
const out = makeFolder();
const prove = (...args: readonly string[]) => runCli(['prove', ...args, '--out', out], { timeLimit });

const rules =
  'area: mine\ntitle: Mine\nrules:\n  - { id: MY-001, clause: "1", level: required, description: It is accepted., judged: cases }\n';
const suite =
  'suite: Mine\ncases:\n  - id: my-case\n    title: It is accepted\n    rule: MY-001\n    detects: [jti-kept-2-minutes]\n    steps:\n      - authorize: {}\n        expect: accepted\n';

/** With a suite of one's own beside those that ship: the clean run is made once for all. */
describe('carrierspec prove', () => {
  const suites = ['--suites', writeFolder({ 'mine/rules.yaml': rules, 'mine/mine.suite.yaml': suite })];

  test('proves one fault, remembers the clean run, and writes the matrix', {
    timeout: 2 * timeLimit,
  }, async () => {
    const first = await prove('jti-trimmed', ...suites);
    expect(first, first.stderr).toMatchObject({ code: 0 });
    expect(first.stdout).toMatch(/^ {2}killed {8}jti-trimmed {2}\d+ of \d+ cases\n {16}REQ-015 warn\n/);
    expect(first.stdout).not.toContain('clean run is that of');
    const matrix: unknown = JSON.parse(readFileSync(join(out, 'matrix.json'), 'utf8'));
    expect(matrix).toMatchObject({
      format: 'carrierspec-matrix',
      rows: { 'jti-trimmed': { kind: 'fault', status: 'killed' } },
    });
    const second = await prove('jti-trimmed', ...suites);
    expect(second.stdout).toContain('The clean run is that of the last proof');
  });

  test('with --whole every case runs, the row is the same, and a suite of one’s own that says too much is told so', {
    timeout: 2 * timeLimit,
  }, async () => {
    const { code, stdout } = await prove('jti-kept-2-minutes', '--whole', ...suites);
    expect(code).toBe(1);
    expect(stdout).toContain('Every case ran for every fault.');
    expect(stdout).toMatch(/killed {8}jti-kept-2-minutes {2}(\d+) of \1 cases\n {16}REQ-015 warn\n/);
    expect(stdout).toContain('says it detects jti-kept-2-minutes, but stays as it was: my-case');
  });

  test('a name that is no fault is a mistake of usage', async () => {
    const { code, stderr } = await prove('jti-nevr-kept');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'carrierspec: there is no fault or variant jti-nevr-kept; did you mean jti-never-kept?\n',
    });
  });

  test.each([
    [['--only', '9'], '--only: needs --space'],
    [['--seed', '7'], '--seed: needs --space'],
    [['--show', 'there'], '--show: needs --space'],
    [['--space', '--drawn'], '--drawn: proves faults, and --space proves carriers; give one of them'],
  ])('flags that do not belong together: %s', async (flags, message) => {
    expect(await prove(...flags)).toMatchObject({ code: 2, stdout: '', stderr: `carrierspec: ${message}\n` });
  });
});
