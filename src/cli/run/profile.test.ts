import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runInto } from '../../testing/program/run-into.ts';
import { makeFolder, startCarrier, writeTarget } from '../../testing/program/target-file.ts';

/** Breaks a noncritical rule of the baseline and none of the interface. */
const broken = ['SEC-3?', 'REQ-014', '--fault', 'token-answer-cacheable'];
const reportIn = (out: string, name: string): string => readFileSync(join(out, name), 'utf8');

describe('run --profile', () => {
  test('interface is the default: what is broken and does not count is listed as that', async () => {
    const { code, stdout, out, result } = await runInto(broken);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Conformant in the 5 of \d+ required rules that were run; 1 rule that does not count is broken: exit code 0$/m,
    );
    expect(stdout).toMatch(/^Broken, but not counted {2}1 rule\n {2}SEC-34 /m);
    expect(result).toMatchObject({
      header: { profile: 'interface' },
      footer: { outcome: 'conformant', score: { required: { conforming: 5, judged: 5 } } },
    });
    const junit = reportIn(out, 'junit.xml');
    expect(junit).toContain('failures="0"');
    expect(junit).toMatch(
      /<property name="headline" value="conformant in the 5 of \d+ required rules that were run; 1 rule that does not count is broken \(test carrier; virtual clock: it says nothing about real time; profile interface\)"\/>/,
    );
    expect(junit).toContain('<skipped>broken, but not counted\n');
  });

  test('hardened makes the whole baseline count, also where a finding is shown again', async () => {
    const { code, stdout, result } = await runInto(['SEC-34', ...broken.slice(1), '--profile', 'hardened']);
    expect(code).toBe(1);
    expect(stdout).toContain('Not conformant: exit code 1\n  1 required rule is broken.\n');
    expect(result.header.flags).toEqual(['--fault', 'token-answer-cacheable', '--profile', 'hardened']);
    const shown = /carrierspec run (.* --profile hardened)$/m.exec(stdout)?.[1]?.split(' ') ?? [];
    expect((await runInto(shown)).code).toBe(1);
  });

  const fresh = ['REQ-014', 'jti-again-with-new-iat', 'iat-just-too-old'];

  test('strict makes recommended rules required, which hardened does not', async () => {
    const lax = [...fresh, '--fault', 'jti-never-kept', '--fault', 'iat-window-10-minutes'];
    expect((await runInto([...lax, '--profile', 'hardened'])).code).toBe(0);
    const { code, stdout, out, result } = await runInto([...lax, '--profile', 'strict']);
    expect(code).toBe(1);
    expect(stdout).toContain('2 required or recommended rules are broken');
    expect(stdout).toMatch(/REQ-015 {2}recommended, required in this run/);
    expect(result.header.profile).toBe('strict');
    expect(result.rules.find(({ id }) => id === 'REQ-015')).toMatchObject({
      level: 'required',
      stated: 'recommended',
      verdict: 'fail',
    });
    expect(reportIn(out, 'junit.xml')).toContain('failures="5"');
    expect(reportIn(out, 'junit.xml')).toContain('<property name="profile" value="strict"/>');
    const clean = await runInto([...fresh, '--profile', 'strict']);
    expect(clean).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /Conformant in the \d+ of \d+ required and recommended rules that were run/,
      ) as string,
    });
  });

  test('the profile of a target file counts unless the command line names another', async () => {
    const { env } = await startCarrier(['--clock', 'virtual', '--fault', 'iat-window-10-minutes']);
    const target = writeTarget((given) => ({ ...given, profile: 'strict' }));
    const what = ['REQ-014', 'iat-just-too-old', '--target', target];
    const own = await runInto(what, { env });
    expect([own.code, own.result.header.profile]).toEqual([1, 'strict']);
    expect(own.result.header.flags).toEqual(['--target', target, '--profile', 'strict']);
    const other = await runInto([...what, '--profile', 'interface'], { env });
    expect([other.code, other.result.header.profile]).toEqual([0, 'interface']);
  });
});

test('a recommended aspect of a required rule counts as recommended', async () => {
  const { code, stdout, out, result } = await runInto(['DSC-010', '--fault', 'discovery-subject-public']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Conformant in the 1 of \d+ required rules that were run/m);
  expect(result.rules).toMatchObject([
    { id: 'DSC-010', verdict: 'warn', level: 'required', levels: { required: true, recommended: false } },
  ]);
  expect(result.footer?.score).toMatchObject({
    required: { conforming: 1, judged: 1, applicable: 1 },
    recommended: { conforming: 0, judged: 1, applicable: 1 },
  });
  expect(reportIn(out, 'report.html')).toContain('<span class="level">recommended</span>');
});

describe('a part of the rules', () => {
  const formats = ['json', 'junit', 'html', 'markdown', 'annotations', 'ctrf', 'sarif'];

  /** Runs with every report; returns the text of each by its format. */
  async function runReported(what: string) {
    const out = makeFolder();
    const reports = formats.flatMap((name) => ['--report', `${name}=${join(out, name)}`]);
    const { code, stdout } = await runInto([what, ...reports], { out });
    expect(code).toBe(0);
    return { stdout, texts: new Map(formats.map((name) => [name, reportIn(out, name)])) };
  }

  test('without a required rule is nowhere called conformant', async () => {
    const { stdout, texts } = await runReported('iat-just-too-old');
    expect(stdout).toContain('No required rule was judged: exit code 0\n  None that applies was selected.\n');
    const page = texts.get('html') ?? '';
    expect(page).toMatch(/<title>No required rule was judged/);
    texts.set('html', page.slice(page.indexOf('<body>'), page.indexOf('<script')));
    for (const [name, text] of [...texts, ['terminal', stdout]]) expect(text, name).not.toMatch(/\bconformant\b/i);
  });

  test('is called a part, of a test carrier on a virtual clock, in every report', async () => {
    const { stdout, texts } = await runReported('approval-brings-tokens');
    const words = /conformant in the \d+ of \d+ required rules that were run/i;
    expect(stdout.match(new RegExp(words, 'gi'))).toHaveLength(1);
    for (const [name, text] of [...texts].filter(([one]) => one !== 'json'))
      for (const one of [words, /test carrier/i, /virtual clock/i, /profile interface/i])
        expect(text, name).toMatch(one);
    expect(texts.get('html')).toContain('<header class="first o-part"');
    expect(texts.get('html')).toContain('<strong>Not selected:</strong>');
    expect(texts.get('markdown')).toMatch(/^# ⚪ carrierspec: conformant in the/);
  });
});
