import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readResult } from '../../journal/read-result.ts';
import { runCli } from '../../testing/run-cli.ts';
import { makeFolder } from '../../testing/target-file.ts';

const timeLimit = 120_000;
// The rule is one of the baseline, which counts for the outcome of a hardened carrier.
const hardened = ['--profile', 'hardened'];
const flags = ['SEC-50', ...hardened, '--explore', '--seed', '1'];
const fault = ['--fault', 'used-codes-of-the-last-20'];

describe('carrierspec run --explore', () => {
  it('makes cases of an area of their own of what it finds, in the result and in the reports', {
    timeout: 3 * timeLimit,
  }, async () => {
    const out = makeFolder();
    const { code, stdout, stderr } = await runCli(['run', ...flags, '--requests', '120', ...fault, '--out', out], {
      timeLimit,
    });
    expect(code, stderr).toBe(1);
    const { result } = readResult(join(out, 'result.json'));
    const { exploration, flags: own } = result.header;
    expect(exploration).toMatchObject({ seed: '1', findings: ['explored-sec-50-1'] });
    const found = [...result.cases].filter(({ area }) => area === 'explored');
    expect(found.map(({ id }) => id)).toEqual(['explored-sec-50-1']);
    expect(found.flatMap(({ findings }) => findings.map(({ rule }) => rule))).toContain('SEC-50');
    const words = /seed 1: \d+ request objects that no suite lists, 1 finding\b/;
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(words);
    for (const report of ['report.html', 'junit.xml']) expect(readFileSync(join(out, report), 'utf8')).toMatch(words);
    // The line that shows it again does so without another exploration.
    const again = await runCli(['run', 'explored-sec-50-1', ...own, '--out', join(out, 'again')], {
      timeLimit,
    });
    expect(again.code, again.stderr).toBe(1);
    expect(again.stdout).toContain('explored-sec-50-1');
  });

  it('says where it found nothing', { timeout: timeLimit }, async () => {
    const out = makeFolder();
    const { code, stderr } = await runCli(['run', ...flags, '--requests', '40', '--out', out], { timeLimit });
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(/explored in [\d.]+ s: nothing was found/);
    const { result } = readResult(join(out, 'result.json'));
    expect(result.header.exploration).toMatchObject({ findings: [], unconfirmed: 0 });
    expect([...result.cases].every(({ area }) => area !== 'explored')).toBe(true);
  });

  it.each([
    [['--seed', '7'], '--seed says how --explore goes, which is missing'],
    [['--explore', '--resume'], '--explore does not go with --resume'],
    [['--explore', '--shard', '1/2'], '--explore does not go with --shard'],
    [['--explore', '--seed', '../up'], '--seed: with --explore it names a folder'],
  ])('a mistake on the command line: %s', async (given, message) => {
    const { code, stderr } = await runCli(['run', ...given, '--out', makeFolder()]);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
});
