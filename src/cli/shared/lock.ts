import { hostname } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { FileError, refusalReason } from '../../files/file-error.ts';
import { isFile, isLink } from '../../files/look.ts';
import { readText } from '../../files/read.ts';
import { createWhole, moveIfThere, removeFile, requireOwnPath } from '../../files/write.ts';
import { causeCode } from '../../lib/errors.ts';
import { isJsonObject, omitUndefined, parseJson } from '../../lib/json.ts';
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
    const text = readText(`/proc/${pid}/stat`, 'note');
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

/** Text of a lock; undefined if it is gone. Throws if it is no lock of ours. */
function readLock(file: string): string | undefined {
  try {
    return readText(file, 'note');
  } catch (error) {
    if (error instanceof FileError && causeCode(error.cause) === 'ENOENT') return undefined;
    throw notOurLock(file, error);
  }
}

/** Text of a lock; undefined if anything else is in its place. */
function readIfLock(file: string): string | undefined {
  try {
    return isFile(file) && !isLink(file) ? readLock(file) : undefined;
  } catch {
    return undefined;
  }
}

function notOurLock(file: string, cause: unknown): CarrierspecError {
  const message = `${file} is no lock of carrierspec: ${refusalReason(cause)}`;
  return new CarrierspecError(forTerminal(message), { code: 'folder-locked', cause });
}

const describeHolder = ({ pid, host, since, command }: Holder): string =>
  `process ${pid} on ${host}, since ${since}: ${command}`;

function lockedError(file: string, text: string): CarrierspecError {
  const holder = parseHolder(text);
  const remove = `if no run is under way there, remove ${file}`;
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
  const text = readIfLock(file);
  const holder = text === undefined ? undefined : parseHolder(text);
  return holder !== undefined && (holder.host !== hostname() || isAlive(holder));
}

/** Moves a dead process's lock away. Compares it again after the move: another process may be doing the same. */
function removeDead(file: string, text: string): void {
  const moved = `${file}.${process.pid}.dead`;
  if (!moveIfThere(file, moved)) return;
  const now = readLock(moved);
  if (now !== undefined && now !== text) createWhole(file, now);
  removeFile(moved);
}

/** Throws if the lock path is not a regular file, such as a link. */
function requireLockFile(file: string): void {
  try {
    requireOwnPath(file, 'file');
  } catch (cause) {
    throw notOurLock(file, cause);
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
  while (!createWhole(file, mine)) {
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
      if (readIfLock(file) === mine) removeFile(file);
    },
  };
}
