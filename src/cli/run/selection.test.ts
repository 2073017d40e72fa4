import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { certify } from '../../api/certify.ts';
import type { CertifyOptions } from '../../api/options.ts';
import type { Json } from '../../lib/json.ts';
import { readResult } from '../../journal/read-result.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import { runInto } from '../../testing/program/run-into.ts';
import { makeFolder, startCarrier, writeTarget } from '../../testing/program/target-file.ts';
import { parseShard } from './settings.ts';

test('--without leaves an area out of cases, rules and score', async () => {
  expect((await runInto(['SEC-14', 'REQ-014', '--without', 'request-object'])).code).toBe(2);
  const { code, result } = await runInto(['jti-absent', '--without', 'baseline']);
  expect([code, result.header.flags, result.rules.map(({ id }) => id)]).toEqual([
    0,
    ['--without', 'baseline'],
    ['REQ-014'],
  ]);
  const stderr = 'carrierspec: --without: there is no area baselin; did you mean baseline?\n';
  expect(await runInto(['--without', 'baselin'])).toMatchObject({ code: 2, stderr });
});

describe('--safe', () => {
  const named = ['flag-enum', 'phone-number-almost-of-a-subscriber', 'jti-absent', 'success-callback-members'];
  const leaveOut = (risk: string, does: string) => ({
    verdict: 'not-run',
    leftOut: true,
    reason: `left out by --without ${risk} (or --safe): it ${does}`,
  });

  test('cases that are unfit for production do not run, and their rules have no verdict', async () => {
    const { code, result, plain } = await runInto([...named, '--safe']);
    expect([code, result.header.flags]).toEqual([0, ['--without', 'unsafe']]);
    const byId = Object.fromEntries([...result.cases].map((one) => [one.id, one]));
    expect(byId['flag-enum']).toMatchObject(leaveOut('changes', 'changes a registration or the keys of the carrier'));
    expect(byId['phone-number-almost-of-a-subscriber/longer']).toMatchObject(
      leaveOut('strangers', 'names a user who is no subscriber of the target file'),
    );
    expect(byId['success-callback-members']?.verdict).toBe('pass');
    expect(byId['success-callback-members']).not.toHaveProperty('leftOut');
    expect(result.rules.map(({ id }) => id)).toContain('REQ-014');
    // REQ-066 is a rule of the left-out phone numbers.
    expect(result.rules.map(({ id }) => id)).not.toContain('REQ-066');
    expect(result.footer).toMatchObject({ leftOut: 4, outcome: 'conformant' });
    expect(plain).toMatch(/Conformant in the \d of \d+ required rules that were run: exit code 0/);
    expect(plain).toContain('left out 4 cases as unfit for production, and their rules have no verdict');
    expect(plain).toContain('next carrierspec run --without unsafe judges every rule that is fit for production');
  });

  test('a defect that a case shows which is fit counts, though the rule has a case that is left out', async () => {
    const fault = ['--fault', 'iat-not-checked'];
    const { code, result } = await runInto([
      'iat-far-too-old',
      'jti-absent',
      '--safe',
      ...fault,
      '--profile',
      'strict',
    ]);
    expect(code).toBe(1);
    expect(result.rules.find(({ verdict }) => verdict === 'fail')).toBeDefined();
  });

  test('--last-failed does not run these cases again', async () => {
    const { out } = await runInto([...named, '--safe']);
    const again = await runInto(['--last-failed'], { out });
    expect(again).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^--last-failed: 0 of \d+ cases? of /) as unknown,
    });
  });

  test('one kind alone, all of a selection, and words that are none', async () => {
    const { result } = await runInto(['flag-enum', 'jti-absent', '--without', 'strangers']);
    expect([...result.cases].map(({ verdict }) => verdict)).toEqual(['pass', 'pass']);
    expect(await runInto(['flag-enum', '--safe'])).toMatchObject({
      code: 2,
      stderr:
        'carrierspec: nothing of flag-enum would run: flag-enum is left out by --without changes (or --safe): it changes a registration or the keys of the carrier\n',
    });
    const stderr = 'carrierspec: --without: there is no area flods; did you mean floods?\n';
    expect(await runInto(['--without', 'flods'])).toMatchObject({ code: 2, stderr });
  });

  test('parts of it merge to a whole, which still says so', async () => {
    const parts = await Promise.all(['1/2', '2/2'].map((part) => runInto([...named, '--safe', '--shard', part])));
    const out = makeFolder();
    const merged = await runCli(['merge', ...parts.map((part) => join(part.out, 'result.json')), '--out', out]);
    expect(merged.code, merged.stderr).toBe(0);
    const { result } = readResult(join(out, 'result.json'));
    expect(result.footer).toMatchObject({ leftOut: 4, outcome: 'conformant' });
  });
});

describe('--shard', () => {
  test.each([
    ['1/1', {}, { index: 1, of: 1 }],
    ['2/4', {}, { index: 2, of: 4 }],
    ['4/4', { JOB_COMPLETION_INDEX: '0' }, { index: 4, of: 4 }],
    ['auto/4', { JOB_COMPLETION_INDEX: '0' }, { index: 1, of: 4 }],
    ['auto/4', { JOB_COMPLETION_INDEX: '3' }, { index: 4, of: 4 }],
  ])('%s with %j', (text, env, shard) => expect(parseShard(text, env)).toEqual(shard));

  const noPart = 'is no part such as 2/4 or auto/4';
  test.each<[text: string, env: Readonly<Record<string, string>>, why: string]>([
    ['', {}, noPart],
    ['2', {}, noPart],
    ['2/4/8', {}, noPart],
    ['1.5/4', {}, noPart],
    ['-1/4', {}, noPart],
    ['0/4', {}, 'means part 0 of 4: parts are counted from 1'],
    ['5/4', {}, 'means part 5 of 4: parts are counted from 1'],
    ['1/0', {}, 'does not have from 1 to 1000 parts'],
    ['auto/4', {}, 'needs JOB_COMPLETION_INDEX in the environment'],
    ['auto/4', { JOB_COMPLETION_INDEX: 'x' }, 'needs a whole number from 0 in JOB_COMPLETION_INDEX, not "x"'],
    ['auto/4', { JOB_COMPLETION_INDEX: '4' }, 'means part 5 of 4: parts are counted from 1'],
  ])('%s with %j is refused', (text, env, why) =>
    expect(() => parseShard(text, env)).toThrow(`--shard: "${text}" ${why}`),
  );

  test('that cannot be is refused before anything is sent', async () => {
    const { code, stdout, stderr } = await runInto(['--shard', 'auto/2']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe('carrierspec: --shard: "auto/2" needs JOB_COMPLETION_INDEX in the environment\n');
  });
});

describe('--order', () => {
  const names = ['acr-a1', 'acr-a3', 'context-absent', 'context-shown', 'jti-absent', 'acr-unknown*'];

  test('prints the seed that it drew, keeps it in the result, and repeats it', async () => {
    const drawn = await runInto([...names, '--order', 'shuffled']);
    expect(drawn.code, drawn.stderr).toBe(0);
    const [line = '', seed] = /^order of cases: shuffled=(\d+)$/m.exec(drawn.stderr) ?? [];
    expect(drawn.result.header.flags).toEqual(['--order', `shuffled=${seed}`]);
    const again = await runInto([...names, '--order', `shuffled=${seed}`]);
    expect(again.stderr).toContain(`${line}\n`);
    const casesOf = ({ result }: typeof drawn) => [...result.cases].map(({ id, verdict }) => [id, verdict]);
    expect([again.result.header.flags, casesOf(again)]).toEqual([drawn.result.header.flags, casesOf(drawn)]);
  });

  test.each(['backwards', 'shuffled=', 'shuffled=a b'])('%s is no order', async (given) => {
    expect(await runInto([...names, '--order', given])).toMatchObject({
      code: 2,
      stderr: `carrierspec: --order: "${given}" is none of listed, reversed, shuffled and shuffled=SEED, with a seed of up to 64 letters, digits, ".", "_" and "-"\n`,
    });
  });

  async function begunIn(order: Required<CertifyOptions>['order']): Promise<readonly string[]> {
    const begun: string[] = [];
    const onEvent: CertifyOptions['onEvent'] = (event) => {
      if (event.kind === 'case-started') begun.push(event.id);
    };
    await certify({ faults: [] }, { what: names, order, jobs: 1, onEvent });
    return begun;
  }

  test('is the order in which cases begin, and stands in the plan', async () => {
    const listed = await begunIn('listed');
    expect(listed.length).toBeGreaterThan(names.length);
    expect(await begunIn('reversed')).toEqual(listed.toReversed());
    const shuffled = await begunIn('shuffled=7');
    expect(shuffled).not.toEqual(listed);
    const plan = await runCli(['plan', ...names, '--order', 'shuffled=7', '--json']);
    expect(JSON.parse(plan.stdout)).toMatchObject({ order: 'shuffled=7' });
  });
});

test('--bail stops at an invariant that a message breaks, and says in which case', async () => {
  const { code, plain, stderr } = await runInto(['CB-004', '--fault', 'callback-without-bearer', '--bail']);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^fail CB-004 callback-bearer in \S+: /);
  expect(plain).toMatch(/stopped after the first failure, callback-bearer in \S+ \(--bail\)/);
});

describe('attestations', () => {
  const valid = { by: 'test lab', on: '2026-11-01', description: 'They answer 403.', evidence: 'req-060.pdf' };

  function targetWith(attestations: Json): string {
    const file = writeTarget((target) => ({ ...target, attestations }));
    writeFileSync(join(dirname(file), 'req-060.pdf'), 'a photograph of three answers');
    return file;
  }

  test('are a verdict of their own, which no score counts', async () => {
    const { env } = await startCarrier();
    const args = ['REQ-014', 'REQ-060', 'REQ-083', '--target', targetWith({ 'REQ-060': valid })];
    const { code, stdout, stderr, result } = await runInto(args, { env });
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('  attested   1 rule by the operator, counted as no pass: REQ-060\n');
    const whole = await runInto([...args, '--verbose'], { env });
    expect(whole.plain).toContain('REQ-060 test lab attests it on 2026-11-01: They answer 403.');
    expect(result.rules.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['REQ-014', 'pass'],
      ['REQ-060', 'attested'],
      ['REQ-083', 'not-run'],
    ]);
    expect(result.footer?.score.required).toEqual({ conforming: 1, judged: 1, applicable: 3 });
  });

  test('of rules that a black box sees are refused, with their place', async () => {
    const { env } = await startCarrier();
    const target = targetWith({ 'REQ-006': valid, 'REQ-0600': valid, 'REQ-060': valid });
    const { code, stderr } = await runInto(['--target', target], { env });
    expect(code).toBe(2);
    expect(stderr).toMatch(/carrier\.yaml:\d+:5: REQ-006 is judged by cases, so it cannot be attested\n/);
    expect(stderr).toMatch(
      /carrier\.yaml:\d+:5: there is no rule REQ-0600\n.*"REQ-0600": \{\n.*\n.*did you mean "REQ-060"\?/,
    );
    expect(stderr).toMatch(/carrierspec: the target file .* has 2 mistakes\n$/);
  });
});
