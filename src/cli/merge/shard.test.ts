import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readResult } from '../../journal/read-result.ts';
import type { Result } from '../../model/result.ts';
import { runCli } from '../../testing/run-cli.ts';
import { type Ended, spawnCli } from '../../testing/spawn-cli.ts';
import { makeFolder } from '../../testing/target-file.ts';

const timeLimit = 240_000;
/** Three quarters of the cases, which are enough for four parts. */
const selected = ['--without', 'baseline'];
const faults = ['--fault', 'jti-kept-2-minutes', '--fault', 'access-denied-as-user-denied'];

const resultIn = (out: string): string => join(out, 'result.json');
const read = (out: string): Result => readResult(resultIn(out)).result;

/** What a run says of a carrier, without what is different each time. */
function verdictsOf({ cases, rules, invariants, footer }: Result) {
  return {
    cases: [...cases].map(({ id, verdict, findings, client, subscriber }) => ({
      id,
      verdict,
      played: [client, subscriber],
      found: findings.map(({ rule, code, path }) => [rule, code, path]),
    })),
    rules: rules.map(({ id, verdict, reason, judgedBy, recorded }) => ({
      id,
      verdict,
      reason,
      judgedBy,
      recorded: Object.keys(recorded),
    })),
    invariants: invariants.map(({ id, verdict }) => ({ id, verdict })),
    outcome: footer?.outcome,
    reasons: footer?.reasons,
    score: footer?.score,
    areas: footer?.areas,
    counts: footer?.counts,
  };
}

describe('four processes, each with an index of its own', () => {
  const whole = makeFolder();
  const merged = makeFolder();
  const folders = [0, 1, 2, 3].map(() => makeFolder());
  let ends: readonly Ended[] = [];
  let merging: Ended | undefined;

  beforeAll(async () => {
    await spawnCli(['run', ...selected, ...faults, '--out', whole], { timeLimit });
    ends = await Promise.all(
      folders.map((out, index) =>
        spawnCli(['run', ...selected, ...faults, '--shard', 'auto/4', '--out', out], {
          env: { JOB_COMPLETION_INDEX: String(index) },
          timeLimit,
        }),
      ),
    );
    merging = await runCli(['merge', ...folders.toReversed().map(resultIn), '--out', merged], { timeLimit });
  }, 2 * timeLimit);

  test('merged, give the same verdicts as one', () => {
    const one = verdictsOf(read(whole));
    expect(one.cases.length).toBeGreaterThan(500);
    expect(one.outcome).toBe('not conformant');
    expect(verdictsOf(read(merged))).toEqual(one);
    expect(merging).toMatchObject({ code: 1, stderr: '' });
  });

  test('have each a part, and no subscriber in two of them', () => {
    const parts = folders.map((out) => [...read(out).cases]);
    expect(parts.every((cases) => cases.length > 0)).toBe(true);
    const subscribers = parts.map((cases) => [...new Set(cases.flatMap(({ subscriber }) => subscriber ?? []))]);
    expect(new Set(subscribers.flat()).size).toBe(subscribers.flat().length);
    expect(folders.map((out) => read(out).header.shard?.index)).toEqual([1, 2, 3, 4]);
  });

  test('are none of them conformant alone: others judge the same rules', () => {
    expect(ends.map(({ code }) => code).filter((code) => code !== 1 && code !== 4)).toEqual([]);
    expect(ends.some(({ code }) => code === 4)).toBe(true);
    for (const [at, { stdout }] of ends.entries()) expect(stdout).toContain(`shard ${at + 1} of 4`);
  });

  test('without one of them, the result is incomplete and says which', async () => {
    const out = makeFolder();
    // One that found nothing: what the others found stands.
    const missing = ends.findIndex(({ code: ended }) => ended === 4);
    const others = folders.filter((_, at) => at !== missing);
    const { code, stdout } = await runCli(['merge', ...others.map(resultIn), '--out', out], {
      timeLimit,
    });
    expect(code).toBe(1);
    const words = `shard ${missing + 1} of 4 is missing`;
    expect(stdout).toContain(words);
    expect(read(out).footer?.reasons[0]).toBe(words);
  });
});

describe('merge', () => {
  const one = makeFolder();
  const faulty = makeFolder();
  const whole = makeFolder();
  beforeAll(async () => {
    const run = (...args: readonly string[]) => runCli(['run', 'jti-absent', ...args]);
    await Promise.all([
      run('--shard', '1/2', '--out', one),
      run('--shard', '2/2', '--fault', 'jti-never-kept', '--out', faulty),
      run('--out', whole),
    ]);
  });

  test.each<[string, () => readonly string[], RegExp]>([
    ['parts of different runs', () => [one, faulty], /the flags differ: none and --fault jti-never-kept\n$/],
    ['a whole run', () => [whole], /it was made without --shard\n$/],
    ['the same part twice', () => [one, one], / are both shard 1 of 2\n$/],
  ])('refuses %s', async (_, folders, message) => {
    const out = makeFolder();
    const { code, stdout, stderr } = await runCli(['merge', ...folders().map(resultIn), '--out', out]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });

  test('never writes over a part', async () => {
    const before = readFileSync(resultIn(one), 'utf8');
    const { code, stderr } = await runCli(['merge', resultIn(one), '--out', one]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^carrierspec: --out: .*result\.json is one of the parts, and would be written over\n$/);
    expect(readFileSync(resultIn(one), 'utf8')).toBe(before);
  });

  test('takes journals, and makes the reports of a run', async () => {
    const [parts, out] = [makeFolder(), makeFolder()];
    cpSync(join(one, 'journal.jsonl'), join(parts, 'one.jsonl'));
    const flags = ['--report', `markdown=${join(out, 'summary.md')}`];
    const { code, stdout } = await runCli(['merge', join(parts, 'one.jsonl'), '--out', out, ...flags]);
    expect(code).toBe(4);
    expect(stdout).toContain('shard 2 of 2 is missing');
    for (const name of ['result.json', 'junit.xml', 'report.html', 'summary.md']) {
      expect(readFileSync(join(out, name), 'utf8').length).toBeGreaterThan(500);
    }
  });
});

describe('a shard', () => {
  test.each([
    ['3/2', /^carrierspec: --shard: "3\/2" means part 3 of 2/],
    ['auto/2', /^carrierspec: --shard: "auto\/2" needs JOB_COMPLETION_INDEX in the environment\n$/],
  ])('%s that cannot be is refused before anything is sent', async (shard, message) => {
    const { code, stdout, stderr } = await runCli(['run', '--shard', shard], { cwd: makeFolder() });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });
});
