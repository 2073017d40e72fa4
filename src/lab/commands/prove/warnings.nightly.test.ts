import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { spawnCli } from '../../../testing/program/spawn-cli.ts';
import { makeFolder } from '../../../testing/program/target-file.ts';

describe('what only warns takes no verdict (P10, C7.13)', () => {
  it('leaves a carrier with many such deviations conformant', async () => {
    const faults = [
      'absent-members-empty',
      'event-retried-once',
      'expires-in-with-blanks',
      'iat-window-4-minutes',
      'tenure-as-boolean',
      'times-out-silently',
    ];
    const out = makeFolder();
    const named = faults.flatMap((name) => ['--fault', name]);
    const { code, stdout } = await spawnCli(['run', ...named, '--out', out], { timeLimit: 280_000 });
    const { rules } = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')) as {
      readonly rules: readonly { readonly id: string; readonly level: string; readonly verdict: string }[];
    };
    const others = rules.filter(
      ({ level, verdict }) => level === 'required' && (verdict === 'fail' || verdict === 'inconclusive'),
    );
    expect(others.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([]);
    expect(rules.filter(({ verdict }) => verdict === 'warn').map(({ id }) => id)).toEqual(
      expect.arrayContaining(['CB-019', 'EVT-013', 'FLOW-013', 'REQ-009', 'RSP-005', 'UT-014']),
    );
    expect(stdout).toContain('exit code 0');
    expect(code).toBe(0);
  }, 300_000);
});
