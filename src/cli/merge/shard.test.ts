import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readResult } from '../../journal/read-result.ts';
import { findSealFlaw } from '../../journal/seal.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import { runInto } from '../../testing/program/run-into.ts';
import { makeFolder } from '../../testing/program/target-file.ts';

const resultIn = (out: string): string => join(out, 'result.json');

// shard.nightly.test.ts compares the verdicts with those of a whole run; that takes a minute.
describe('merge', () => {
  const one = makeFolder();
  const faulty = makeFolder();
  const whole = makeFolder();
  const edited = makeFolder();
  beforeAll(async () => {
    await runInto(['jti-absent', '--shard', '1/2'], { out: one });
    await runInto(['jti-absent', '--shard', '2/2', '--fault', 'jti-never-kept'], { out: faulty });
    await runInto(['jti-absent'], { out: whole });
    writeFileSync(resultIn(edited), readFileSync(resultIn(one), 'utf8').replace(/"exchanges":\d+/, '"exchanges":999'));
  });

  test.each<[string, () => readonly string[], RegExp]>([
    ['parts of different runs', () => [one, faulty], /the flags differ: none and --fault jti-never-kept\n$/],
    ['a whole run', () => [whole], /it was made without --shard\n$/],
    [
      'a part that was edited',
      () => [edited],
      /result\.json: it is not as its run wrote it: its header, rules, .* changed\n$/,
    ],
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
    for (const name of ['result.json', 'journal.jsonl'])
      expect(findSealFlaw(readResult(join(out, name)).result)).toBeUndefined();
    for (const name of ['result.json', 'junit.xml', 'report.html', 'summary.md']) {
      expect(readFileSync(join(out, name), 'utf8').length).toBeGreaterThan(500);
    }
  });
});
