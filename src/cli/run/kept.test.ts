import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { readResult } from '../../journal/read-result.ts';
import { isJsonObject, parseJson, renderPlain } from '../../lib/json.ts';
import type { Result } from '../../model/result.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import { spawnCli } from '../../testing/program/spawn-cli.ts';
import { makeFolder } from '../../testing/program/target-file.ts';

/** A rule with several cases; the fault breaks some of them. */
const id = 'HDR-008';
const fault = ['--fault', 'signature-not-verified'];
const files = ['journal.jsonl', 'junit.xml', 'report.html', 'result.json'];

const read = (folder: string): Result => readResult(join(folder, 'result.json')).result;
const verdictIn = (folder: string): string | undefined => read(folder).rules.find((one) => one.id === id)?.verdict;

describe('without --out', () => {
  test('every run is kept in a folder of its own; latest, runs and --last-failed know the newest', async () => {
    const cwd = makeFolder();
    const root = join(cwd, 'carrierspec-report');
    const none = await runCli(['run', '--last-failed'], { cwd });
    expect(none).toMatchObject({ code: 2, stdout: '' });
    expect(none.stderr).toContain('--last-failed: there is no carrierspec-report/latest/result.json to take it from\n');

    const first = await runCli(['run', id, ...fault], { cwd });
    const [folder = ''] = readdirSync(root);
    expect(folder).toMatch(/^\d{8}T\d{6}Z-[0-9a-f]{16}$/);
    expect(first.stdout).toContain(`\nreports: carrierspec-report/${folder}/result.json, `);
    expect(readdirSync(join(root, folder)).toSorted()).toEqual(files);
    expect(read(join(root, folder)).header.run).toBe(folder.slice(-16));

    const again = await runCli(['run', '--last-failed'], { cwd });
    expect(again.code).toBe(first.code);
    expect(again.stderr).toMatch(/^--last-failed: (\d+) of \d+ cases of carrierspec-report\/latest\/result\.json\n/);
    expect(read(join(root, 'latest')).header.flags).toEqual([...fault, '--profile', 'interface']);
    expect([...read(join(root, 'latest')).cases].map(({ verdict }) => verdict)).not.toContain('pass');

    const fixed = await runCli(['run', id], { cwd });
    expect(fixed.code).toBe(0);
    const nothing = await runCli(['run', '--last-failed'], { cwd });
    expect(nothing).toMatchObject({ code: 0, stdout: '' });
    expect(nothing.stderr).toMatch(/^--last-failed: 0 of \d+ cases of .*: there is nothing to run again\n$/);

    mkdirSync(join(root, 'broken'));
    writeFileSync(join(root, 'broken', 'journal.jsonl'), '{"kind":"header"}\n');
    const listed = await runCli(['history', '--json'], { cwd });
    const document = parseJson(listed.stdout);
    const runs = isJsonObject(document) && Array.isArray(document['runs']) ? document['runs'].filter(isJsonObject) : [];
    expect(runs.map(({ state }) => state)).toEqual([
      'unreadable',
      expect.stringMatching(/^conformant in 1 of \d+ required rules$/),
      'not conformant',
      'not conformant',
    ]);
    expect(runs.at(-1)).toMatchObject({
      folder: `carrierspec-report/${folder}`,
      run: folder.slice(-16),
      target: 'Reference carrier',
      selection: [id],
      outcome: 'not conformant',
    });
    expect(runs[0]).toMatchObject({ folder: 'carrierspec-report/broken' });
    expect(renderPlain(runs[0]?.['problem'])).toContain('carrierspec-report/broken/journal.jsonl:1: ');
  }, 90_000);
});

describe('with --out', () => {
  test('an earlier result is moved as a whole; a lock keeps others out', async () => {
    const out = makeFolder();
    await runCli(['run', id, 'jti-absent', ...fault, '--out', out]);
    writeFileSync(join(out, 'certificate.jws'), 'of the result');
    const before = readFileSync(join(out, 'result.json'), 'utf8');
    const second = await runCli(['run', id, '--out', out]);
    const [name = ''] = readdirSync(join(out, 'earlier'));
    const moved = join(out, 'earlier', name);
    expect(second.stderr).toContain(`the result that was there is now in ${moved}\n`);
    expect(readdirSync(moved).toSorted()).toEqual(['certificate.jws', ...files]);
    expect(readFileSync(join(moved, 'result.json'), 'utf8')).toBe(before);
    expect(readdirSync(out).toSorted()).toEqual(['earlier', ...files]);
    expect([verdictIn(moved), verdictIn(out)]).toEqual(['fail', 'pass']);

    const lock = { pid: process.pid, host: hostname(), since: '2026-11-23T02:15:00.000Z', command: 'carrierspec run' };
    writeFileSync(join(out, 'run.lock'), JSON.stringify(lock));
    const locked = await spawnCli(['run', id, '--out', out]);
    expect(locked).toMatchObject({ code: 2, stdout: '' });
    expect(locked.stderr).toContain(`carrierspec: another run writes into this folder: process ${process.pid} on `);
    expect(readdirSync(join(out, 'earlier'))).toEqual([name]);
  }, 90_000);

  test('a kill between the footer and the reports is repaired by --resume, which sends nothing', async () => {
    const out = makeFolder();
    const first = await runCli(['run', 'HDR-008', '--fault', 'signature-not-verified', '--out', out]);
    expect(first.code).toBe(1);
    for (const name of ['report.html', 'junit.xml']) rmSync(join(out, name));
    const journal = readFileSync(join(out, 'journal.jsonl'), 'utf8');
    const { code, stderr, stdout } = await runCli(['run', '--resume', '--out', out]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `--resume: the run of ${join(out, 'journal.jsonl')} had ended; its reports are written\n`,
    });
    expect(stdout).toMatch(/^Not conformant: /m);
    expect(existsSync(join(out, 'report.html')) && existsSync(join(out, 'junit.xml'))).toBe(true);
    expect(readFileSync(join(out, 'journal.jsonl'), 'utf8')).toBe(journal);
    expect(readdirSync(out).toSorted()).toEqual(files);
  }, 60_000);
});
