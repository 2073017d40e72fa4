import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { readResult } from '../../journal/read-result.ts';
import type { Finding } from '../../model/finding.ts';
import { renderRuleRef } from '../../model/rule.ts';
import type { ProofMatrix } from '../../lab/prove/matrix.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import { spawnCli } from '../../testing/program/spawn-cli.ts';
import { makeFolder } from '../../testing/program/target-file.ts';

const keyOf = ({ code, path, ...ref }: Finding): string => JSON.stringify([renderRuleRef(ref), code, path]);

/** All findings, by case or invariant. */
function findingsIn(out: string): ReadonlyMap<string, ReadonlySet<string>> {
  const { cases, invariants } = readResult(join(out, 'result.json')).result;
  return new Map([...cases, ...invariants].map(({ id, findings }) => [id, new Set(findings.map(keyOf))]));
}

/** Splits a command line as a shell does. */
function wordsOf(line: string): readonly string[] {
  const { stdout } = spawnSync('sh', ['-c', `carrierspec() { printf '%s\\0' "$@"; }\n${line}`], { encoding: 'utf8' });
  return stdout.split('\0').slice(0, -1);
}

const unescapeXml = (xml: string): string =>
  xml.replaceAll('&apos;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&');

/** First `run again` line of each JUnit testcase: a failure's or a warning's. */
function linesIn(out: string): ReadonlyMap<string, string> {
  const tests = readFileSync(join(out, 'junit.xml'), 'utf8').split('<testcase ').slice(1);
  return new Map(
    tests.flatMap((one) => {
      const id = /name="([^":]+)(?::|")/.exec(one)?.[1];
      const line = /^run again[:=] ?([^<\n]*)/m.exec(one)?.[1];
      return id === undefined || line === undefined ? [] : [[id, unescapeXml(line)] as const];
    }),
  );
}

/** Runs each printed line in its own process and expects the same findings. */
async function expectAgain(out: string, judges: readonly string[]): Promise<void> {
  const [before, lines] = [findingsIn(out), linesIn(out)];
  for (const judge of judges) {
    const [command = '', ...words] = wordsOf(lines.get(judge) ?? '');
    expect(command).toBe('run');
    const again = makeFolder();
    await spawnCli([command, ...words, '--out', again]);
    const found = findingsIn(again).get(judge) ?? new Set();
    const [first] = before.get(judge) ?? [];
    expect([...found], `${judge}: ${lines.get(judge)}`).toContain(first);
  }
}

/** Cases and invariants with findings of their own. */
const judgesIn = (out: string): readonly string[] => {
  const lines = linesIn(out);
  return [...findingsIn(out)].flatMap(([id, found]) => (found.size > 0 && lines.has(id) ? [id] : []));
};

describe('the line "run again" brings its finding, alone, in a fresh process', () => {
  test('of an invariant, of a case, and of a check over the whole run', async () => {
    const out = makeFolder();
    const faults = ['callback-without-bearer', 'denial-code-varies'].flatMap((name) => ['--fault', name]);
    await runCli(['run', 'CB-004', 'denial-codes-agree', ...faults, '--out', out]);
    const judges = [
      'callback-bearer',
      'denial-codes-agree',
      judgesIn(out).find((id) => id.startsWith('bearer-')) ?? '',
    ];
    await expectAgain(out, judges);
  }, 120_000);

  test('of shards that were merged', async () => {
    const [first, second, whole] = [makeFolder(), makeFolder(), makeFolder()];
    const args = ['run', 'CB-004', '--fault', 'callback-without-bearer'];
    await runCli([...args, '--shard', '1/2', '--out', first]);
    await runCli([...args, '--shard', '2/2', '--out', second]);
    await runCli(['merge', join(first, 'result.json'), join(second, 'result.json'), '--out', whole]);
    await expectAgain(whole, ['callback-bearer']);
  }, 120_000);

  // `prove` does this for every fault in its own process; here REPRODUCE=689 does it for all.
  const count = Number(process.env['REPRODUCE'] ?? '1');
  const seed = process.env['REPRODUCE_SEED'] ?? new Date().toISOString().slice(0, 10);
  const { rows } = JSON.parse(readFileSync('fixtures/prove/matrix.json', 'utf8')) as ProofMatrix;
  const lot = (name: string): string => createHash('sha256').update(`${seed} ${name}`).digest('hex');
  const drawn = Object.entries(rows)
    .filter(([name, { kind, red }]) => kind === 'fault' && !name.includes('@') && red.length > 0)
    .map(([name, { red }]) => ({ name, red, lot: lot(name) }))
    .toSorted((a, b) => (a.lot < b.lot ? -1 : 1))
    .slice(0, count);
  test.each(drawn)(
    'of the fault $name',
    async ({ name, red }) => {
      const out = makeFolder();
      await runCli(['run', ...red.slice(0, 2), '--fault', name, '--out', out]);
      const judges = judgesIn(out);
      expect(judges).not.toEqual([]);
      await expectAgain(out, judges.slice(0, 1));
    },
    120_000,
  );
});
