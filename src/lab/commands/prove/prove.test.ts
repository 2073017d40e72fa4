import { describe, expect, test } from 'vitest';
import { runCli } from '../../../testing/program/run-cli.ts';
import { makeFolder } from '../../../testing/program/target-file.ts';

const out = makeFolder();
const prove = (...args: readonly string[]) => runCli(['prove', ...args, '--out', out]);

/** The proofs take a minute: prove.prove.test.ts. */
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
    [['--resume'], '--resume: needs --concerned or --whole, and goes with neither --space nor --drawn'],
    [
      ['--space', '--against', 'a.json'],
      '--against: compares proofs of faults; it goes with neither --space nor --deep',
    ],
    [['--seed', '7'], '--seed: needs --space'],
    [['--show', 'there'], '--show: needs --space'],
    [['--space', '--drawn'], '--drawn: proves faults, and --space proves carriers; give one of them'],
  ])('flags that do not belong together: %s', async (flags, message) => {
    expect(await prove(...flags)).toMatchObject({ code: 2, stdout: '', stderr: `carrierspec: ${message}\n` });
  });
});
