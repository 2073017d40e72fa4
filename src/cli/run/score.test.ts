import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readResult } from '../../journal/read-result.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import { makeFolder } from '../../testing/program/target-file.ts';

test('conformant is a full score: a recommended aspect of a required rule counts as recommended', async () => {
  const out = makeFolder();
  const { code, stdout } = await runCli(['run', 'DSC-010', '--fault', 'discovery-subject-public', '--out', out]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Conformant in the 1 of \d+ required rules/m);
  expect(stdout).toMatch(/^ {2}interface +conformant in the 1 of \d+ required rules that were run$/m);
  const { footer, rules } = readResult(join(out, 'result.json')).result;
  expect(rules).toMatchObject([
    { id: 'DSC-010', verdict: 'warn', level: 'required', levels: { required: true, recommended: false } },
  ]);
  expect(footer?.score).toMatchObject({
    required: { conforming: 1, judged: 1, applicable: 1 },
    recommended: { conforming: 0, judged: 1, applicable: 1 },
  });
  expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain('<span class="level">recommended</span>');
});
