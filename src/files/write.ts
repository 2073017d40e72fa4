import {
  closeSync,
  constants,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { causeCode, FileRefusal } from '../lib/errors.ts';
import { onFile } from './file-error.ts';
import { resolveLinks } from './look.ts';

/** Permissions of the files of a run, whatever the umask grants: it may grant less. */
export const publicMode = 0o644;

/** Permissions of a key, a secret, and a file that holds one. */
export const privateMode = 0o600;

function describeKind(stats: Stats): string {
  if (stats.isSymbolicLink()) return 'a link';
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFile()) return 'a file';
  return stats.isFIFO() ? 'a pipe' : 'a socket or a device';
}

/** Throws a FileError if a link or special file has the path of a file or folder of ours. */
export const requireOwnPath = (path: string, wanted: 'file' | 'folder'): void =>
  onFile(path, 'write', () => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined || (wanted === 'file' ? stats.isFile() : stats.isDirectory())) return;
    throw new FileRefusal(`it is ${describeKind(stats)}, and must be a regular ${wanted}: remove it`);
  });

/** Path of a file whose name below a folder we chose. Throws a FileError if a part of the name is a link or special file. */
export function ownPath(folder: string, name: string): string {
  const path = join(folder, name);
  for (let above = dirname(name); above !== '.'; above = dirname(above)) requireOwnPath(join(folder, above), 'folder');
  requireOwnPath(path, 'file');
  return path;
}

function writeChunks(descriptor: number, chunks: Iterable<string>): void {
  try {
    // Unlike writeSync, it retries after a short write (disk almost full) or fails.
    for (const chunk of chunks) writeFileSync(descriptor, chunk);
  } finally {
    closeSync(descriptor);
  }
}

const draftOf = (path: string): string => `${path}.${process.pid}.tmp`;

/** Makes a new file or link beside a path, and moves it there: a reader sees the old one or the whole new one. */
function replaceByDraft(path: string, make: (draft: string) => void): void {
  const draft = draftOf(path);
  try {
    // May be left over from a killed process, or be a link; the draft must be new.
    rmSync(draft, { force: true });
    make(draft);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

const replaceWhole = (path: string, chunks: Iterable<string>): void =>
  replaceByDraft(path, (draft) => writeChunks(openSync(draft, 'wx', publicMode), chunks));

/** Writes a file of ours whole or not at all. Throws a FileError, also if a link or special file is in its place. */
export function replaceFile(path: string, chunks: Iterable<string>): void {
  requireOwnPath(path, 'file');
  onFile(path, 'write', () => replaceWhole(path, chunks));
}

/** How often, and how many milliseconds apart, a pipe is tried until something reads from it: 2 s in all. */
const pipeTries = { count: 20, pause: 100 };

/** Opens a pipe that something reads from. A plain open could wait for ever, and no signal would end it. */
function openPipe(path: string): number {
  for (let left = pipeTries.count; ; left -= 1) {
    try {
      const probe = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
      try {
        return openSync(path, 'w');
      } finally {
        closeSync(probe);
      }
    } catch (cause) {
      if (causeCode(cause) !== 'ENXIO') throw cause;
      if (left === 0) throw new FileRefusal('it is a pipe that nothing reads from');
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pipeTries.pause);
  }
}

/** Writes to a path that the user chose: replaces the file behind a link, and writes directly to a pipe or device. Throws a FileError. */
export const writeGiven = (path: string, chunks: Iterable<string>): void =>
  onFile(path, 'write', () => {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined || stats.isFile()) replaceWhole(resolveLinks(path), chunks);
    else writeChunks(stats.isFIFO() ? openPipe(path) : openSync(path, 'w'), chunks);
  });

/** Creates a file. Throws a FileError if anything has its path, a link included. */
export const createFile = (path: string, text: string, mode = publicMode): void =>
  onFile(path, 'write', () => writeFileSync(path, text, { flag: 'wx', mode }));

/** Adds a text to the end of a file of ours. Throws a FileError as `replaceFile`. */
export function appendText(path: string, text: string): void {
  requireOwnPath(path, 'file');
  const { O_WRONLY, O_CREAT, O_APPEND, O_NOFOLLOW } = constants;
  onFile(path, 'write', () =>
    writeChunks(openSync(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, publicMode), [text]),
  );
}

/** Does it unless the path is taken; returns whether it did. */
function unlessTaken(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (causeCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Creates a file with all its text, so that no reader sees a part; returns false if it exists. */
export const createWhole = (path: string, text: string): boolean =>
  onFile(path, 'write', () => {
    const draft = draftOf(path);
    rmSync(draft, { force: true });
    writeFileSync(draft, text, { flag: 'wx', mode: publicMode });
    try {
      return unlessTaken(() => linkSync(draft, path));
    } catch {
      // Without hard links, a kill may truncate the text, but creation is still exclusive.
      return unlessTaken(() => writeFileSync(path, text, { flag: 'wx', mode: publicMode }));
    } finally {
      rmSync(draft, { force: true });
    }
  });

/** Makes a path a link to a folder beside it. Throws a FileError. */
export const replaceLink = (path: string, to: string): void =>
  onFile(path, 'write', () => replaceByDraft(path, (draft) => symlinkSync(to, draft, 'dir')));

/** Moves a file within its file system, over a file that is there. Throws a FileError. */
export const moveFile = (from: string, to: string): void => onFile(to, 'write', () => renameSync(from, to));

/** Moves a file as `moveFile`; returns false if it is gone. */
export const moveIfThere = (from: string, to: string): boolean =>
  onFile(to, 'write', () => {
    try {
      renameSync(from, to);
      return true;
    } catch (error) {
      if (causeCode(error) === 'ENOENT') return false;
      throw error;
    }
  });

/** Removes a file or a link, if it is there. Throws a FileError. */
export const removeFile = (path: string): void => onFile(path, 'write', () => rmSync(path, { force: true }));
