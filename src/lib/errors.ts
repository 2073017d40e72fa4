/** Code of a Node error (`ENOENT`), or the error as text if it has none. */
export function causeCode(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
}

export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export type FileOperation = 'read' | 'write' | 'run';

const absenceReasons: Readonly<Record<FileOperation, string>> = {
  read: 'there is no such file',
  write: 'there is no such folder',
  run: 'there is no such program',
};

/** Meanings of system error codes that do not depend on the operation. */
const codeMeanings: Readonly<Record<string, string>> = {
  ENOTDIR: 'a part of the path is no folder',
  EISDIR: 'it is a folder',
  ERR_FS_EISDIR: 'it is a folder',
  ERR_INVALID_ARG_VALUE: 'it contains a null character',
  EEXIST: 'it exists already',
  EROFS: 'the file system can only be read',
  ENOSPC: 'no space is left on the device',
  EDQUOT: 'the quota of this user is used up',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'its links lead in a circle',
  EFBIG: 'it would be larger than a file of this user may be',
  EIO: 'the device reports an error',
  ENXIO: 'it is a socket or a device, and no regular file',
  EMFILE: 'too many files are open',
  EBUSY: 'something else uses it',
  E2BIG: 'its arguments are too long',
};

/** Refusal of a file because of its type, size or content; the message says why. */
export class FileRefusal extends Error {}

/** Explains a system error in words; returns its code if there is no explanation. */
export function explainFileError(tried: FileOperation, cause: unknown): string {
  if (cause instanceof FileRefusal) return cause.message;
  const code = causeCode(cause);
  if (code === 'ENOENT') return absenceReasons[tried];
  if (code === 'EACCES' || code === 'EPERM') return `this user may not ${tried} it`;
  return Object.hasOwn(codeMeanings, code) ? (codeMeanings[code] ?? code) : code;
}
