import { dirname } from 'node:path';
import { FileError } from '../../files/file-error.ts';
import { makeFolders } from '../../files/folder.ts';
import { resolveLinks } from '../../files/look.ts';
import { ownPath, replaceFile, writeGiven } from '../../files/write.ts';
import { CarrierspecError } from '../../model/problem.ts';
import { usageError } from './inputs.ts';

/** Does it; an error about a file then names the flag that led there. */
export function withFlag<Value>(flag: string, work: () => Value): Value {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof FileError)) throw cause;
    throw new CarrierspecError(`${flag}: ${cause.message}`, { code: cause.code, cause });
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

/** Writes the file that a user named: a link there is followed. */
export const writeWhole = (path: string, chunks: Iterable<string>, flag: string): void =>
  withFlag(flag, () => {
    makeFolders(dirname(path));
    writeGiven(path, chunks);
  });

/** A folder that a user named, or that leads to a file of theirs, and the flag for it. */
interface OutputFolder {
  readonly folder: string;
  readonly flag: string;
}

/** Throws if a link or special file is in the place of a file that will be written: before anything is sent. */
export function requireOwnNames({ folder, flag }: OutputFolder, names: readonly string[]): void {
  withFlag(flag, () => {
    for (const name of names) ownPath(folder, name);
  });
}

/** Creates an output folder for files of these names. Throws as `requireOwnNames`. */
export function makeFolder(folder: string, flag: string, names: readonly string[] = []): void {
  withFlag(flag, () => makeFolders(folder));
  requireOwnNames({ folder, flag }, names);
}

/** Writes a file whose name below the folder we chose: a link there is refused. */
export const writeBelow = ({ folder, flag }: OutputFolder, name: string, chunks: Iterable<string>): void =>
  withFlag(flag, () => {
    const path = ownPath(folder, name);
    makeFolders(dirname(path));
    replaceFile(path, chunks);
  });
