import { closeSync, mkdirSync, openSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { explainFileError } from '../../lib/errors.ts';
import { requireOwnPath } from '../../lib/own-file.ts';
import { usageError } from './inputs.ts';

export const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Creates a folder and its parents one by one: recursive mkdir never returns if the system says ENOENT, as in /proc. */
export function makeFolders(path: string): void {
  if (isFolder(path)) return;
  const above = dirname(path);
  if (above !== path) makeFolders(above);
  try {
    mkdirSync(path);
  } catch (cause) {
    // Another process may have created it meanwhile.
    if (!isFolder(path)) throw cause;
  }
}

/** Creates an output folder; the error names the flag that requested it. */
export function makeFolder(path: string, flag: string): void {
  try {
    makeFolders(path);
  } catch (cause) {
    throw unwritablePath(path, flag, cause);
  }
}

const unwritablePath = (path: string, flag: string, cause: unknown): Error =>
  usageError(`${flag}: ${path} cannot be written: ${explainFileError('write', cause)}`, cause);

/** Path with links resolved, so that writing keeps a link in place. */
function resolveLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/** Throws if an output would overwrite an input, or two outputs share a path. */
export function requireApart(
  written: readonly { readonly flag: string; readonly path: string }[],
  read: readonly string[],
): void {
  const taken = new Set(read.map(resolveLinks));
  for (const { flag, path } of written) {
    const place = resolveLinks(path);
    if (taken.has(place)) throw usageError(`${flag}: ${path} is written or read by something else`);
    taken.add(place);
  }
}

/** True for a file or a free path, which is replaced whole; a pipe or device is written to directly. */
function isReplaceable(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined || found.isFile();
}

function writeChunks(path: string, chunks: Iterable<string>, open = 'w'): void {
  const file = openSync(path, open);
  try {
    // Unlike writeSync, it retries after a short write (disk almost full) or fails.
    for (const chunk of chunks) writeFileSync(file, chunk);
  } finally {
    closeSync(file);
  }
}

/** Replaces a file atomically: a reader sees the old file or the whole new one. */
function replaceFile(path: string, chunks: Iterable<string>): void {
  const target = resolveLinks(path);
  const draft = `${target}.${process.pid}.tmp`;
  try {
    // May be left over from a killed process, or be a link; the draft must be a new file.
    rmSync(draft, { force: true });
    writeChunks(draft, chunks, 'wx');
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Writes a file atomically, following links; writes directly to a pipe or device. */
export function writeWhole(path: string, chunks: Iterable<string>, flag: string): void {
  makeFolder(dirname(path), flag);
  try {
    if (isReplaceable(path)) replaceFile(path, chunks);
    else writeChunks(path, chunks);
  } catch (cause) {
    if (cause instanceof Error && 'syscall' in cause) throw unwritablePath(path, flag, cause);
    throw cause;
  }
}

/** Writes a file whose name below `folder` we chose, not the user: refuses to follow a link there. */
export function writeBelow(
  { folder, flag }: { readonly folder: string; readonly flag: string },
  name: string,
  chunks: Iterable<string>,
): void {
  const path = join(folder, name);
  try {
    if (dirname(name) !== '.') requireOwnPath(dirname(path), 'folder');
    requireOwnPath(path, 'file');
  } catch (cause) {
    throw unwritablePath(path, flag, cause);
  }
  writeWhole(path, chunks, flag);
}
