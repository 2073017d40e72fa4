import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCli } from '../../testing/program/run-cli.ts';
import { makeFolder } from '../../testing/program/target-file.ts';

describe('run --without', () => {
  test('leaves an area out of cases, rules and score', async () => {
    const out = makeFolder();
    const { code } = await runCli(['run', 'SEC-14', 'REQ-014', '--without', 'request-object', '--out', out]);
    expect(code).toBe(2);
    const left = await runCli(['run', 'jti-absent', '--without', 'baseline', '--out', out]);
    expect(left.code).toBe(0);
    const result = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')) as {
      flags: readonly string[];
      rules: readonly { id: string; area: string }[];
    };
    expect(result.flags).toEqual(['--without', 'baseline']);
    expect(result.rules.map(({ id }) => id)).toEqual(['REQ-014']);
  });

  test('says which area was meant', async () => {
    const { code, stderr } = await runCli(['run', '--without', 'baselin', '--out', makeFolder()]);
    expect(code).toBe(2);
    expect(stderr).toBe('carrierspec: --without: there is no area baselin; did you mean baseline?\n');
  });
});
