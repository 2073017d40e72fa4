import { closeSync, constants, fstatSync, lstatSync, openSync, rmSync, type Stats, writeFileSync } from 'node:fs';
import { FileRefusal } from './errors.ts';

function fileKind(stats: Stats): string {
  if (stats.isSymbolicLink()) return 'a link';
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFile()) return 'a file';
  return stats.isFIFO() ? 'a pipe' : 'a socket or a device';
}

/** Throws a FileRefusal where a link or special file stands at a path whose name is ours. */
export function requireOwn(path: string, wanted: 'file' | 'folder'): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || (wanted === 'file' ? stats.isFile() : stats.isDirectory())) return;
  throw new FileRefusal(`it is ${fileKind(stats)}, and must be a regular ${wanted}: remove it`);
}

/** Opens a file of ours to write and read it, empty; never one behind a link. Throws a FileRefusal as `requireOwn`. */
export function openOwn(path: string): number {
  requireOwn(path, 'file');
  const { O_RDWR, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
  const descriptor = openSync(path, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o666);
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw new FileRefusal('it is no regular file');
}

/** Makes a file of ours anew: what stood there is removed, and a link is not followed. */
export function writeNew(path: string, content: string): void {
  rmSync(path, { force: true });
  writeFileSync(path, content, { flag: 'wx' });
}
