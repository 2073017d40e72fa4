import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unchainedText } from '../../journal/entries.ts';
import { isJsonObject, parseJson, renderPlain } from '../../lib/json.ts';
import { type ProcessResult, root, spawnCli } from '../../testing/program/spawn-cli.ts';
import {
  makeFolder,
  type SpawnedCarrier,
  startCarrier,
  stopCarrier,
  writeTarget,
} from '../../testing/program/target-file.ts';

let carrier: SpawnedCarrier;
let target = '';
beforeAll(async () => {
  carrier = await startCarrier(['--clock', 'virtual']);
  target = writeTarget((given) => given);
});
afterAll(() => stopCarrier(carrier));

/** Runs the program with a file size limit: a write fails midway with EFBIG, as it would with ENOSPC. */
function runWithin(kilobytes: number, args: readonly string[]): Promise<ProcessResult> {
  const limited = `ulimit -f ${kilobytes}; exec "$0" "$@"`;
  const child = spawn('bash', ['-c', limited, process.execPath, join(root, 'bin/carrierspec.js'), ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', ...carrier.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...texts }));
  });
}

const journalOf = (out: string): string => join(out, 'journal.jsonl');

/** Journal lines of the finished cases, without their chains, by id. */
function casesIn(out: string): ReadonlyMap<string, string | undefined> {
  const text = readFileSync(journalOf(out), 'utf8');
  expect(text.endsWith('\n')).toBe(true);
  return new Map(
    text.split('\n').flatMap((line) => {
      const value = parseJson(line);
      const ran = isJsonObject(value) && value['kind'] === 'case' && value['verdict'] !== 'not-run';
      return ran ? [[renderPlain(value['id']), unchainedText(line)?.text] as const] : [];
    }),
  );
}

const isPosix = existsSync('/bin/bash') || existsSync('/usr/bin/bash');

describe.skipIf(!isPosix)('a disk that takes no more', () => {
  const what = ['REQ-02*', 'TRN-00*'];

  test('the journal is whole, and --resume goes on with it to the result', async () => {
    const out = makeFolder();
    const full = await runWithin(900, ['run', ...what, '--target', target, '--out', out]);
    const kept = casesIn(out);
    expect(kept.size).toBeGreaterThan(0);
    expect(full.code).toBe(2);
    expect(full.stderr).toContain(
      `carrierspec: the journal ${journalOf(out)} cannot be written: it would be larger than a file of this user may be; ` +
        `it keeps ${kept.size} finished cases; make room there, then go on with: carrierspec run --resume --out ${out} --target ${target}\n`,
    );
    expect(existsSync(join(out, 'result.json'))).toBe(false);
    // A power failure can leave part of a line.
    truncateSync(journalOf(out), statSync(journalOf(out)).size - 7);
    const resumed = await spawnCli(['run', '--resume', '--out', out, '--target', target], {
      env: carrier.env,
      timeLimit: 60_000,
    });
    expect({ code: resumed.code, stderr: resumed.stderr.includes('cannot') }).toEqual({ code: 0, stderr: false });
    const after = casesIn(out);
    expect(after.size).toBeGreaterThan(kept.size);
    expect([...kept].filter(([id, line]) => after.get(id) !== line).length).toBeLessThanOrEqual(1);
    const result = parseJson(readFileSync(join(out, 'result.json'), 'utf8'));
    expect(isJsonObject(result) && Array.isArray(result['cases']) ? result['cases'].length : 0).toBe(after.size);
  }, 120_000);

  test('a report that cannot be written keeps none of the others from it, and the journal has them all', async () => {
    const out = makeFolder();
    const journal = journalOf(out);
    // The HTML report is larger than the journal of one case.
    const { code, stdout, stderr } = await runWithin(60, ['run', 'jti-absent', '--target', target, '--out', out]);
    expect({ code, stderr }).toMatchObject({ code: 2 });
    expect(stderr).toContain(
      `carrierspec: --out: ${join(out, 'report.html')} cannot be written: it would be larger than a file of this user may be; ` +
        `${journal} has the whole run: carrierspec report ${journal} --report json=${join(out, 'result.json')} `,
    );
    expect(stdout).toContain('conformant');
    expect([existsSync(join(out, 'junit.xml')), existsSync(join(out, 'report.html'))]).toEqual([true, false]);
    const again = /: carrierspec (report .*)\n$/.exec(stderr)?.[1]?.split(' ') ?? [];
    expect((await spawnCli(again)).code).toBe(0);
    expect(existsSync(join(out, 'report.html'))).toBe(true);
  }, 60_000);
});
