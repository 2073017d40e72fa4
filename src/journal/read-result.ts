import { listFolded } from '../lib/lists.ts';
import { defined } from '../lib/optional.ts';
import { FileRefusal, whyNot } from '../lib/errors.ts';
import { readFileOf } from '../lib/read-file.ts';
import { CarrierspecError } from '../model/problem.ts';
import type { Result } from '../model/result.ts';
import type { JournalEntry } from './entries.ts';
import { createFold, fold } from './fold.ts';
import { isJournal, type LinePlace, readCases, readEntries } from './read-entries.ts';
import { parseRead } from './parse-json.ts';
import { refuse, refuseJson } from './refuse.ts';
import { parsePart, requireFormat, type ResultDocument } from './schema.ts';

/** A result that was read back. */
interface ReadResult {
  readonly result: Result;
  /** What the reader has to know of the file, a sentence each: that the run was cut off, or that it contradicts itself. */
  readonly notes: readonly string[];
}

/** What a result says twice, and not the same; undefined where it agrees with itself. Nothing is judged again here. */
function disagreementIn({ footer, rules }: Result): string | undefined {
  if (footer === undefined) return undefined;
  const broken = rules.filter(({ verdict, apart }) => verdict === 'fail' && apart !== true).map(({ id }) => id);
  if ((footer.outcome === 'not conformant') === broken.length > 0) return undefined;
  return `its outcome is ${footer.outcome}, and its rules say that ${broken.length === 0 ? 'none' : listFolded(broken, 4)} is broken: it is not as a run left it`;
}

function notesOf(file: string, result: Result, cutOff: string | undefined): readonly string[] {
  const disagreement = disagreementIn(result);
  return [
    ...(cutOff === undefined ? [] : [`${file}: ${cutOff}`]),
    ...(disagreement === undefined ? [] : [`${file}: ${disagreement}`]),
  ];
}

/** The entries that a result.json holds. */
function* entriesOf(document: ResultDocument): Iterable<JournalEntry> {
  const { rules, invariants, cases, unsolicited, contributions = {}, footer, ...header } = document;
  yield { kind: 'header', header };
  for (const one of cases) {
    const contributed = Object.hasOwn(contributions, one.id) ? contributions[one.id] : undefined;
    yield { kind: 'case', case: one, ...defined({ contributed }) };
  }
  yield { kind: 'end', end: { cases: cases.map(({ id }) => id), rules, invariants, unsolicited } };
  if (footer !== undefined) yield { kind: 'footer', footer };
}

function readDocument(file: string): ReadResult {
  const text = new TextDecoder('utf-8').decode(readFileOf(file, 'result'));
  let value: unknown;
  try {
    value = parseRead(text, file);
  } catch (cause) {
    if (cause instanceof CarrierspecError) throw cause;
    throw refuseJson(text, { file, firstLine: 1 }, cause);
  }
  requireFormat(value, file);
  const document = parsePart('document', value, file);
  const result = fold(entriesOf(document));
  const cutOff = result.footer === undefined ? 'the run was cut off; the result has no outcome' : undefined;
  return { result, notes: notesOf(file, result, cutOff) };
}

const count = (cases: number): string => `${cases} finished ${cases === 1 ? 'case' : 'cases'}`;

/** Reads every line once, so that a mistake in any of them is found before anything is written. */
function readJournal(file: string): ReadResult {
  let place = file;
  let cases = 0;
  const folding = createFold<LinePlace>({
    refuse: (what) => refuse('result-broken', `${place}: ${what}`),
    read: (lines) => readCases(file, lines),
  });
  for (const read of readEntries(file)) {
    place = `${file}:${read.line.number}`;
    folding.take(read.entry, read.line);
    if (read.entry.kind === 'case') cases += 1;
  }
  if (place === file) throw refuse('result-cut-off', `${file}: the journal ends before its header does`);
  place = file;
  const result = folding.result();
  const cutOff =
    result.footer === undefined ? `the run was cut off; the journal has ${count(cases)} and no outcome` : undefined;
  return { result, notes: notesOf(file, result, cutOff) };
}

/** The system refused the file, or we did. */
const isUnreadable = (cause: unknown): boolean =>
  cause instanceof FileRefusal || (cause instanceof Error && 'code' in cause && 'syscall' in cause);

function unreadable(file: string, cause: unknown): Error {
  return refuse('result-unreadable', `${file} cannot be read: ${whyNot('read', cause)}`, cause);
}

/**
 * Reads a `result.json` (reports/result.schema.json) or a `journal.jsonl` back. The file is held to the schema: what comes out is a
 * Result. The cases of a journal are read one at a time, as often as they are walked. Without a footer the run was cut off, and
 * `notes` says so.
 * Throws CarrierspecError: unreadable, not JSON (with line and column), cut off, not a result, of another version of the format.
 */
export function readResult(file: string): ReadResult {
  try {
    return isJournal(file) ? readJournal(file) : readDocument(file);
  } catch (cause) {
    if (isUnreadable(cause)) throw unreadable(file, cause);
    throw cause;
  }
}
