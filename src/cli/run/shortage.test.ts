import { existsSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { unchainedText } from '../../journal/entries.ts';
import { isJsonObject, parseJson, renderPlain } from '../../lib/json.ts';
import { runInto, spawnInto } from '../../testing/program/run-into.ts';
import { spawnCli } from '../../testing/program/spawn-cli.ts';
import { startCarrier, writeTarget } from '../../testing/program/target-file.ts';

const { env } = await startCarrier();
const target = writeTarget((given) => given);

const journalIn = (out: string): string => join(out, 'journal.jsonl');

/** Journal lines of the finished cases, without their chains, by id. */
function casesIn(out: string): ReadonlyMap<string, string | undefined> {
  const text = readFileSync(journalIn(out), 'utf8');
  expect(text.endsWith('\n')).toBe(true);
  return new Map(
    text.split('\n').flatMap((line) => {
      const value = parseJson(line);
      const ran = isJsonObject(value) && value['kind'] === 'case' && value['verdict'] !== 'not-run';
      return ran ? [[renderPlain(value['id']), unchainedText(line)?.text] as const] : [];
    }),
  );
}

const hasBash = existsSync('/bin/bash') || existsSync('/usr/bin/bash');

// With a limit on the size of a file a write fails midway with EFBIG, as it would with ENOSPC.
describe.skipIf(!hasBash)('a disk that takes no more', () => {
  const tooLarge = 'cannot be written: it would be larger than a file of this user may be';

  test('the journal is whole, and --resume goes on with it to the result', async () => {
    const full = await spawnInto(['REQ-02*', 'TRN-00*', '--target', target], { env, ulimit: '-f 900' });
    const { out } = full;
    const kept = casesIn(out);
    expect(kept.size).toBeGreaterThan(0);
    expect(full.code).toBe(2);
    expect(full.stderr).toContain(
      `carrierspec: the journal ${journalIn(out)} ${tooLarge}; it keeps ${kept.size} finished cases; ` +
        `make room there, then go on with: carrierspec run --resume --out ${out} --target ${target}\n`,
    );
    expect(existsSync(join(out, 'result.json'))).toBe(false);
    // A power failure can leave part of a line.
    truncateSync(journalIn(out), statSync(journalIn(out)).size - 7);
    const { code, stderr, result } = await runInto(['--resume', '--target', target], { env, out, timeLimit: 60_000 });
    expect({ code, stderr: stderr.includes('cannot') }).toEqual({ code: 0, stderr: false });
    const after = casesIn(out);
    expect(after.size).toBeGreaterThan(kept.size);
    expect([...kept].filter(([id, line]) => after.get(id) !== line).length).toBeLessThanOrEqual(1);
    expect([...result.cases]).toHaveLength(after.size);
  }, 240_000);

  test('a report that cannot be written keeps none of the others from it, and the journal has them all', async () => {
    // The HTML report is larger than the journal of one case.
    const { code, stdout, stderr, out } = await spawnInto(['jti-absent', '--target', target], { env, ulimit: '-f 60' });
    const journal = journalIn(out);
    expect({ code, stderr }).toMatchObject({ code: 2 });
    expect(stderr).toContain(
      `carrierspec: --out: ${join(out, 'report.html')} ${tooLarge}; ` +
        `${journal} has the whole run: carrierspec report ${journal} --report json=${join(out, 'result.json')} `,
    );
    expect(stdout).toContain('Conformant in the 1 of');
    expect([existsSync(join(out, 'junit.xml')), existsSync(join(out, 'report.html'))]).toEqual([true, false]);
    const again = /: carrierspec (report .*)\n$/.exec(stderr)?.[1]?.split(' ') ?? [];
    expect((await spawnCli(again)).code).toBe(0);
    expect(existsSync(join(out, 'report.html'))).toBe(true);
  });
});

describe.skipIf(!hasBash)('a process that may open few files', () => {
  test('sends less at the same time, says so, and fails no carrier that conforms', async () => {
    const { code, stderr, result } = await spawnInto(['CB-00*', '--jobs', '200', '--target', target], {
      env,
      ulimit: '-n 60',
      timeLimit: 240_000,
    });
    expect(stderr).toMatch(/\d+ exchanges at the same time instead of \d+, because this process may open 60 files/);
    expect(code, stderr).toBe(0);
    const red = [...result.cases].filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
    expect(red).toEqual([]);
  }, 240_000);

  test('too few for a run: exit code 5, and the limit to raise', async () => {
    const { code, stdout, stderr } = await spawnInto(['callback', '--target', target], { env, ulimit: '-n 42' });
    expect({ code, stdout }, stderr).toEqual({ code: 5, stdout: '' });
    expect(stderr).toMatch(
      /^carrierspec: this process may open 42 files, and a run needs at least \d+: raise the limit/m,
    );
  });
});
