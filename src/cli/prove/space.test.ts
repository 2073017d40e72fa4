import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCli } from '../../testing/spawn-cli.ts';
import { makeFolder } from '../../testing/target-file.ts';

const timeLimit = 120_000;
const out = makeFolder();
const space = (...args: readonly string[]) => runCli(['prove', '--space', ...args, '--out', out], { timeLimit });

describe('carrierspec prove --space', () => {
  test('draws carriers from a seed, says what they cover, and writes a report', { timeout: timeLimit }, async () => {
    const { code, stdout } = await space('--count', '1', '--seed', '7', 'callback-cache');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Seed 7: \d+ freedoms with [\d,]+ choices; \d+ of \d+ pairs of choices/);
    expect(stdout).toContain('Green: 1 conforming carrier, and no rule red or without a verdict.');
    const report: unknown = JSON.parse(readFileSync(join(out, 'space.json'), 'utf8'));
    expect(report).toMatchObject({
      format: 'carrierspec-space',
      seed: '7',
      carriers: [{ number: 1, status: 'green', troubles: [] }],
      causes: [],
    });
  });

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
