import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCli } from '../../testing/program/run-cli.ts';
import { shellWords } from '../../testing/program/shell-words.ts';
import { root, startCli } from '../../testing/program/spawn-cli.ts';

const page = readFileSync(join(root, 'docs/spot-checks.md'), 'utf8');

/** Commands that run until Ctrl-C. */
const waits = new Set(['listen']);

const rows = [...page.matchAll(/^\| ([^|]+) \| `carrierspec ([^`]+)` \| [^|]+ \|$/gm)].map(
  ([, what = '', line = '']) => [what, shellWords(line)] as const,
);

describe('the table of docs/spot-checks.md', () => {
  test('has twenty and more', () => {
    expect(rows.length).toBeGreaterThanOrEqual(20);
  });

  test.each(rows)('%s', async (_, words) => {
    if (waits.has(words[0] ?? '')) {
      const running = startCli(words);
      await running.stderr(/^listening on /m);
      running.interrupt();
      expect((await running.ended).code).toBe(0);
      return;
    }
    const { code, stdout } = await runCli(words);
    expect(code).toBe(words.includes('--fault') ? 1 : 0);
    expect(stdout.split('\n').length).toBeGreaterThan(3);
  });
});
