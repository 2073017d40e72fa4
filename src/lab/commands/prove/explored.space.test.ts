import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseJson } from '../../../lib/json.ts';
import { spawnCli } from '../../../testing/program/spawn-cli.ts';
import { makeFolder } from '../../../testing/program/target-file.ts';

const timeLimit = 600_000;

it('explores drawn carriers that conform, and finds nothing', { timeout: timeLimit }, async () => {
  const out = makeFolder();
  const flags = ['--count', '2', '--requests', '400', '--seed', 'explored', '--out', out];
  const { code, stdout, stderr } = await spawnCli(['prove', '--space', '--explore', ...flags], { timeLimit });
  expect(stdout, stderr).toContain('Green: 2 conforming carriers explored, and nothing found.');
  expect(code).toBe(0);
  expect(parseJson(readFileSync(join(out, 'explored-space.json'), 'utf8'))).toMatchObject({
    format: 'carrierspec-explored-space',
    seed: 'explored',
    carriers: [
      { number: 1, shown: [] },
      { number: 2, shown: [] },
    ],
  });
});

it('needs --space', async () => {
  const { code, stderr } = await spawnCli(['prove', '--explore']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('--explore: needs --space')]);
});
