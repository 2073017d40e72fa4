import {
  closeSync,
  constants,
  fstatSync,
  fsync,
  fsyncSync,
  ftruncateSync,
  futimesSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { FileRefusal } from '../lib/errors.ts';
import { onFile } from './file-error.ts';
import { publicMode, requireOwnPath } from './write.ts';

/** A file of ours that is written bit by bit while it is read back. */
export interface OwnFile {
  /** Writes all bytes at the end, which is at this offset, or none: a short write (disk full) is truncated away. */
  readonly append: (bytes: Buffer, end: number) => void;
  readonly at: (offset: number, length: number) => Buffer;
  /** Sets the time of the last change to now. */
  readonly touch: () => void;
  /** Returns once the disk has all bytes. */
  readonly sync: () => void;
  /** Asks the system to write to the disk. */
  readonly beginSync: () => void;
  readonly close: () => void;
}

function writeAll(descriptor: number, bytes: Buffer, end: number): void {
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at, bytes.length - at, end + at);
  } catch (cause) {
    try {
      ftruncateSync(descriptor, end);
    } catch {
      // Readers drop an incomplete last line.
    }
    throw cause;
  }
}

function openEmpty(path: string): number {
  const { O_RDWR, O_CREAT, O_TRUNC, O_NOFOLLOW, O_NONBLOCK } = constants;
  const descriptor = openSync(path, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK, publicMode);
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw new FileRefusal('it is no regular file');
}

/** Opens a file of ours, and empties it. Throws a FileError, also if a link or special file is in its place; so do its functions. */
export function openOwnFile(path: string): OwnFile {
  requireOwnPath(path, 'file');
  const onThis = <Value>(work: () => Value): Value => onFile(path, 'write', work);
  const descriptor = onThis(() => openEmpty(path));
  return {
    append: (bytes, end) => onThis(() => writeAll(descriptor, bytes, end)),
    at: (offset, length) => {
      const bytes = Buffer.allocUnsafe(length);
      return bytes.subarray(
        0,
        onThis(() => readSync(descriptor, bytes, 0, length, offset)),
      );
    },
    touch: () => onThis(() => futimesSync(descriptor, new Date(), new Date())),
    sync: () => onThis(() => fsyncSync(descriptor)),
    // If it fails, the bytes are still written.
    beginSync: () => fsync(descriptor, () => undefined),
    close: () => closeSync(descriptor),
  };
}
