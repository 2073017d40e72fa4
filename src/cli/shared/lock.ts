import { linkSync, lstatSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { causeCode, explainFileError } from '../../lib/errors.ts';
import { isJsonObject, omitUndefined, parseJson } from '../../lib/json.ts';
import { requireOwnPath, replaceOwnFile } from '../../lib/own-file.ts';
import { readUserText } from '../../lib/read-file.ts';
import { CarrierspecError } from '../../model/problem.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** ISO 8601, local machine clock. */
  readonly since: string;
  readonly command: string;
  /** Process start time in system ticks: the pid alone may have been reused. */
  readonly started?: string;
}

export const lockName = 'run.lock';

/** Start of a process, and whether it has ended and waits for its parent: fields 22 and 3 of /proc/PID/stat (Linux only). */
function readProcess(pid: number): { readonly started?: string; readonly isZombie?: boolean } {
  try {
    const text = readUserText(`/proc/${pid}/stat`, 'note');
    // The name in field 2 may contain blanks and brackets.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return omitUndefined({ started: fields[19], isZombie: fields[0] === 'Z' });
  } catch {
    return {};
  }
}

const createHolder = (command: string): Holder => {
  const { started } = readProcess(process.pid);
  const holder = { pid: process.pid, host: hostname(), since: new Date().toISOString(), command };
  return started === undefined ? holder : { ...holder, started };
};

/** For processes of this machine. Another user's process cannot be signalled but is alive. */
function isAlive({ pid, started }: Holder): boolean {
  if (pid === process.pid) return readProcess(pid).started === started && started !== undefined;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (causeCode(error) === 'ESRCH') return false;
  }
  const { started: now, isZombie } = readProcess(pid);
  return isZombie !== true && (started === undefined || now === undefined || now === started);
}

function parseHolder(text: string): Holder | undefined {
  const value = parseJson(text);
  if (!isJsonObject(value)) return undefined;
  const { pid, host, since, command, started } = value;
  if (typeof pid !== 'number' || !Number.isInteger(pid) || pid < 1) return undefined;
  if (typeof host !== 'string' || typeof since !== 'string' || typeof command !== 'string') return undefined;
  return { pid, host, since, command, ...(typeof started === 'string' ? { started } : {}) };
}

function readLock(file: string): string | undefined {
  try {
    return readUserText(file, 'note');
  } catch (error) {
    if (causeCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

const describeHolder = ({ pid, host, since, command }: Holder): string =>
  `process ${pid} on ${host}, since ${since}: ${command}`;

function lockedError(file: string, text: string): CarrierspecError {
  const holder = parseHolder(text);
  const remove = `where no run is under way there, remove ${file}`;
  const message =
    holder === undefined
      ? `${file} is no lock of carrierspec; ${remove}`
      : `another run writes into this folder: ${describeHolder(holder)}`;
  const elsewhere = holder !== undefined && holder.host !== hostname();
  const advice = elsewhere ? `; it is another machine: ${remove}` : '';
  return new CarrierspecError(forTerminal(`${message}${advice}`), { code: 'folder-locked' });
}

/** True if a live process of this machine, or any process of another machine, holds the folder. */
export function isFolderLocked(folder: string): boolean {
  const file = join(folder, lockName);
  // Anything but a file is not a lock; the next run in this folder reports it.
  const text = lstatSync(file, { throwIfNoEntry: false })?.isFile() === true ? readLock(file) : undefined;
  const holder = text === undefined ? undefined : parseHolder(text);
  return holder !== undefined && (holder.host !== hostname() || isAlive(holder));
}

/** Creates the file with all its text; returns false if it exists. */
function tryCreate(file: string, text: string): boolean {
  const draft = `${file}.${process.pid}.tmp`;
  replaceOwnFile(draft, text);
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (causeCode(error) === 'EEXIST') return false;
    // Without hard links, a kill may truncate the text, but creation is still exclusive.
    return tryWrite(file, text);
  } finally {
    rmSync(draft, { force: true });
  }
}

function tryWrite(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (causeCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Moves a dead process's lock away. Compares it again after the move: another process may be doing the same. */
function removeDead(file: string, text: string): void {
  const moved = `${file}.${process.pid}.dead`;
  try {
    renameSync(file, moved);
  } catch (error) {
    if (causeCode(error) === 'ENOENT') return;
    throw error;
  }
  if (readUserText(moved, 'note') !== text) linkSync(moved, file);
  rmSync(moved, { force: true });
}

/** Throws if the lock path is not a regular file, such as a link. */
function requireLockFile(file: string): void {
  try {
    requireOwnPath(file, 'file');
  } catch (cause) {
    const message = `${file} is no lock of carrierspec: ${explainFileError('read', cause)}`;
    throw new CarrierspecError(forTerminal(message), { code: 'folder-locked', cause });
  }
}

export interface FolderLock {
  readonly release: () => void;
}

export interface LockOptions {
  /** Command line shown to other processes. */
  readonly command: string;
  readonly note: (text: string) => void;
}

/** Locks a folder, taking over the lock of a dead process. Throws if a live one holds it. */
export function lockFolder(folder: string, { command, note }: LockOptions): FolderLock {
  const file = join(folder, lockName);
  const mine = `${JSON.stringify(createHolder(command))}\n`;
  while (!tryCreate(file, mine)) {
    requireLockFile(file);
    const text = readLock(file);
    if (text === undefined) continue;
    const holder = parseHolder(text);
    if (holder === undefined || holder.host !== hostname() || isAlive(holder)) throw lockedError(file, text);
    removeDead(file, text);
    note(`the lock of ${describeHolder(holder)} was left behind, and is taken over`);
  }
  return {
    release: () => {
      if (readLock(file) === mine) rmSync(file, { force: true });
    },
  };
}
