import { listRanges } from '../lib/lists.ts';
import { omitUndefined } from '../lib/json.ts';
import { isFile, modifiedAt } from '../files/look.ts';
import { readText } from '../files/read.ts';
import { CarrierspecError } from '../model/problem.ts';
import type { Result, ResultFooter, ResultHeader } from '../model/result.ts';
import { type JournalEntry, parseEntry } from './entries.ts';
import { createFold, foldEntries } from './fold.ts';
import { readLastLine, isJournal, type LinePosition, readCases, readEntries } from './read-entries.ts';
import { parseBoundedJson, resultError, jsonError } from './parse-json.ts';
import { parsePart, requireFormat, type ResultDocument } from './schema.ts';

interface ReadResult {
  readonly result: Result;
  /** Warnings about the file, one sentence each: the run was cut off, or the result contradicts itself. */
  readonly notes: readonly string[];
}

/** Contradiction between outcome and rules of a result, or undefined. Nothing is judged again. */
function findDisagreement({ footer, rules }: Result): string | undefined {
  if (footer === undefined) return undefined;
  const broken = rules.filter(({ verdict, apart }) => verdict === 'fail' && apart !== true).map(({ id }) => id);
  if ((footer.outcome === 'not conformant') === broken.length > 0) return undefined;
  return `its outcome is ${footer.outcome}, and its rules say that ${broken.length === 0 ? 'none' : listRanges(broken, 4)} is broken: it is not as a run left it`;
}

function resultNotes(file: string, result: Result, cutOff: string | undefined): readonly string[] {
  const disagreement = findDisagreement(result);
  return [
    ...(cutOff === undefined ? [] : [`${file}: ${cutOff}`]),
    ...(disagreement === undefined ? [] : [`${file}: ${disagreement}`]),
  ];
}

function* documentEntries(document: ResultDocument): Iterable<JournalEntry> {
  const { rules, invariants, cases, unsolicited, contributions = {}, footer, ...header } = document;
  yield { kind: 'header', header };
  for (const one of cases) {
    const contributed = Object.hasOwn(contributions, one.id) ? contributions[one.id] : undefined;
    yield { kind: 'case', case: one, ...omitUndefined({ contributed }) };
  }
  yield { kind: 'end', end: { cases: cases.map(({ id }) => id), rules, invariants, unsolicited } };
  if (footer !== undefined) yield { kind: 'footer', footer };
}

function readDocument(file: string): ReadResult {
  const text = readText(file, 'result');
  let value: unknown;
  try {
    value = parseBoundedJson(text, file);
  } catch (cause) {
    if (cause instanceof CarrierspecError) throw cause;
    throw jsonError(text, { file, firstLine: 1 }, cause);
  }
  requireFormat(value, file);
  const document = parsePart('document', value, file);
  const result = foldEntries(documentEntries(document));
  const cutOff = result.footer === undefined ? 'the run was cut off; the result has no outcome' : undefined;
  return { result, notes: resultNotes(file, result, cutOff) };
}

const countFinished = (cases: number): string => `${cases} finished ${cases === 1 ? 'case' : 'cases'}`;

/** Reads every line once, so that any mistake is found before anything is written. */
function readJournal(file: string): ReadResult {
  let place = file;
  let cases = 0;
  const folding = createFold<LinePosition>({
    refuse: (what) => resultError('result-broken', `${place}: ${what}`),
    read: (lines) => readCases(file, lines),
  });
  for (const read of readEntries(file)) {
    place = `${file}:${read.line.number}`;
    folding.take(read.entry, read.line);
    if (read.entry.kind === 'case') cases += 1;
  }
  if (place === file) throw resultError('result-cut-off', `${file}: the journal ends before its header does`);
  place = file;
  const result = folding.result();
  const cutOff =
    result.footer === undefined
      ? `the run was cut off; the journal has ${countFinished(cases)} and no outcome`
      : undefined;
  return { result, notes: resultNotes(file, result, cutOff) };
}

/** Reads a `result.json` or a `journal.jsonl`; a journal's cases are read one at a time. Throws CarrierspecError. */
export const readResult = (file: string): ReadResult => (isJournal(file) ? readJournal(file) : readDocument(file));

/** Header and footer of a run, without its cases. */
export interface RunSummary {
  readonly header: ResultHeader;
  /** Absent if the run was cut off, or is still running. */
  readonly footer?: ResultFooter;
  /** Milliseconds since the epoch, by the machine's clock. */
  readonly began: number;
}

/** A virtual clock does not show when the run took place, so the file's time is used. */
function startTime(file: string, { clock, startedAt }: ResultHeader, footer: ResultFooter | undefined): number {
  if (clock.kind === 'real') return Date.parse(startedAt);
  return modifiedAt(file) - (footer?.wallMilliseconds ?? 0);
}

function summarizeJournal(file: string): Omit<RunSummary, 'began'> {
  for (const { entry } of readEntries(file)) {
    if (entry.kind !== 'header') break;
    const last = readLastLine(file);
    const isFooter = last !== undefined && last['kind'] === 'footer';
    const footer = isFooter ? parseEntry(last, `${file}: the last line`) : undefined;
    return { header: entry.header, ...(footer?.kind === 'footer' ? { footer: footer.footer } : {}) };
  }
  throw resultError('result-cut-off', `${file}: the journal ends before its header does`);
}

function summarizeDocument(file: string): Omit<RunSummary, 'began'> {
  const { header, footer } = readResult(file).result;
  return { header, ...omitUndefined({ footer }) };
}

/** Whether a file begins like a journal; false if it does not exist. */
export const isJournalFile = (file: string): boolean => isFile(file) && isJournal(file);

/** Reads the first and last line of a journal, or a whole result.json. Throws as `readResult` does. */
export function readSummary(file: string): RunSummary {
  const found = isJournalFile(file) ? summarizeJournal(file) : summarizeDocument(file);
  return { ...found, began: startTime(file, found.header, found.footer) };
}
