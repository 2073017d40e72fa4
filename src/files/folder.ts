import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { causeCode, FileRefusal } from '../lib/errors.ts';
import { onFile } from './file-error.ts';
import { isFolder } from './look.ts';

/** Permissions of the folders of a run, whatever the umask grants. */
const folderMode = 0o755;

function makeOne(path: string): void {
  if (isFolder(path)) return;
  const above = dirname(path);
  if (above !== path) makeOne(above);
  try {
    mkdirSync(path, folderMode);
  } catch (cause) {
    // Another process may have created it meanwhile.
    if (isFolder(path)) return;
    throw causeCode(cause) === 'EEXIST' ? new FileRefusal('it is there already, and is no folder') : cause;
  }
}

/** Creates a folder and its parents one by one: recursive mkdir never returns if the system says ENOENT, as in /proc. Throws a FileError. */
export const makeFolders = (path: string): void => onFile(path, 'write', () => makeOne(path));

/** Makes a folder one that only this user may enter. Throws a FileError. */
export const makePrivate = (path: string): void => onFile(path, 'write', () => chmodSync(path, 0o700));

/** Creates a new folder of this process that only this user may enter; below `parent`, or the system's temporary folder. */
export const makeTemporaryFolder = (prefix: string, parent = tmpdir()): string =>
  onFile(parent, 'write', () => mkdtempSync(join(parent, prefix)));

/** Removes a folder of this process with all that is in it. */
export const removeFolder = (path: string): void => rmSync(path, { recursive: true, force: true });

/** Removes a folder if nothing is in it. */
export function removeEmptyFolder(path: string): void {
  if (isFolder(path) && readdirSync(path).length === 0) rmdirSync(path);
}
