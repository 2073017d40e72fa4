import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync, readSync, type Stats } from 'node:fs';
import { FileRefusal, explainFileError } from './errors.ts';
import { createHash, type Hash } from 'node:crypto';
import { join } from 'node:path';

const kilobyte = 1024;
const megabyte = 1024 * kilobyte;

/** Maximum bytes of each kind of file that a user names; docs/running.md has the table. */
export const maxFileBytes = {
  /** Our formats: a target file, suites, rules, expected failures, a simulator file. */
  yaml: 8 * megabyte,
  /** A key, a secret or a certificate that a target file names. */
  credential: 64 * kilobyte,
  /** The keys of `certify` and `verify`. */
  key: megabyte,
  /** Input of `decode`, and its key sets. */
  message: megabyte,
  /** HAR input of `decode`; a browser's contains the bodies of whole pages. */
  har: 64 * megabyte,
  /** Note beside a journal that helps to find it again. */
  note: 64 * kilobyte,
  /** The body of `send --raw`. */
  body: 4 * megabyte,
  /** Twice the maximum of a certificate, so that `verify` calls one that is too large invalid, not unreadable. */
  certificate: 8 * megabyte,
  evidence: 256 * megabyte,
  /** A full run makes about 10 MB. */
  result: 256 * megabyte,
  journal: 1024 * megabyte,
  /** A line of a journal; lines are read whole. */
  line: 256 * megabyte,
} as const satisfies Readonly<Record<string, number>>;

export type UserFileKind = keyof typeof maxFileBytes;

export const maxBytesText = (kind: UserFileKind): string => {
  const bytes = maxFileBytes[kind];
  return bytes < megabyte ? `${bytes / kilobyte} kB` : `${bytes / megabyte} MB`;
};

const tooLarge = (kind: UserFileKind, bytes?: number): FileRefusal =>
  new FileRefusal(`it is larger than ${maxBytesText(kind)}${bytes === undefined ? '' : ` (${bytes} bytes)`}`);

function describeKind(stats: Stats): string {
  if (stats.isDirectory()) return 'it is a folder';
  return `it is ${stats.isFIFO() ? 'a pipe' : 'a device'}, and no regular file`;
}

/** Returns the size of an open file. Throws if it is not a regular file, or larger than its kind allows. */
function requireRegular(descriptor: number, kind: UserFileKind): number {
  const stats = fstatSync(descriptor);
  if (!stats.isFile()) throw new FileRefusal(describeKind(stats));
  if (stats.size > maxFileBytes[kind]) throw tooLarge(kind, stats.size);
  return stats.size;
}

/** Opens a file that a user named, without waiting for a pipe. `explainFileError('read', cause)` explains the error. */
export function openToRead(path: string, kind: UserFileKind): number {
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    requireRegular(descriptor, kind);
    return descriptor;
  } catch (cause) {
    closeSync(descriptor);
    throw cause;
  }
}

const chunkBytes = 64 * kilobyte;

/** Yields the bytes of an open file in chunks. Throws if they exceed its kind's limit, because the file grew or reports no size. */
export function* readFileChunks(descriptor: number, kind: UserFileKind, chunk = chunkBytes): Generator<Buffer, void> {
  let total = 0;
  for (;;) {
    const bytes = Buffer.allocUnsafe(chunk);
    const read = readSync(descriptor, bytes, 0, bytes.length, null);
    if (read === 0) return;
    total += read;
    if (total > maxFileBytes[kind]) throw tooLarge(kind);
    yield bytes.subarray(0, read);
  }
}

const readWhole = (descriptor: number, kind: UserFileKind): Buffer =>
  // If the size is known, one read takes all bytes and a second finds the end.
  Buffer.concat([...readFileChunks(descriptor, kind, Math.max(chunkBytes, fstatSync(descriptor).size + 1))]);

/** Bytes at the beginning that show a file's kind. */
const headBytes = 512;

/** Reads a text file whose beginning shows its kind and thereby its size limit. Throws as `readUserFile`. */
export function readTextByKind(
  path: string,
  kindOf: (beginning: string) => UserFileKind,
  widest: UserFileKind,
): string {
  const descriptor = openToRead(path, widest);
  try {
    const beginning = Buffer.alloc(headBytes);
    // Reads at an explicit position, so that the next read still begins at the start.
    const kind = kindOf(beginning.toString('utf8', 0, readSync(descriptor, beginning, 0, beginning.length, 0)));
    requireRegular(descriptor, kind);
    return readWhole(descriptor, kind).toString('utf8');
  } finally {
    closeSync(descriptor);
  }
}

/** Reads a whole file that a user named. `explainFileError('read', cause)` explains the error: not regular, too large, absent. */
export function readUserFile(path: string, kind: UserFileKind): Buffer {
  const descriptor = openToRead(path, kind);
  try {
    return readWhole(descriptor, kind);
  } finally {
    closeSync(descriptor);
  }
}

export const readUserText = (path: string, kind: UserFileKind): string => readUserFile(path, kind).toString('utf8');

/** SHA-256 of a file as `sha256:...`, or why it cannot be read. Does not wait for a pipe or device. */
export function digestFile(path: string): { readonly sha256: string } | { readonly wrong: string } {
  let descriptor: number | undefined;
  try {
    descriptor = openToRead(path, 'evidence');
    const hash = createHash('sha256');
    for (const part of readFileChunks(descriptor, 'evidence', megabyte)) hash.update(part);
    return { sha256: `sha256:${hash.digest('hex')}` };
  } catch (error) {
    return { wrong: explainFileError('read', error) };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Adds name, size and bytes of each matching file in a folder, in the order of their names. */
export function hashFolder(hash: Hash, folder: string, matches: RegExp): Hash {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.split('\\').join('/'));
  for (const name of names.filter((one) => matches.test(one)).toSorted()) {
    const bytes = readFileSync(join(folder, name));
    hash.update(`${name}\n${bytes.length}\n`).update(bytes);
  }
  return hash;
}
