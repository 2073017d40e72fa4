import { closeSync, mkdirSync, openSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { whyNot } from '../../lib/errors.ts';
import { requireOwn } from '../../lib/own-file.ts';
import { usageError } from './inputs.ts';

export const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Makes a folder and those above it, one by one: all at once Node never ends where the system says ENOENT, as in /proc. */
export function makeFolders(path: string): void {
  if (isFolder(path)) return;
  const above = dirname(path);
  if (above !== path) makeFolders(above);
  try {
    mkdirSync(path);
  } catch (cause) {
    // Another process may have been faster.
    if (!isFolder(path)) throw cause;
  }
}

/** Makes a folder to write to; the error names the flag that asked for it. */
export function makeFolder(path: string, flag: string): void {
  try {
    makeFolders(path);
  } catch (cause) {
    throw unwritable(path, flag, cause);
  }
}

const unwritable = (path: string, flag: string, cause: unknown): Error =>
  usageError(`${flag}: ${path} cannot be written: ${whyNot('write', cause)}`, cause);

/** Where a path leads behind links, so that a link stays one. */
function behindLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/** Throws where a file would be written over one that is read, or two to one place. */
export function requireApart(
  written: readonly { readonly flag: string; readonly path: string }[],
  read: readonly string[],
): void {
  const taken = new Set(read.map(behindLinks));
  for (const { flag, path } of written) {
    const place = behindLinks(path);
    if (taken.has(place)) throw usageError(`${flag}: ${path} is written or read by something else`);
    taken.add(place);
  }
}

/** A file is replaced as a whole; a pipe or a device is written to. */
function isReplaceable(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined || found.isFile();
}

function writeChunks(path: string, chunks: Iterable<string>, open = 'w'): void {
  const file = openSync(path, open);
  try {
    // Unlike writeSync it writes the rest of what a device that is almost full took a part of, or fails.
    for (const chunk of chunks) writeFileSync(file, chunk);
  } finally {
    closeSync(file);
  }
}

/** A reader sees the file that was there before, or the whole new one, never a half. */
function replaceFile(path: string, chunks: Iterable<string>): void {
  const target = behindLinks(path);
  const draft = `${target}.${process.pid}.tmp`;
  try {
    // Left by a killed process, or a link: a draft is always a new file.
    rmSync(draft, { force: true });
    writeChunks(draft, chunks, 'wx');
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Writes a file whole or not at all, behind a link too; a pipe or a device is written to as it is. */
export function writeWhole(path: string, chunks: Iterable<string>, flag: string): void {
  makeFolder(dirname(path), flag);
  try {
    if (isReplaceable(path)) replaceFile(path, chunks);
    else writeChunks(path, chunks);
  } catch (cause) {
    if (cause instanceof Error && 'syscall' in cause) throw unwritable(path, flag, cause);
    throw cause;
  }
}

/** Writes a file whose name below `folder` is ours and not the user's: a link in its place is refused, not followed. */
export function writeBelow(
  { folder, flag }: { readonly folder: string; readonly flag: string },
  name: string,
  chunks: Iterable<string>,
): void {
  const path = join(folder, name);
  try {
    if (dirname(name) !== '.') requireOwn(dirname(path), 'folder');
    requireOwn(path, 'file');
  } catch (cause) {
    throw unwritable(path, flag, cause);
  }
  writeWhole(path, chunks, flag);
}
