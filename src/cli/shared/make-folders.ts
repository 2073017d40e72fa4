import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

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
