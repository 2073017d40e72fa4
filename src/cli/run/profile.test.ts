import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readResult } from '../../journal/read-result.ts';
import { parseOwnJson } from '../../lib/json.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import {
  makeFolder,
  type SpawnedCarrier,
  startCarrier,
  stopCarrier,
  writeTarget,
} from '../../testing/program/target-file.ts';

/** Breaks a noncritical rule of the baseline and none of the interface. */
const broken = ['run', 'SEC-34', 'REQ-014', '--fault', 'token-answer-cacheable'];

describe('run --profile', () => {
  test('interface is the profile unless said: the outcome is that of the interface, and both verdicts are told', async () => {
    const out = makeFolder();
    const { code, stdout } = await runCli([...broken, '--out', out]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/interface {2}conformant in the 1 of \d+ required rules that were run/);
    expect(stdout).toMatch(/baseline {3}not conformant, 0\/1 of \d+ required rules/);
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
    expect(junit).toMatch(/<property name="verdict.baseline" value="not conformant, 0\/1 of \d+ required rules"\/>/);
    expect(junit).toMatch(
      /<property name="headline" value="conformant in the 1 of \d+ required rules of the interface and the 1 of \d+ critical rules of the baseline that were run \(test carrier; virtual clock: it says nothing about real time; profile interface\)"\/>/,
    );
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

  const lax = ['--fault', 'jti-never-kept', '--fault', 'iat-window-10-minutes'];
  const fresh = ['REQ-014', 'jti-again-with-new-iat', 'iat-just-too-old'];

  test.each([
    ['interface', 0],
    ['hardened', 0],
    ['strict', 1],
  ])('%s: a carrier that keeps no jti and takes request objects of ten minutes ends with %i', async (profile, code) => {
    const out = makeFolder();
    const ran = await runCli(['run', ...fresh, ...lax, '--profile', profile, '--out', out]);
    expect(ran.code, ran.stdout).toBe(code);
    if (code === 0) return;
    expect(ran.stdout).toContain('2 required or recommended rules are broken');
    expect(ran.stdout).toMatch(/REQ-015 {2}recommended, required in the profile strict/);
    const { rules, header } = readResult(join(out, 'result.json')).result;
    expect(header.profile).toBe('strict');
    expect(rules.find(({ id }) => id === 'REQ-015')).toMatchObject({
      level: 'required',
      stated: 'recommended',
      verdict: 'fail',
    });
    const junit = readFileSync(join(out, 'junit.xml'), 'utf8');
    expect(junit).toContain('failures="2"');
    expect(junit).toContain('<property name="profile" value="strict"/>');
  });

  test('a carrier without faults keeps to strict; the headline counts recommended rules', async () => {
    const { code, stdout } = await runCli(['run', ...fresh, '--profile', 'strict', '--out', makeFolder()]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/Conformant in the \d+ of \d+ required and recommended rules that were run/);
  });

  test('names the profiles where another is asked for', async () => {
    const { code, stderr } = await runCli(['run', '--profile', 'hard', '--out', makeFolder()]);
    expect(code).toBe(2);
    expect(stderr).toBe('carrierspec: --profile: "hard" is none of interface, hardened, strict\n');
  });
});

describe('a run in which no required rule was judged', () => {
  test('is nowhere called conformant, and ends with 0', async () => {
    const out = makeFolder();
    const formats = ['json', 'junit', 'html', 'markdown', 'annotations', 'ctrf', 'sarif'];
    const reports = formats.flatMap((name) => ['--report', `${name}=${join(out, name)}`]);
    const { code, stdout } = await runCli(['run', 'iat-just-too-old', ...reports, '--out', out]);
    expect(code).toBe(0);
    expect(stdout).toContain('No required rule was judged: none that applies was selected');
    expect(stdout).toContain('No required rule was judged: exit code 0');
    expect(stdout).not.toMatch(/\bconformant\b/i);
    for (const name of formats.filter((one) => one !== 'html')) {
      expect(readFileSync(join(out, name), 'utf8'), name).not.toMatch(/\bconformant\b/i);
    }
    const page = readFileSync(join(out, 'html'), 'utf8');
    expect(page).toMatch(/<title>No required rule was judged/);
    expect(page.slice(page.indexOf('<body>'), page.indexOf('<script'))).not.toMatch(/\bconformant\b/i);
  });
});

describe('a part of the rules', () => {
  test('is called a part, of a test carrier on a virtual clock, in every report', async () => {
    const out = makeFolder();
    const formats = ['junit', 'html', 'markdown', 'annotations', 'ctrf', 'sarif'];
    const reports = formats.flatMap((name) => ['--report', `${name}=${join(out, name)}`]);
    const { code, stdout } = await runCli(['run', 'approval-brings-tokens', ...reports, '--out', out]);
    expect(code).toBe(0);
    const words = /conformant in the \d+ of \d+ required rules that were run/i;
    expect(stdout.match(new RegExp(words, 'gi'))).toHaveLength(3);
    for (const name of formats) {
      const text = readFileSync(join(out, name), 'utf8');
      for (const one of [words, /test carrier/i, /virtual clock/i, /profile interface/i])
        expect(text, name).toMatch(one);
    }
    const page = readFileSync(join(out, 'html'), 'utf8');
    expect(page).toContain('<header class="first o-part"');
    expect(page).toContain('<strong>Not selected:</strong>');
    expect(readFileSync(join(out, 'markdown'), 'utf8')).toMatch(/^# ⚪ carrierspec: conformant in the/);
  });
});

describe('profile of a target file', () => {
  let carrier: SpawnedCarrier;
  beforeAll(async () => {
    carrier = await startCarrier(['--clock', 'virtual', '--fault', 'iat-window-10-minutes']);
  });
  afterAll(() => stopCarrier(carrier));

  test.each([
    [[], 'strict', 1],
    [['--profile', 'interface'], 'interface', 0],
  ])('counts unless the command line names another: %j', async (flags, profile, code) => {
    const out = makeFolder();
    const target = writeTarget((given) => ({ ...given, profile: 'strict' }));
    const what = ['run', 'REQ-014', 'iat-just-too-old', '--target', target, ...flags, '--out', out];
    const ran = await runCli(what, { env: carrier.env });
    expect(ran.code, ran.stdout + ran.stderr).toBe(code);
    const { header } = readResult(join(out, 'result.json')).result;
    expect(header.profile).toBe(profile);
    expect(header.flags).toEqual(['--target', target, '--profile', profile]);
  });
});
