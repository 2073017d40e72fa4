import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseProofMatrix } from '../../prove/matrix.ts';
import { runCli } from '../../../testing/program/run-cli.ts';
import { makeFolder, writeFolder } from '../../../testing/program/target-file.ts';

const timeLimit = 120_000;
const out = makeFolder();
const prove = (...args: readonly string[]) => runCli(['prove', ...args, '--out', out], { timeLimit });

/** A suite of the user's with one case. */
const ownSuite = (expected: string) =>
  writeFolder({
    'mine/rules.yaml':
      'area: mine\ntitle: Mine\nrules:\n  - { id: MY-001, clause: "1", level: required, description: It is accepted., judged: cases }\n',
    'mine/mine.suite.yaml': `suite: Mine\ncases:\n  - id: my-case\n    title: It is accepted\n    rule: MY-001\n    steps:\n      - authorize: {}\n        control: true\n      - authorize: { claims: { aud: "https://other.test" } }\n        expect: ${expected}\n`,
  });

/** Every fault is proved by whole.prove.test.ts. */
describe('carrierspec prove', () => {
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
  ])('flags that do not belong together: %s', async (flags, message) => {
    expect(await prove(...flags)).toMatchObject({ code: 2, stdout: '', stderr: `carrierspec: ${message}\n` });
  });

  test('proves a fault, and writes the golden matrix with its row', { timeout: timeLimit }, async () => {
    const { code, stdout, stderr } = await prove('aud-not-checked');
    expect(code, `${stdout}${stderr}`).toBe(0);
    expect(stdout).toMatch(/^ {2}killed {8}aud-not-checked {2}\d+ of \d+ cases\n/);
    expect(stdout).toMatch(
      /\nProved: every fault turned exactly the rules it is declared to break, and no variant any\.\n$/,
    );
    const golden = parseProofMatrix(readFileSync('fixtures/prove/matrix.json', 'utf8'));
    expect(parseProofMatrix(readFileSync(join(out, 'matrix.json'), 'utf8'))).toEqual(golden);
  });

  test('proves a suite of one’s own, whose rules may turn with any fault', { timeout: timeLimit }, async () => {
    const { code, stdout, stderr } = await prove('aud-not-checked', '--suites', ownSuite('denied'));
    expect(code, `${stdout}${stderr}`).toBe(0);
    expect(stdout).toMatch(/\bMY-001 fail\b/);
  });

  test('proves nothing with a suite in which the clean carrier does not conform', { timeout: timeLimit }, async () => {
    const { code, stderr } = await prove('aud-not-checked', '--suites', ownSuite('accepted'));
    expect(code).toBe(2);
    expect(stderr).toContain('the clean reference carrier does not conform: MY-001 turned red on it');
  });
});
