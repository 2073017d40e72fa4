import { dirname } from 'node:path';
import { FileError } from '../files/file-error.ts';
import { makeFolders } from '../files/folder.ts';
import { openOwnFile, type OwnFile } from '../files/own-file.ts';
import { moveFile, removeFile } from '../files/write.ts';
import { CarrierspecError } from '../model/problem.ts';
import type { CaseResult, Result, ResultHeader } from '../model/result.ts';
import { chainedText, type JournalEntry } from './entries.ts';
import { createFold, type Fold } from './fold.ts';
import { chainDigest, createSealer } from './seal.ts';

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
  readonly own: OwnFile;
  readonly folding: Fold<LineSpan>;
  readonly seal: ReturnType<typeof createSealer>;
  /** Digest that chains the next line to those written. */
  chain: string;
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
  constructor(path: string, kept: number | undefined, cause: FileError) {
    const keeps = kept === undefined ? '' : `; it keeps ${kept} finished ${kept === 1 ? 'case' : 'cases'}`;
    super(`the journal ${path} cannot be written: ${cause.reason}${keeps}`, {
      code: 'out-unwritable',
      cause,
    });
  }
}

function openToWrite(path: string): OwnFile {
  try {
    return openOwnFile(path);
  } catch (cause) {
    if (!(cause instanceof FileError)) throw cause;
    throw new JournalUnwritable(path, undefined, cause);
  }
}

/** A system error while writing ends the run with a readable message. */
function guardWrite<Value>(path: string, file: OpenJournal, write: () => Value): Value {
  if (file.failed !== undefined) throw file.failed;
  try {
    return write();
  } catch (cause) {
    if (!(cause instanceof FileError)) throw cause;
    file.failed = new JournalUnwritable(path, file.cases, cause);
    throw file.failed;
  }
}

const isFinishedCase = (entry: JournalEntry): boolean => entry.kind === 'case' && entry.case.verdict !== 'not-run';

type OwnLine = CaseResult & { readonly kind: 'case'; readonly contributed?: unknown; readonly chain: string };

/** Written by this process from a CaseResult, so it is not validated again. */
const isOwnCase = (value: unknown): value is OwnLine =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'case';

function* readCasesBack(own: OwnFile, lines: readonly LineSpan[]): Iterable<CaseResult> {
  for (const { offset, length } of lines) {
    const value: unknown = JSON.parse(own.at(offset, length).toString('utf8'));
    if (!isOwnCase(value)) throw new Error('the journal was changed while the run wrote it');
    const { kind: _, contributed: __, chain: ___, ...result } = value;
    yield result;
  }
}

/** Line of an entry, chained to the line before it. No line follows one that could not be written. */
function chainLine(text: string, file: OpenJournal): Buffer {
  file.chain = chainDigest(file.chain, text);
  return Buffer.from(`${chainedText(text, file.chain)}\n`, 'utf8');
}

function appendEntries(given: readonly JournalEntry[], file: OpenJournal): void {
  const entries = given.map(file.seal);
  const lines = entries.map(({ text }) => chainLine(text, file));
  const bytes = Buffer.concat(lines);
  file.own.append(bytes, file.end);
  for (const [at, { entry }] of entries.entries()) {
    const length = lines[at]?.length ?? 0;
    file.folding.take(entry, { offset: file.end, length: length - 1 });
    file.end += length;
    if (isFinishedCase(entry)) file.cases += 1;
  }
  file.dirty = true;
  if (given.some(({ kind }) => kind === 'footer')) file.own.sync();
}

function touchJournal(file: OpenJournal): void {
  if (file.closed) return;
  file.own.touch();
  if (!file.dirty) return;
  file.dirty = false;
  file.own.beginSync();
}

/** Starts a journal. `restored`: entries of a resumed run, whose old journal is replaced only once they are written. */
export function createJournal(path: string, header: ResultHeader, restored?: readonly JournalEntry[]): Journal {
  makeFolders(dirname(path));
  const draft = restored === undefined ? path : `${path}.tmp`;
  const own = openToWrite(draft);
  const folding = createFold<LineSpan>({
    refuse: (what) => new Error(`the journal ${path} cannot be continued: ${what}`),
    read: (lines) => readCasesBack(own, lines),
  });
  const file: OpenJournal = {
    own,
    folding,
    seal: createSealer(),
    chain: '',
    end: 0,
    cases: 0,
    failed: undefined,
    dirty: true,
    closed: false,
  };
  try {
    appendEntries([{ kind: 'header', header }, ...(restored ?? [])], file);
    if (restored !== undefined) {
      own.sync();
      moveFile(draft, path);
    }
  } catch (cause) {
    own.close();
    // A resumed run keeps its old journal.
    removeFile(draft);
    if (cause instanceof FileError) throw new JournalUnwritable(path, restored?.filter(isFinishedCase).length, cause);
    throw cause;
  }
  return {
    path,
    append: (...entries) => guardWrite(path, file, () => appendEntries(entries, file)),
    beat: () => guardWrite(path, file, () => touchJournal(file)),
    result: folding.result,
    close: () => {
      file.closed = true;
      own.close();
    },
  };
}
