import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, describe, expect, test } from 'vitest';
import { makeFolder } from '../../testing/program/target-file.ts';
import { isFolderLocked, lockFolder, lockName } from './lock.ts';

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

function startOther(): ChildProcess & { readonly pid: number } {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'ignore' });
  started.push(child);
  const { pid } = child;
  if (pid === undefined) throw new Error('no process');
  return Object.assign(child, { pid });
}

const since = '2026-11-23T02:15:00.000Z';
const command = 'carrierspec run --target carrier.yaml --out nightly';

/** A folder with the lock of another process. */
function lockedBy(holder: { readonly pid: number; readonly host?: string; readonly started?: string }): string {
  const folder = makeFolder();
  writeFileSync(join(folder, lockName), JSON.stringify({ host: hostname(), since, command, ...holder }));
  return folder;
}

function take(folder: string) {
  const notes: string[] = [];
  const lock = lockFolder(folder, { command: 'carrierspec run', note: (text) => notes.push(text) });
  return { lock, notes };
}

describe('the lock of a folder', () => {
  test('is there while it is held, and says who holds it', () => {
    const folder = makeFolder();
    const { lock, notes } = take(folder);
    expect(notes).toEqual([]);
    expect(readdirSync(folder)).toEqual([lockName]);
    expect(JSON.parse(readFileSync(join(folder, lockName), 'utf8'))).toMatchObject({
      pid: process.pid,
      host: hostname(),
      command: 'carrierspec run',
    });
    expect(isFolderLocked(folder)).toBe(true);
    expect(() => take(folder)).toThrow(`another run writes into this folder: process ${process.pid} on ${hostname()}`);
    lock.release();
    expect(readdirSync(folder)).toEqual([]);
    expect(isFolderLocked(folder)).toBe(false);
  });

  test('of a process that lives refuses, with process, machine, time and command', () => {
    const { pid } = startOther();
    const folder = lockedBy({ pid });
    const said = `another run writes into this folder: process ${pid} on ${hostname()}, since ${since}: ${command}`;
    expect(() => take(folder)).toThrow(
      expect.objectContaining({ message: said, code: 'folder-locked', kind: 'usage' }),
    );
    expect(isFolderLocked(folder)).toBe(true);
  });

  test('of a process that was killed is taken over, with a note', async () => {
    const other = startOther();
    const folder = lockedBy(other);
    other.kill('SIGKILL');
    await once(other, 'exit');
    expect(isFolderLocked(folder)).toBe(false);
    const { lock, notes } = take(folder);
    expect(notes).toEqual([
      `the lock of process ${other.pid} on ${hostname()}, since ${since}: ${command} was left behind, and is taken over`,
    ]);
    lock.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  test.skipIf(!existsSync('/proc/self/stat'))('of a process whose number another has now is taken over', () => {
    const { pid } = startOther();
    expect(take(lockedBy({ pid, started: '1' })).notes).toHaveLength(1);
    expect(take(lockedBy({ pid: process.pid, started: '1' })).notes).toHaveLength(1);
  });

  test('of another machine refuses, and says how to remove it', () => {
    const folder = lockedBy({ pid: 1, host: 'elsewhere\u001b[2J' });
    const file = join(folder, lockName);
    const said = `process 1 on elsewhere\\u{1b}[2J, since ${since}: ${command}; it is another machine: if no run is under way there, remove ${file}`;
    expect(() => take(folder)).toThrow(said);
    expect(existsSync(file)).toBe(true);
  });

  test('that is no lock of ours is left alone', () => {
    const folder = makeFolder();
    writeFileSync(join(folder, lockName), '');
    expect(() => take(folder)).toThrow(`${join(folder, lockName)} is no lock of carrierspec; if no run`);
  });

  test.each(['nowhere', 'other'])('that is a link to %s is refused at once, and not followed', (to) => {
    const folder = makeFolder();
    const [file, other] = [join(folder, lockName), join(folder, 'other')];
    writeFileSync(other, JSON.stringify({ pid: 1, host: hostname(), since, command }));
    symlinkSync(to, file);
    expect(() => take(folder)).toThrow(
      `${file} is no lock of carrierspec: it is a link, and must be a regular file: remove it`,
    );
    expect(isFolderLocked(folder)).toBe(false);
    expect(readdirSync(folder).toSorted()).toEqual(['other', lockName]);
  });

  test('that is larger than a lock can be is refused, and does not hold the folder', () => {
    const folder = makeFolder();
    writeFileSync(join(folder, lockName), 'x'.repeat(64 * 1024 + 1));
    const said = `${join(folder, lockName)} is no lock of carrierspec: it is larger than 64 kB (65537 bytes)`;
    expect(() => take(folder)).toThrow(expect.objectContaining({ message: said, code: 'folder-locked' }));
    expect(isFolderLocked(folder)).toBe(false);
  });

  test('that is a folder is refused at once', () => {
    const folder = makeFolder();
    mkdirSync(join(folder, lockName));
    expect(() => take(folder)).toThrow('it is a folder, and must be a regular file');
    expect(isFolderLocked(folder)).toBe(false);
  });

  test('is not made through a link in the place of its draft', () => {
    const folder = makeFolder();
    const victim = join(makeFolder(), 'victim');
    writeFileSync(victim, 'of the user');
    symlinkSync(victim, join(folder, `${lockName}.${process.pid}.tmp`));
    take(folder).lock.release();
    expect(readFileSync(victim, 'utf8')).toBe('of the user');
  });

  test('is not released where another process has it by now', () => {
    const folder = makeFolder();
    const { lock } = take(folder);
    const file = join(folder, lockName);
    writeFileSync(file, 'of another');
    lock.release();
    expect(readFileSync(file, 'utf8')).toBe('of another');
  });
});
