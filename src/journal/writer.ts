import {
  closeSync,
  fsync,
  fsyncSync,
  ftruncateSync,
  futimesSync,
  mkdirSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { whyNot } from '../lib/errors.ts';
import { openOwn } from '../lib/own-file.ts';
import { CarrierspecError } from '../model/problem.ts';
import type { CaseResult, Result, ResultHeader } from '../model/result.ts';
import { type JournalEntry, serializeEntry } from './entries.ts';
import { createFold, type Fold } from './fold.ts';

/** The append-only record of a run: each line is written before the run reports it, and synced within a second. */
export interface Journal {
  readonly path: string;
  /** Entries that are written together: all of them or none. The footer is on the disk when this returns. */
  readonly append: (...entries: readonly JournalEntry[]) => void;
  /** The run is alive: the time of the file says until when it was. Brings to the disk what was written. */
  readonly beat: () => void;
  /** What is written, folded. Its cases are read back one at a time; the journal has to be open for that. */
  readonly result: () => Result;
  readonly close: () => void;
}

interface Line {
  readonly offset: number;
  readonly length: number;
}

interface OpenFile {
  readonly descriptor: number;
  readonly folding: Fold<Line>;
  end: number;
  cases: number;
  /** Why nothing more is written: what follows a lost line would be a run that never was. */
  failed: JournalUnwritable | undefined;
  /** Something was written since the last beat. */
  dirty: boolean;
  closed: boolean;
}

/** The system takes no more of a journal; what is in it is whole. */
export class JournalUnwritable extends CarrierspecError {
  /** `kept` are the cases that ran and are in the journal; undefined where it was not begun. */
  constructor(path: string, kept: number | undefined, cause: unknown) {
    const keeps = kept === undefined ? '' : `; it keeps ${kept} finished ${kept === 1 ? 'case' : 'cases'}`;
    super(`the journal ${path} cannot be written: ${whyNot('write', cause)}${keeps}`, {
      code: 'out-unwritable',
      cause,
    });
  }
}

function openToWrite(path: string): number {
  try {
    return openOwn(path);
  } catch (cause) {
    throw new JournalUnwritable(path, undefined, cause);
  }
}

/** Writes all bytes at the end of what is there, or none of them: a device that is almost full takes a part. */
function writeAll(bytes: Buffer, { descriptor, end }: Pick<OpenFile, 'descriptor' | 'end'>): void {
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at, bytes.length - at, end + at);
  } catch (cause) {
    try {
      ftruncateSync(descriptor, end);
    } catch {
      // A reader drops a last line that is not whole.
    }
    throw cause;
  }
}

/** What the system refuses of a journal ends the run, in words. */
function guarded<Value>(path: string, file: OpenFile, write: () => Value): Value {
  if (file.failed !== undefined) throw file.failed;
  try {
    return write();
  } catch (cause) {
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
    file.failed = new JournalUnwritable(path, file.cases, cause);
    throw file.failed;
  }
}

const hasRun = (entry: JournalEntry): boolean => entry.kind === 'case' && entry.case.verdict !== 'not-run';

type OwnLine = CaseResult & { readonly kind: 'case'; readonly contributed?: unknown };

/** The line was written by this process from a CaseResult: it is not held to the schema again. */
const isOwnCase = (value: unknown): value is OwnLine =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'case';

function* readBack(descriptor: number, lines: readonly Line[]): Iterable<CaseResult> {
  for (const { offset, length } of lines) {
    const bytes = Buffer.allocUnsafe(length);
    readSync(descriptor, bytes, 0, length, offset);
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    if (!isOwnCase(value)) throw new Error('the journal was changed while the run wrote it');
    const { kind: _, contributed: __, ...result } = value;
    yield result;
  }
}

function append(entries: readonly JournalEntry[], file: OpenFile): void {
  const lines = entries.map((entry) => Buffer.from(serializeEntry(entry), 'utf8'));
  const bytes = Buffer.concat(lines);
  writeAll(bytes, file);
  for (const [at, entry] of entries.entries()) {
    const length = lines[at]?.length ?? 0;
    file.folding.take(entry, { offset: file.end, length: length - 1 });
    file.end += length;
    if (hasRun(entry)) file.cases += 1;
  }
  file.dirty = true;
  if (entries.some(({ kind }) => kind === 'footer')) fsyncSync(file.descriptor);
}

function beat(file: OpenFile): void {
  if (file.closed) return;
  const now = new Date();
  futimesSync(file.descriptor, now, now);
  if (!file.dirty) return;
  file.dirty = false;
  // A run does not end because this fails: the lines are written.
  fsync(file.descriptor, () => undefined);
}

/** Begins a journal. `restored`: entries of the run that is resumed, whose own journal stays until then. */
export function createJournal(path: string, header: ResultHeader, restored?: readonly JournalEntry[]): Journal {
  mkdirSync(dirname(path), { recursive: true });
  const draft = restored === undefined ? path : `${path}.tmp`;
  const descriptor = openToWrite(draft);
  const folding = createFold<Line>({
    refuse: (what) => new Error(`the journal ${path} cannot be continued: ${what}`),
    read: (lines) => readBack(descriptor, lines),
  });
  const file: OpenFile = { descriptor, folding, end: 0, cases: 0, failed: undefined, dirty: true, closed: false };
  try {
    append([{ kind: 'header', header }, ...(restored ?? [])], file);
    if (restored !== undefined) {
      fsyncSync(descriptor);
      renameSync(draft, path);
    }
  } catch (cause) {
    closeSync(descriptor);
    // Where a run is resumed, its own journal is as it was.
    rmSync(draft, { force: true });
    if (cause instanceof Error && 'syscall' in cause)
      throw new JournalUnwritable(path, restored?.filter(hasRun).length, cause);
    throw cause;
  }
  return {
    path,
    append: (...entries) => guarded(path, file, () => append(entries, file)),
    beat: () => guarded(path, file, () => beat(file)),
    result: folding.result,
    close: () => {
      file.closed = true;
      closeSync(descriptor);
    },
  };
}
