import { causeCode, explainFileError, type FileOperation, FileRefusal } from '../lib/errors.ts';
import { CarrierspecError, type ErrorCode } from '../model/problem.ts';

const defaultCodes = {
  read: 'file-unreadable',
  write: 'file-unwritable',
  run: 'file-unreadable',
} as const satisfies Readonly<Record<FileOperation, ErrorCode>>;

/** A file or folder that cannot be read, written or run; the message names it, and is the operator's to act on. */
export class FileError extends CarrierspecError {
  /** Why, without the path. */
  readonly reason: string;

  constructor(path: string, tried: FileOperation, cause: unknown, code: ErrorCode = defaultCodes[tried]) {
    const reason = cause instanceof FileError ? cause.reason : explainFileError(tried, cause);
    super(`${path} cannot be ${participles[tried]}: ${reason}`, { code, cause });
    this.name = 'FileError';
    this.reason = reason;
  }
}

const participles: Readonly<Record<FileOperation, string>> = { read: 'read', write: 'written', run: 'run' };

/** Whether the system refused, or a limit of ours did; any other error is a fault of the program. */
const isRefusal = (cause: unknown): boolean =>
  cause instanceof FileRefusal ||
  (cause instanceof Error && ('syscall' in cause || causeCode(cause) === 'ERR_INVALID_ARG_VALUE'));

/** Does it with a path; turns a refusal into a FileError. */
export function onFile<Value>(path: string, tried: FileOperation, work: () => Value, code?: ErrorCode): Value {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof FileError || !isRefusal(cause)) throw cause;
    throw new FileError(path, tried, cause, code);
  }
}

/** Why a file cannot be used, without its path. Throws any other error. */
export function refusalReason(error: unknown): string {
  if (error instanceof FileError) return error.reason;
  throw error;
}
