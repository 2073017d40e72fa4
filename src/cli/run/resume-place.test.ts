import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createJournal } from '../../journal/journal.ts';
import { buildFooter, buildHeader } from '../../testing/results/result.ts';
import { makeFolder } from '../../testing/program/target-file.ts';
import { placeToResume } from './earlier-run.ts';

const before = process.cwd();
beforeEach(() => process.chdir(makeFolder()));
afterEach(() => process.chdir(before));

const reports = ['result.json', 'junit.xml', 'report.html'];

/** Writes the journal of a run; with a footer, its reports too. */
function keep(name: string, { flags = ['--target', 'carrier.yaml'], ended = false } = {}): string {
  const folder = join('carrierspec-report', name);
  const end = { cases: [], rules: [], invariants: [], unsolicited: [] };
  const journal = createJournal(join(folder, 'journal.jsonl'), buildHeader({ run: name, flags }));
  if (ended) journal.append({ kind: 'end', end }, { kind: 'footer', footer: buildFooter() });
  journal.close();
  if (ended) for (const report of reports) writeFileSync(join(folder, report), '');
  return folder;
}

function choose() {
  const said: string[] = [];
  const stderr = new Writable({
    write: (chunk, _, done) => {
      said.push(String(chunk));
      done();
    },
  });
  return { place: placeToResume(undefined, { stderr }), said: said.join('') };
}

describe('--resume without --out', () => {
  test('takes the newest run that has not ended, and says which', () => {
    keep('20260101T000000Z-a');
    const cut = keep('20260102T000000Z-b');
    keep('20260103T000000Z-c', { ended: true });
    keep('20260104T000000Z-d', { flags: [] });
    const held = keep('20260105T000000Z-e');
    const lock = { pid: process.ppid, host: hostname(), since: '2026-01-05T00:00:00.000Z', command: 'carrierspec run' };
    writeFileSync(join(held, 'run.lock'), JSON.stringify(lock));
    mkdirSync(join('carrierspec-report', '20260106T000000Z-f'));
    expect(choose()).toEqual({
      place: { folder: cut, root: 'carrierspec-report' },
      said: `--resume: ${cut}\n`,
    });
  });

  test('takes one that ended, and was killed before it had its reports', () => {
    const folder = keep('20260103T000000Z-c', { ended: true });
    expect(() => choose()).toThrow('--resume: no run in carrierspec-report can be resumed; --out names the folder');
    rmSync(join(folder, 'report.html'));
    expect(choose().place.folder).toBe(folder);
  });
});
