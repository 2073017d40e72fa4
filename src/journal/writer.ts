import {
  closeSync,
  fsync,
  fsyncSync,
  futimesSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { whyNot } from '../lib/errors.ts';
import { CarrierspecError } from '../model/problem.ts';
import type { CaseResult, Result, ResultHeader } from '../model/result.ts';
import { type JournalEntry, serializeEntry } from './entries.ts';
import { createFold, type Fold } from './fold.ts';

/**
 * The append-only record of a run. A line is handed to the operating system in one write before the run reports it, so that
 * killing the process loses no finished case. It is on the disk, for when the power fails, within about a second.
 */
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

/** Bytes of a line, without its line feed. */
interface Line {
  readonly offset: number;
  readonly length: number;
}

interface OpenFile {
  readonly descriptor: number;
  readonly folding: Fold<Line>;
  end: number;
  /** Something was written since the last beat. */
  dirty: boolean;
  closed: boolean;
}

function openToWrite(path: string): number {
  try {
    return openSync(path, 'w+');
  } catch (cause) {
    throw new CarrierspecError(`the journal ${path} cannot be written: ${whyNot('write', cause)}`, {
      code: 'out-unwritable',
      cause,
    });
  }
}

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
  writeSync(file.descriptor, bytes, 0, bytes.length, file.end);
  for (const [at, entry] of entries.entries()) {
    const length = lines[at]?.length ?? 0;
    file.folding.take(entry, { offset: file.end, length: length - 1 });
    file.end += length;
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

/**
 * Begins a journal. `restored` are entries of a run that was cut off, and is resumed: its own journal stays what it is until
 * the new one has all of them.
 */
export function createJournal(path: string, header: ResultHeader, restored?: readonly JournalEntry[]): Journal {
  mkdirSync(dirname(path), { recursive: true });
  const draft = restored === undefined ? path : `${path}.tmp`;
  const descriptor = openToWrite(draft);
  const folding = createFold<Line>({
    refuse: (what) => new Error(`the journal ${path} cannot be continued: ${what}`),
    read: (lines) => readBack(descriptor, lines),
  });
  const file: OpenFile = { descriptor, folding, end: 0, dirty: true, closed: false };
  append([{ kind: 'header', header }, ...(restored ?? [])], file);
  if (restored !== undefined) {
    fsyncSync(descriptor);
    renameSync(draft, path);
  }
  return {
    path,
    append: (...entries) => append(entries, file),
    beat: () => beat(file),
    result: folding.result,
    close: () => {
      file.closed = true;
      closeSync(descriptor);
    },
  };
}
