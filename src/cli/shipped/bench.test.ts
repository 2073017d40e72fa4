import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { expect, test } from 'vitest';

test('what is measured is there: every measurement loads, and one that is unknown is refused', () => {
  const { status, stderr } = spawnSync(process.execPath, ['bench/bench.js', 'nothing'], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([2, expect.stringMatching(/^no section nothing; there are rate, start, memory, /)]);
});
