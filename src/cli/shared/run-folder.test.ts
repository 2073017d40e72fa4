import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../testing/program/target-file.ts';
import { filesBeside, latestFolder, latestResult, newRunFolder, openRunFolder, pointLatest } from './run-folder.ts';
import { parseReports } from './reports.ts';

const invocation = { argv: ['run'], stderr: process.stderr };

describe('a folder of its own', () => {
  test('has the time and the id of the run in its name, and goes where nothing was written', () => {
    const root = join(makeFolder(), 'kept');
    const place = newRunFolder(root, 'a5c29e3d172b731d', Date.parse('2026-11-23T02:15:00.123Z'));
    expect(place).toEqual({ folder: join(root, '20261123T021500Z-a5c29e3d172b731d'), run: 'a5c29e3d172b731d', root });
    const opened = openRunFolder(place, invocation);
    expect(readdirSync(place.folder)).toEqual(['run.lock']);
    opened.close();
    expect(existsSync(root)).toBe(false);
  });

  const files = ['journal.jsonl', 'journal.jsonl.tmp', 'result.json', 'junit.xml', 'report.html', 'certificate.jws'];
  test.each([...files, 'earlier'])('is refused where %s in it is a link', (name) => {
    const [folder, elsewhere] = [makeFolder(), makeFolder()];
    writeFileSync(join(elsewhere, 'victim'), 'of the user');
    for (const to of [join(elsewhere, 'victim'), elsewhere, 'nowhere']) {
      const path = join(folder, name);
      execFileSync('ln', ['-sfn', to, path]);
      expect(() => openRunFolder({ folder }, invocation)).toThrow(
        `--out: ${path} cannot be written: it is a link, and must be`,
      );
      expect(readdirSync(folder)).toEqual([name]);
    }
    expect(readFileSync(join(elsewhere, 'victim'), 'utf8')).toBe('of the user');
    expect(readdirSync(elsewhere)).toEqual(['victim']);
  });

  test('is refused where a pipe stands in the place of its journal', () => {
    const folder = makeFolder();
    execFileSync('mkfifo', [join(folder, 'journal.jsonl')]);
    expect(() => openRunFolder({ folder }, invocation)).toThrow('it is a pipe, and must be a regular file: remove it');
  });

  test('the note of the latest is not written through a link', () => {
    const [root, elsewhere] = [makeFolder(), makeFolder()];
    const victim = join(elsewhere, 'victim');
    writeFileSync(victim, 'of the user');
    mkdirSync(join(root, 'latest', 'of', 'someone'), { recursive: true });
    symlinkSync(victim, join(root, `latest.txt.${process.pid}.tmp`));
    pointLatest(root, join(root, 'run-1'));
    expect(readFileSync(victim, 'utf8')).toBe('of the user');
    expect(readFileSync(join(root, 'latest.txt'), 'utf8')).toBe('run-1\n');
  });

  test('latest leads to it once the run is over', () => {
    const root = makeFolder();
    for (const id of ['one', 'two']) {
      const place = newRunFolder(root, id, 0);
      const opened = openRunFolder(place, invocation);
      writeFileSync(join(place.folder, 'result.json'), '{}');
      opened.finish();
      opened.close();
      expect(readlinkSync(join(root, 'latest'))).toBe(basename(place.folder));
      expect(existsSync(latestResult(root))).toBe(true);
    }
    expect(readdirSync(root).toSorted()).toEqual(['19700101T000000Z-one', '19700101T000000Z-two', 'latest']);
  });

  test('where there can be no link, a file has its name, until there can be one', () => {
    const root = makeFolder();
    mkdirSync(join(root, 'run-1'));
    // A folder that the link cannot replace.
    mkdirSync(join(root, 'latest', 'of', 'someone'), { recursive: true });
    pointLatest(root, join(root, 'run-1'));
    expect(readdirSync(root).toSorted()).toEqual(['latest', 'latest.txt', 'run-1']);
    const other = makeFolder();
    mkdirSync(join(other, 'run-2'));
    writeFileSync(join(other, 'latest.txt'), 'run-2\n');
    expect(latestFolder(other)).toBe(join(other, 'run-2'));
    pointLatest(other, join(other, 'run-2'));
    expect(readdirSync(other).toSorted()).toEqual(['latest', 'run-2']);
  });
});

test('what goes with a journal are the reports in its folder, and the certificate', () => {
  const reports = parseReports(['markdown=a/summary.md', 'har=b/run.har', 'ctrf=-'], 'a');
  expect(filesBeside('a', reports)).toEqual([
    'a/result.json',
    'a/junit.xml',
    'a/report.html',
    'a/summary.md',
    'a/certificate.jws',
  ]);
});
