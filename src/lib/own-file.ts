import { closeSync, constants, fstatSync, lstatSync, openSync, rmSync, type Stats, writeFileSync } from 'node:fs';
import { FileRefusal } from './errors.ts';

function fileKind(stats: Stats): string {
  if (stats.isSymbolicLink()) return 'a link';
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFile()) return 'a file';
  return stats.isFIFO() ? 'a pipe' : 'a socket or a device';
}

/** Throws a FileRefusal if a link or special file has the path of a file or folder of ours. */
export function requireOwnPath(path: string, wanted: 'file' | 'folder'): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || (wanted === 'file' ? stats.isFile() : stats.isDirectory())) return;
  throw new FileRefusal(`it is ${fileKind(stats)}, and must be a regular ${wanted}: remove it`);
}

/** Opens a file of ours for reading and writing, and empties it. Never follows a link. Throws a FileRefusal as `requireOwnPath`. */
export function openOwnFile(path: string): number {
  requireOwnPath(path, 'file');
  const { O_RDWR, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
  const descriptor = openSync(path, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o666);
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw new FileRefusal('it is no regular file');
}

/** Replaces a file of ours without following a link. */
export function replaceOwnFile(path: string, content: string): void {
  rmSync(path, { force: true });
  writeFileSync(path, content, { flag: 'wx' });
}
