import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readResult } from '../../journal/read-result.ts';
import { parseOwnJson } from '../../lib/json.ts';
import { runCli } from '../../testing/run-cli.ts';
import { makeFolder } from '../../testing/target-file.ts';

/** Breaks a rule of the baseline that is not critical, and none of the interface. */
const broken = ['run', 'SEC-34', 'REQ-014', '--fault', 'token-answer-cacheable'];

describe('run --profile', () => {
  test('interface is the profile unless said: the outcome is that of the interface, and both verdicts are told', async () => {
    const out = makeFolder();
    const { code, stdout } = await runCli([...broken, '--out', out]);
    expect(code).toBe(0);
    expect(stdout).toContain('interface  conformant, 1/1 of 1 required rules');
    expect(stdout).toContain('baseline   not conformant, 0/1 of 1 required rules');
    const result = parseOwnJson(readFileSync(join(out, 'result.json'), 'utf8'));
    expect(result).toMatchObject({
      profile: 'interface',
      footer: {
        outcome: 'conformant',
        conclusions: { interface: { outcome: 'conformant' }, baseline: { outcome: 'not conformant' } },
      },
    });
    const junit = readFileSync(join(out, 'junit.xml'), 'utf8');
    expect(junit).toContain('failures="0"');
    expect(junit).toContain('<property name="verdict.baseline" value="not conformant, 0/1 of 1 required rules"/>');
    expect(junit).toContain('of a rule that does not count for the outcome');
  });

  test('hardened makes the whole baseline count, and again where a finding is shown again', async () => {
    const out = makeFolder();
    const { code, stdout } = await runCli([...broken, '--profile', 'hardened', '--out', out]);
    expect(code).toBe(1);
    expect(stdout).toContain('Not conformant: 1 required rule is broken');
    const { header } = readResult(join(out, 'result.json')).result;
    expect(header.flags).toEqual(['--fault', 'token-answer-cacheable', '--profile', 'hardened']);
    const shown = /carrierspec (run .* --profile hardened)$/m.exec(stdout)?.[1]?.split(' ') ?? [];
    expect((await runCli([...shown, '--out', makeFolder()])).code).toBe(1);
    const last = await runCli(['run', '--last-failed', '--out', out]);
    expect(last.code, last.stderr).toBe(1);
  });

  test('names the profiles where another is asked for', async () => {
    const { code, stderr } = await runCli(['run', '--profile', 'hard', '--out', makeFolder()]);
    expect(code).toBe(2);
    expect(stderr).toBe('carrierspec: --profile: "hard" is none of interface, hardened\n');
  });
});
