import { describe, expect, test } from 'vitest';
import { runCli } from '../../../testing/program/run-cli.ts';
import { makeFolder } from '../../../testing/program/target-file.ts';

const timeLimit = 120_000;
const out = makeFolder();
const space = (...args: readonly string[]) => runCli(['prove', '--space', ...args, '--out', out], { timeLimit });

describe('carrierspec prove --space', () => {
  test.each([
    { args: ['no-such-freedom'], message: /there is no freedom no-such-freedom; / },
    { args: ['json-writing/no-such'], message: /there is no choice json-writing\/no-such; / },
    { args: ['--show', 'x'], message: /--show: needs --only, or the choices of one carrier/ },
  ])('a name that is none is a mistake of usage: $args', async ({ args, message }) => {
    const { code, stderr } = await space(...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});
