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
import { explainFileError } from '../lib/errors.ts';
import { openOwnFile } from '../lib/own-file.ts';
import { CarrierspecError } from '../model/problem.ts';
import type { CaseResult, Result, ResultHeader } from '../model/result.ts';
import { type JournalEntry, serializeEntry } from './entries.ts';
import { createFold, type Fold } from './fold.ts';

/** Append-only record of a run: each line is written before the run reports it, and synced within a second. */
export interface Journal {
  readonly path: string;
  /** Writes entries together, all or none. A footer is on the disk when this returns. */
  readonly append: (...entries: readonly JournalEntry[]) => void;
  /** Updates the file's time, which shows until when the run was alive, and syncs what was written. */
  readonly beat: () => void;
  /** Result of the entries so far. Cases are read back one at a time, so the journal must be open. */
  readonly result: () => Result;
  readonly close: () => void;
}

interface LineSpan {
  readonly offset: number;
  readonly length: number;
}

interface OpenJournal {
  readonly descriptor: number;
  readonly folding: Fold<LineSpan>;
  end: number;
  cases: number;
  /** Error that stopped writing: lines after a lost one would describe a run that never happened. */
  failed: JournalUnwritable | undefined;
  /** Written since the last beat. */
  dirty: boolean;
  closed: boolean;
}

/** The system does not let us write to the journal; its lines so far are complete. */
export class JournalUnwritable extends CarrierspecError {
  /** `kept` counts the cases that ran and are in the journal; undefined if it could not be created. */
  constructor(path: string, kept: number | undefined, cause: unknown) {
    const keeps = kept === undefined ? '' : `; it keeps ${kept} finished ${kept === 1 ? 'case' : 'cases'}`;
    super(`the journal ${path} cannot be written: ${explainFileError('write', cause)}${keeps}`, {
      code: 'out-unwritable',
      cause,
    });
  }
}

function openToWrite(path: string): number {
  try {
    return openOwnFile(path);
  } catch (cause) {
    throw new JournalUnwritable(path, undefined, cause);
  }
}

/** Appends all bytes or none: a short write (disk full) is truncated away. */
function writeAll(bytes: Buffer, { descriptor, end }: Pick<OpenJournal, 'descriptor' | 'end'>): void {
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

/** A system error while writing ends the run with a readable message. */
function guardWrite<Value>(path: string, file: OpenJournal, write: () => Value): Value {
  if (file.failed !== undefined) throw file.failed;
  try {
    return write();
  } catch (cause) {
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
    file.failed = new JournalUnwritable(path, file.cases, cause);
    throw file.failed;
  }
}

const isFinishedCase = (entry: JournalEntry): boolean => entry.kind === 'case' && entry.case.verdict !== 'not-run';

type OwnLine = CaseResult & { readonly kind: 'case'; readonly contributed?: unknown };

/** Written by this process from a CaseResult, so it is not validated again. */
const isOwnCase = (value: unknown): value is OwnLine =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'case';

function* readCasesBack(descriptor: number, lines: readonly LineSpan[]): Iterable<CaseResult> {
  for (const { offset, length } of lines) {
    const bytes = Buffer.allocUnsafe(length);
    readSync(descriptor, bytes, 0, length, offset);
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    if (!isOwnCase(value)) throw new Error('the journal was changed while the run wrote it');
    const { kind: _, contributed: __, ...result } = value;
    yield result;
  }
}

function appendEntries(entries: readonly JournalEntry[], file: OpenJournal): void {
  const lines = entries.map((entry) => Buffer.from(serializeEntry(entry), 'utf8'));
  const bytes = Buffer.concat(lines);
  writeAll(bytes, file);
  for (const [at, entry] of entries.entries()) {
    const length = lines[at]?.length ?? 0;
    file.folding.take(entry, { offset: file.end, length: length - 1 });
    file.end += length;
    if (isFinishedCase(entry)) file.cases += 1;
  }
  file.dirty = true;
  if (entries.some(({ kind }) => kind === 'footer')) fsyncSync(file.descriptor);
}

function touchJournal(file: OpenJournal): void {
  if (file.closed) return;
  const now = new Date();
  futimesSync(file.descriptor, now, now);
  if (!file.dirty) return;
  file.dirty = false;
  // A failed sync does not end the run: the lines are written.
  fsync(file.descriptor, () => undefined);
}

/** Starts a journal. `restored`: entries of a resumed run, whose old journal is replaced only once they are written. */
export function createJournal(path: string, header: ResultHeader, restored?: readonly JournalEntry[]): Journal {
  mkdirSync(dirname(path), { recursive: true });
  const draft = restored === undefined ? path : `${path}.tmp`;
  const descriptor = openToWrite(draft);
  const folding = createFold<LineSpan>({
    refuse: (what) => new Error(`the journal ${path} cannot be continued: ${what}`),
    read: (lines) => readCasesBack(descriptor, lines),
  });
  const file: OpenJournal = { descriptor, folding, end: 0, cases: 0, failed: undefined, dirty: true, closed: false };
  try {
    appendEntries([{ kind: 'header', header }, ...(restored ?? [])], file);
    if (restored !== undefined) {
      fsyncSync(descriptor);
      renameSync(draft, path);
    }
  } catch (cause) {
    closeSync(descriptor);
    // A resumed run keeps its old journal.
    rmSync(draft, { force: true });
    if (cause instanceof Error && 'syscall' in cause)
      throw new JournalUnwritable(path, restored?.filter(isFinishedCase).length, cause);
    throw cause;
  }
  return {
    path,
    append: (...entries) => guardWrite(path, file, () => appendEntries(entries, file)),
    beat: () => guardWrite(path, file, () => touchJournal(file)),
    result: folding.result,
    close: () => {
      file.closed = true;
      closeSync(descriptor);
    },
  };
}
