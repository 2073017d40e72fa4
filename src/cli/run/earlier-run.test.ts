import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createJournal } from '../../journal/journal.ts';
import { readResult } from '../../journal/read-result.ts';
import { isJsonObject, parseJson, renderPlain } from '../../lib/json.ts';
import type { Result } from '../../model/result.ts';
import type { Finding } from '../../model/finding.ts';
import { renderRuleRef, type Verdict } from '../../model/rule.ts';
import { buildExpectation, buildRuleText, buildScenario, buildStep } from '../../testing/parts/suite.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import { runInto } from '../../testing/program/run-into.ts';
import { shellArguments } from '../../testing/program/shell.ts';
import { makeFolder } from '../../testing/program/target-file.ts';
import { buildCase, buildFinding, buildFooter, buildHeader, buildInvariant } from '../../testing/results/result.ts';
import { parseFlags, renderFlags } from '../shared/flags.ts';
import { findFailed, flagsToRepeat, placeToResume, repeatFlags } from './earlier-run.ts';
import { selectRepeated } from './settings.ts';

describe('what is worth another run', () => {
  test('are cases that are red or unjudged', () => {
    const red: readonly Verdict[] = ['fail', 'warn', 'inconclusive', 'error', 'not-run'];
    const verdicts: readonly Verdict[] = ['pass', 'informational', 'not-applicable', ...red];
    const cases = verdicts.map((verdict) => buildCase({ id: verdict, verdict }));
    const found = findFailed({ cases, invariants: [] });
    expect([...found.cases]).toEqual(red);
    expect(found).toMatchObject({ invariants: [], of: 8 });
  });

  test('and invariants that were broken, each with the case that showed it first', () => {
    const cases = ['a', 'b'].map((id) => buildCase({ id }));
    const findings = ['b', 'a'].map((seenIn) => buildFinding({ seenIn }));
    const invariants = [
      buildInvariant({ id: 'broken', verdict: 'fail', findings }),
      buildInvariant({ id: 'unseen', verdict: 'not-run', judged: 0 }),
      buildInvariant({ id: 'over-run', verdict: 'fail', findings: [buildFinding({ seenIn: 'gone' })] }),
      buildInvariant({ id: 'sound' }),
    ];
    const found = findFailed({ cases, invariants });
    expect([[...found.cases], found.invariants]).toEqual([['b'], ['broken', 'over-run']]);
  });

  test('narrowed down by names and globs, without what the suites no longer have', () => {
    const step = buildStep({ expectations: [buildExpectation({}, 'REQ-001')] });
    const cases = ['jti-again', 'jti-absent', 'iat-old'].map((id) => buildScenario(id, { steps: [step] }));
    const { suites: digests } = buildHeader();
    const suites = { rules: [buildRuleText('REQ-001')], cases, invariants: [], bases: {}, files: [], digests };
    const ids = new Set(['jti-again', 'iat-old', 'no-more']);
    expect(selectRepeated(suites, ids, [])).toEqual(['jti-again', 'iat-old']);
    expect(selectRepeated(suites, ids, ['jti-*'])).toEqual(['jti-again']);
  });
});

describe('the flags of an earlier run', () => {
  const files = ['--target', 'a.yaml', '--suites', 'b'];
  const own = ['--fault', 'c', '--fault', 'd', '--profile', 'hardened', '--order', 'shuffled=7'];
  const none = { suites: [], fault: [] };

  test('are kept in the header of its result', () => {
    expect(renderFlags(parseFlags([...files, ...own]))).toEqual([...files, ...own]);
    expect(renderFlags(parseFlags(['--odd']))).toEqual([]);
  });

  test.each<[given: Parameters<typeof flagsToRepeat>[0], before: readonly string[], repeated: readonly string[]]>([
    [none, [...files, ...own], own],
    [{ ...none, target: 'x' }, files, ['--target', 'x']],
    [
      { ...none, fault: ['y'], profile: 'interface' },
      [...files, ...own],
      ['--fault', 'y', '--profile', 'interface', '--order', 'shuffled=7'],
    ],
    [{ suites: ['z'], fault: [] }, ['--suites', 'b', '--without', 'c'], ['--suites', 'z', '--without', 'c']],
  ])('with %j, %j are repeated as %j', (given, before, repeated) =>
    expect(renderFlags(flagsToRepeat(given, before))).toEqual(repeated),
  );

  test('come with its profile, also where that was the default', () => {
    const header = buildHeader({ flags: [...files, '--without', 'baseline'], profile: 'hardened' });
    const failed = { file: 'result.json', header, ids: new Set<string>(), words: '' };
    const repeated = { suites: [], without: ['baseline'], fault: [], profile: 'hardened' };
    expect(repeatFlags({ ...none, without: [] }, failed)).toEqual(repeated);
  });
});

describe('--resume without --out', () => {
  /** Writes the journal of a run; with a footer, its reports too. */
  function keep(root: string, name: string, { flags = ['--target', 'carrier.yaml'], ended = false } = {}): string {
    const folder = join(root, name);
    const end = { cases: [], rules: [], invariants: [], unsolicited: [] };
    const journal = createJournal(join(folder, 'journal.jsonl'), buildHeader({ run: name, flags }));
    if (ended) journal.append({ kind: 'end', end }, { kind: 'footer', footer: buildFooter() });
    journal.close();
    if (ended)
      for (const report of ['result.json', 'junit.xml', 'report.html']) writeFileSync(join(folder, report), '');
    return folder;
  }

  test('takes the newest run that has not ended, or has no reports, and says which', () => {
    const before = process.cwd();
    process.chdir(makeFolder());
    try {
      let said = '';
      const stderr = new Writable({
        write: (chunk, _, done) => {
          said += String(chunk);
          done();
        },
      });
      const choose = () => placeToResume(undefined, { stderr });
      const root = 'carrierspec-report';
      const embedded = keep(root, '20260102T000000Z-g', { flags: ['--fault', 'iat-not-checked'] });
      expect(choose).toThrow(
        `--resume: the run of ${embedded} was of the embedded reference carrier, which ended with it and kept nothing; run it again: carrierspec run --fault iat-not-checked`,
      );
      rmSync(embedded, { recursive: true });
      const whole = keep(root, '20260103T000000Z-c', { ended: true });
      expect(choose).toThrow('--resume: no run in carrierspec-report can be resumed; --out names the folder');
      rmSync(join(whole, 'report.html'));
      expect(choose().folder).toBe(whole);
      said = '';
      keep(root, '20260101T000000Z-a');
      const cut = keep(root, '20260104T000000Z-b');
      keep(root, '20260105T000000Z-d', { flags: [] });
      const held = keep(root, '20260106T000000Z-e');
      const lock = {
        pid: process.ppid,
        host: hostname(),
        since: '2026-01-05T00:00:00.000Z',
        command: 'carrierspec run',
      };
      writeFileSync(join(held, 'run.lock'), JSON.stringify(lock));
      mkdirSync(join(root, '20260107T000000Z-f'));
      expect([choose(), said]).toEqual([{ folder: cut, root }, `--resume: ${cut}\n`]);
    } finally {
      process.chdir(before);
    }
  });
});

const files = ['journal.jsonl', 'junit.xml', 'report.html', 'result.json'];
const broken = ['HDR-008', '--fault', 'signature-not-verified'];
const read = (folder: string): Result => readResult(join(folder, 'result.json')).result;

test('without --out every run has a folder of its own; latest, history and --last-failed know the newest', async () => {
  const cwd = makeFolder();
  const root = join(cwd, 'carrierspec-report');
  const none = await runCli(['run', '--last-failed'], { cwd });
  expect(none).toMatchObject({ code: 2, stdout: '' });
  expect(none.stderr).toContain('--last-failed: there is no carrierspec-report/latest/result.json to take it from\n');

  const first = await runCli(['run', ...broken], { cwd });
  const [folder = ''] = readdirSync(root);
  expect(folder).toMatch(/^\d{8}T\d{6}Z-[0-9a-f]{16}$/);
  expect(first.stdout).toContain(`\nreports: carrierspec-report/${folder}/result.json, `);
  expect(readdirSync(join(root, folder)).toSorted()).toEqual(files);
  expect(read(join(root, folder)).header.run).toBe(folder.slice(-16));

  const again = await runCli(['run', '--last-failed'], { cwd });
  expect(again.code).toBe(first.code);
  expect(again.stderr).toMatch(/^--last-failed: (\d+) of \d+ cases of carrierspec-report\/latest\/result\.json\n/);
  const latest = read(join(root, 'latest'));
  expect(latest.header.flags).toEqual([...broken.slice(1), '--profile', 'interface']);
  expect([...latest.cases].map(({ verdict }) => verdict)).not.toContain('pass');

  expect((await runCli(['run', 'HDR-008'], { cwd })).code).toBe(0);
  const nothing = await runCli(['run', '--last-failed'], { cwd });
  expect(nothing).toMatchObject({ code: 0, stdout: '' });
  expect(nothing.stderr).toMatch(/^--last-failed: 0 of \d+ cases of .*: there is nothing to run again\n$/);

  mkdirSync(join(root, 'broken'));
  writeFileSync(join(root, 'broken', 'journal.jsonl'), '{"kind":"header"}\n');
  const document = parseJson((await runCli(['history', '--json'], { cwd })).stdout);
  const runs = isJsonObject(document) && Array.isArray(document['runs']) ? document['runs'].filter(isJsonObject) : [];
  expect(runs).toMatchObject([
    { state: 'unreadable', folder: 'carrierspec-report/broken' },
    { state: expect.stringMatching(/^conformant in the 1 of \d+ required rules that were run$/) as string },
    { state: 'not conformant' },
    {
      state: 'not conformant',
      folder: `carrierspec-report/${folder}`,
      run: folder.slice(-16),
      target: 'Reference carrier',
      selection: ['HDR-008'],
      outcome: 'not conformant',
    },
  ]);
  expect(renderPlain(runs[0]?.['problem'])).toContain('carrierspec-report/broken/journal.jsonl:1: ');
}, 120_000);

test('with --out an earlier result is moved as a whole; a lock keeps others out', async () => {
  const { out } = await runInto(broken);
  writeFileSync(join(out, 'certificate.jws'), 'of the result');
  const before = readFileSync(join(out, 'result.json'), 'utf8');
  const second = await runInto(['HDR-008'], { out });
  const [name = ''] = readdirSync(join(out, 'earlier'));
  const moved = join(out, 'earlier', name);
  expect(second.stderr).toContain(`the result that was there is now in ${moved}\n`);
  expect(readdirSync(moved).toSorted()).toEqual(['certificate.jws', ...files]);
  expect(readFileSync(join(moved, 'result.json'), 'utf8')).toBe(before);
  expect(readdirSync(out).toSorted()).toEqual(['earlier', ...files]);

  const lock = { pid: process.ppid, host: hostname(), since: '2026-11-23T02:15:00.000Z', command: 'carrierspec run' };
  writeFileSync(join(out, 'run.lock'), JSON.stringify(lock));
  const locked = await runInto(['HDR-008'], { out });
  expect(locked).toMatchObject({ code: 2, stdout: '' });
  expect(locked.stderr).toContain(`carrierspec: another run writes into this folder: process ${process.ppid} on `);
  expect(readdirSync(join(out, 'earlier'))).toEqual([name]);
}, 120_000);

describe('the line "run again" brings its finding', () => {
  const keyOf = ({ code, path, ...ref }: Finding): string => JSON.stringify([renderRuleRef(ref), code, path]);

  /** All findings, by case or invariant. */
  const findingsIn = ({ cases, invariants }: Result): ReadonlyMap<string, readonly string[]> =>
    new Map([...cases, ...invariants].map(({ id, findings }) => [id, findings.map(keyOf)]));

  const unescapeXml = (xml: string): string =>
    xml.replaceAll('&apos;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&');

  /** First `run again` line of each JUnit testcase: a failure's or a warning's. */
  function linesIn(out: string): ReadonlyMap<string, string> {
    const tests = readFileSync(join(out, 'junit.xml'), 'utf8').split('<testcase ').slice(1);
    return new Map(
      tests.flatMap((one) => {
        const id = /name="([^":]+)(?::|")/.exec(one)?.[1];
        const line = /^run again[:=] ?carrierspec run ([^<\n]*)/m.exec(one)?.[1];
        return id === undefined || line === undefined ? [] : [[id, unescapeXml(line)] as const];
      }),
    );
  }

  async function expectAgain(out: string, judges: readonly string[]): Promise<void> {
    const [before, lines] = [findingsIn(read(out)), linesIn(out)];
    for (const judge of judges) {
      const line = lines.get(judge) ?? 'no line';
      const { result } = await runInto(shellArguments(`run ${line}`));
      expect(findingsIn(result).get(judge), `${judge}: ${line}`).toContain(before.get(judge)?.[0]);
    }
  }

  test('of an invariant, of a case, and of a check over the whole run', async () => {
    const faults = ['callback-without-bearer', 'denial-code-varies'].flatMap((name) => ['--fault', name]);
    const { out, result } = await runInto(['CB-004', 'denial-codes-agree', ...faults]);
    const [one = ''] = [...findingsIn(result).keys()].filter((id) => id.startsWith('bearer-') && linesIn(out).has(id));
    await expectAgain(out, ['callback-bearer', 'denial-codes-agree', one]);
  }, 120_000);

  test('of shards that were merged', async () => {
    const args = ['CB-004', '--fault', 'callback-without-bearer'];
    const parts = [await runInto([...args, '--shard', '1/2']), await runInto([...args, '--shard', '2/2'])];
    const whole = makeFolder();
    await runCli(['merge', ...parts.map(({ out }) => join(out, 'result.json')), '--out', whole]);
    await expectAgain(whole, ['callback-bearer']);
  }, 120_000);
});
