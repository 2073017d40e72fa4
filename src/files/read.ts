import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { createHash } from 'node:crypto';
import { FileRefusal } from '../lib/errors.ts';
import type { ErrorCode } from '../model/problem.ts';
import { FileError, onFile, refusalReason } from './file-error.ts';

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
  /** Twice the maximum of a certificate, so that `verify` calls one that is too large invalid, not unreadable. */
  certificate: 8 * megabyte,
  evidence: 256 * megabyte,
  /** A full run makes about 10 MB. */
  result: 256 * megabyte,
  journal: 1024 * megabyte,
  /** A line of a journal; lines are read whole. */
  line: 64 * megabyte,
  /** A JavaScript module: a reporter or a driver. */
  module: 16 * megabyte,
} as const satisfies Readonly<Record<string, number>>;

export type UserFileKind = keyof typeof maxFileBytes;

/** Codes of errors about files that have a code of their own. */
const codes: Readonly<Partial<Record<UserFileKind, ErrorCode>>> = {
  key: 'key-unusable',
  message: 'nothing-to-decode',
  har: 'nothing-to-decode',
  certificate: 'certificate-unreadable',
  result: 'result-unreadable',
  journal: 'result-unreadable',
  line: 'result-unreadable',
};

export const maxBytesText = (kind: UserFileKind): string => {
  const bytes = maxFileBytes[kind];
  return bytes < megabyte ? `${bytes / kilobyte} kB` : `${bytes / megabyte} MB`;
};

/** A file that a user named, or whose name leads to it, refused for this reason. */
export const refuseFile = (path: string, kind: UserFileKind, reason: string): FileError =>
  new FileError(path, 'read', new FileRefusal(reason), codes[kind]);

function describeKind(stats: Stats): string {
  if (stats.isDirectory()) return 'it is a folder';
  return `it is ${stats.isFIFO() ? 'a pipe' : 'a device'}, and no regular file`;
}

/** Returns the stats of an open file. Throws if it is not a regular file, or larger than its kind allows. */
function requireRegular(descriptor: number, path: string, kind: UserFileKind): Stats {
  const stats = fstatSync(descriptor);
  if (!stats.isFile()) throw refuseFile(path, kind, describeKind(stats));
  if (stats.size > maxFileBytes[kind])
    throw refuseFile(path, kind, `it is larger than ${maxBytesText(kind)} (${stats.size} bytes)`);
  return stats;
}

const chunkBytes = 64 * kilobyte;

/** An open regular file of a bounded size. */
export interface InputFile {
  /** Bytes when it was opened; 0 for a file of /proc. */
  readonly size: number;
  /** Yields the bytes in chunks. Throws if they exceed the kind's limit, because the file grew or reports no size. */
  readonly chunks: (chunk?: number) => Generator<Buffer, void>;
  /** Bytes at an offset; fewer at the end. */
  readonly at: (offset: number, length: number) => Buffer;
  readonly close: () => void;
}

function* readChunks(read: (bytes: Buffer) => number, tooLarge: () => FileError, most: number, chunk: number) {
  let total = 0;
  for (;;) {
    const bytes = Buffer.allocUnsafe(chunk);
    const length = read(bytes);
    if (length === 0) return;
    total += length;
    if (total > most) throw tooLarge();
    yield bytes.subarray(0, length);
  }
}

/** Opens a file to read it, without waiting for a pipe. Throws a FileError: absent, not regular, too large. */
export function openInput(path: string, kind: UserFileKind): InputFile {
  const onThis = <Value>(work: () => Value): Value => onFile(path, 'read', work, codes[kind]);
  const descriptor = onThis(() => openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)));
  const close = (): void => closeSync(descriptor);
  try {
    const { size } = requireRegular(descriptor, path, kind);
    const read = (bytes: Buffer, offset: number | null = null): number =>
      onThis(() => readSync(descriptor, bytes, 0, bytes.length, offset));
    const tooLarge = (): FileError => refuseFile(path, kind, `it is larger than ${maxBytesText(kind)}`);
    return {
      size,
      chunks: (chunk = chunkBytes) => readChunks(read, tooLarge, maxFileBytes[kind], chunk),
      at: (offset, length) => {
        const bytes = Buffer.allocUnsafe(length);
        return bytes.subarray(0, read(bytes, offset));
      },
      close,
    };
  } catch (cause) {
    close();
    throw cause;
  }
}

function withInput<Value>(path: string, kind: UserFileKind, use: (file: InputFile) => Value): Value {
  const file = openInput(path, kind);
  try {
    return use(file);
  } finally {
    file.close();
  }
}

const readWhole = (file: InputFile): Buffer =>
  // If the size is known, one read takes all bytes and a second finds the end.
  Buffer.concat([...file.chunks(Math.max(chunkBytes, file.size + 1))]);

/** Reads a whole file. Throws a FileError as `openInput`. */
export const readBytes = (path: string, kind: UserFileKind): Buffer => withInput(path, kind, readWhole);

const strictDecoder = new TextDecoder('utf-8', { fatal: true });

/** UTF-8 as text, without a byte order mark; undefined for other bytes. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Reads a whole file as UTF-8, without a byte order mark. Throws a FileError also for bytes that are not UTF-8. */
export function readText(path: string, kind: UserFileKind): string {
  const text = decodeUtf8(readBytes(path, kind));
  if (text === undefined) throw refuseFile(path, kind, 'it is not UTF-8');
  return text;
}

/** Throws a FileError if a file cannot be read whole as this kind; reads nothing. */
export const requireReadable = (path: string, kind: UserFileKind): void => withInput(path, kind, () => undefined);

/** Bytes at the beginning that show a file's kind. */
const headBytes = 512;

/** Reads a text whose beginning shows its kind and thereby its limit. Other bytes than UTF-8 are replaced: `decode` shows what came. */
export function readTextByKind(
  path: string,
  kindOf: (beginning: string) => UserFileKind,
  widest: UserFileKind,
): string {
  const kind = withInput(path, widest, (file) => kindOf(file.at(0, headBytes).toString('utf8')));
  return readBytes(path, kind).toString('utf8');
}

/** SHA-256 of a file as `sha256:...` and its size, or why it cannot be read. */
export function digestFile(
  path: string,
): { readonly sha256: string; readonly bytes: number } | { readonly wrong: string } {
  try {
    return withInput(path, 'evidence', (file) => {
      const hash = createHash('sha256');
      let bytes = 0;
      for (const part of file.chunks(megabyte)) {
        hash.update(part);
        bytes += part.length;
      }
      return { sha256: `sha256:${hash.digest('hex')}`, bytes };
    });
  } catch (error) {
    return { wrong: refusalReason(error) };
  }
}
