import {
  accessSync,
  constants,
  type Dirent,
  lstatSync,
  readdirSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { onFile } from './file-error.ts';

/** Stats of the file or folder that a path leads to; undefined for nothing, and if the system does not say: opening it gives the reason. */
function look(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

export const isFile = (path: string): boolean => look(path)?.isFile() === true;

export const isFolder = (path: string): boolean => look(path)?.isDirectory() === true;

export const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;

/** Whether a path leads to anything. */
export const isThere = (path: string): boolean => look(path) !== undefined;

/** Time of the last change in milliseconds since the epoch; 0 if there is nothing. */
export const modifiedAt = (path: string): number => look(path)?.mtimeMs ?? 0;

export function isSameFile(one: string, other: string): boolean {
  const [a, b] = [look(one), look(other)];
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}

/** Path without links, so that writing keeps a link in place; a path that leads to nothing stays. */
export function resolveLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/** Entries of a folder in the order of their names; links are not followed. Throws a FileError. */
export const listFolder = (path: string): readonly Dirent[] =>
  onFile(path, 'read', () =>
    readdirSync(path, { withFileTypes: true }).toSorted((one, other) => (one.name < other.name ? -1 : 1)),
  );

/** Paths of all files below a folder, relative to it. Follows links; a folder that two paths lead to is read once. Throws a FileError. */
export async function listBelow(path: string, seen = new Set<string>()): Promise<readonly string[]> {
  const place = resolveLinks(path);
  if (seen.has(place)) return [];
  seen.add(place);
  const found: string[] = [];
  for (const { name } of listFolder(path)) {
    if (isFolder(join(path, name)))
      found.push(...(await listBelow(join(path, name), seen)).map((one) => join(name, one)));
    else found.push(name);
  }
  return found;
}

/** Throws a FileError if this user may not run a program. */
export const requireRunnable = (path: string): void => onFile(path, 'run', () => accessSync(path, constants.X_OK));
