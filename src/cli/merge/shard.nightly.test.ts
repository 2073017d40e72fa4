import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readResult } from '../../journal/read-result.ts';
import type { Result } from '../../model/result.ts';
import { type ProcessResult, spawnCli } from '../../testing/program/spawn-cli.ts';
import { makeFolder } from '../../testing/program/target-file.ts';

const timeLimit = 600_000;
/** A quarter of the cases: enough for four shards. */
const selected = ['callback', 'events', 'tokens', 'usertrait', 'userinfo'];
const faults = ['--fault', 'tenure-as-boolean', '--fault', 'access-denied-as-user-denied'];

const resultIn = (out: string): string => join(out, 'result.json');
const known = new Map<string, Result>();
/** Reads the result in a folder, once. */
function read(out: string): Result {
  const result = known.get(out) ?? readResult(resultIn(out)).result;
  known.set(out, result);
  return result;
}

/** The findings about a carrier, without what differs in every run. */
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
    standings: footer?.standings,
  };
}

describe('four processes, each with an index of its own', () => {
  const whole = makeFolder();
  const merged = makeFolder();
  const folders = [0, 1, 2, 3].map(() => makeFolder());
  const ends: ProcessResult[] = [];
  let merging: ProcessResult | undefined;

  beforeAll(async () => {
    await spawnCli(['run', ...selected, ...faults, '--out', whole], { timeLimit });
    for (const [index, out] of folders.entries()) {
      const env = { JOB_COMPLETION_INDEX: String(index) };
      ends.push(await spawnCli(['run', ...selected, ...faults, '--shard', 'auto/4', '--out', out], { env, timeLimit }));
    }
    merging = await spawnCli(['merge', ...folders.toReversed().map(resultIn), '--out', merged], { timeLimit });
  }, 2 * timeLimit);

  test('merged, give the same verdicts as one', () => {
    const one = verdictsOf(read(whole));
    expect(one.cases.length).toBeGreaterThan(300);
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
    // A shard without findings: the others' findings stand.
    const missing = ends.findIndex(({ code: ended }) => ended === 4);
    const others = folders.filter((_, at) => at !== missing);
    const { code, stdout } = await spawnCli(['merge', ...others.map(resultIn), '--out', out], {
      timeLimit,
    });
    expect(code).toBe(1);
    const words = `shard ${missing + 1} of 4 is missing`;
    expect(stdout).toContain(words);
    expect(read(out).footer?.reasons[0]).toBe(words);
  });
});
