import { closeSync, openSync, readSync } from 'node:fs';
import { isJsonObject } from '../model/json.ts';
import type { CaseResult, Result, ResultFooter, ResultHeader } from '../model/result.ts';
import { type Line, readLines } from './lines.ts';
import { refuse, refuseJson } from './refuse.ts';
import { type JournalEnd, parseCase, parseEnd, parseFooter, parseHeader } from './schema.ts';

type Entry =
  | { readonly kind: 'header'; readonly header: ResultHeader }
  | { readonly kind: 'case'; readonly case: CaseResult }
  | { readonly kind: 'end'; readonly end: JournalEnd }
  | { readonly kind: 'footer'; readonly footer: ResultFooter }
  /** What only resuming the run needs. */
  | { readonly kind: 'aside' };

const decoder = new TextDecoder('utf-8');

/** The JSON of a line; undefined for a last line that was being written when the run was cut off. */
function jsonOf({ bytes, number, ended }: Line, file: string): unknown {
  const text = decoder.decode(bytes);
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch (cause) {
    if (!ended) return undefined;
    throw refuseJson(text, { file, firstLine: number }, cause);
  }
}

function parseEntry(value: unknown, place: string): Entry {
  if (!isJsonObject(value)) throw refuse('result-broken', `${place}: a line of a journal is one JSON object`);
  const { kind, ...rest } = value;
  if (kind === 'header') return { kind, header: parseHeader(rest, place) };
  if (kind === 'case') return { kind, case: parseCase(rest, place) };
  if (kind === 'end') return { kind, end: parseEnd(rest, place) };
  if (kind === 'footer') return { kind, footer: parseFooter(rest, place) };
  if (kind === 'encrypted' || kind === 'resumed') return { kind: 'aside' };
  throw refuse('result-broken', `${place}: a line of a journal is a header, a case, an end or a footer`);
}

/** Where the line of a case stands in the file. */
interface Place {
  readonly id: string;
  readonly number: number;
  readonly offset: number;
  readonly length: number;
}

interface Survey {
  readonly header: ResultHeader;
  readonly end?: JournalEnd;
  readonly footer?: ResultFooter;
  /** The finished cases: in the order of the suites where the run came to its end, else as they ended. */
  readonly cases: readonly Place[];
}

const placeOf = ({ id }: CaseResult, { number, bytes, ended, end }: Line): Place => ({
  id,
  number,
  offset: end - bytes.length - (ended ? 1 : 0),
  length: bytes.length,
});

/** What a walk over the lines has seen so far. */
interface Seen {
  header: ResultHeader | undefined;
  end: JournalEnd | undefined;
  footer: ResultFooter | undefined;
  readonly cases: Place[];
}

function take(entry: Entry, seen: Seen, { line, place }: { readonly line: Line; readonly place: string }): void {
  if ((entry.kind === 'header') !== (line.number === 1))
    throw refuse('result-broken', `${place}: a journal has one header, its first line`);
  if (seen.footer !== undefined) throw refuse('result-broken', `${place}: nothing may follow the footer of a journal`);
  if ((entry.kind === 'footer') !== (seen.end !== undefined))
    throw refuse('result-broken', `${place}: the footer of a journal stands behind its end, and nothing else does`);
  if (entry.kind === 'header') seen.header = entry.header;
  else if (entry.kind === 'case') seen.cases.push(placeOf(entry.case, line));
  else if (entry.kind === 'end') seen.end = entry.end;
  else if (entry.kind === 'footer') seen.footer = entry.footer;
}

/** In the order of the suites; throws where a case that the end names has no line. */
function inOrder({ end, cases }: Seen, file: string): readonly Place[] {
  if (end === undefined) return cases;
  const byId = new Map(cases.map((place) => [place.id, place]));
  return end.cases.map((id) => {
    const place = byId.get(id);
    if (place === undefined) throw refuse('result-broken', `${file}: the journal names a case that it has not: ${id}`);
    return place;
  });
}

/** Reads every line once, so that a mistake in any of them is told before anything is written. */
function survey(file: string): Survey {
  const seen: Seen = { header: undefined, end: undefined, footer: undefined, cases: [] };
  for (const line of readLines(file)) {
    const value = jsonOf(line, file);
    const place = `${file}:${line.number}`;
    if (value !== undefined) take(parseEntry(value, place), seen, { line, place });
  }
  const { header, end, footer } = seen;
  if (header === undefined) throw refuse('result-cut-off', `${file}: the journal ends before its header does`);
  const ended = { ...(end === undefined ? {} : { end }), ...(footer === undefined ? {} : { footer }) };
  return { header, ...ended, cases: inOrder(seen, file) };
}

function* readCases(file: string, places: readonly Place[]): Iterable<CaseResult> {
  const opened = openSync(file, 'r');
  try {
    for (const { offset, length, number } of places) {
      const bytes = Buffer.allocUnsafe(length);
      readSync(opened, bytes, 0, length, offset);
      const entry = parseEntry(JSON.parse(decoder.decode(bytes)), `${file}:${number}`);
      if (entry.kind === 'case') yield entry.case;
    }
  } finally {
    closeSync(opened);
  }
}

const count = (cases: number): string => `${cases} finished ${cases === 1 ? 'case' : 'cases'}`;

/**
 * The journal of a run, read case by case, as often as they are walked. That of a run that came to its end has all that its
 * result.json has; that of a run that was cut off has no footer and no verdicts of rules, and a note says so.
 */
export function readJournal(file: string): { readonly result: Result; readonly notes: readonly string[] } {
  const { header, end, footer, cases: places } = survey(file);
  const cases: Iterable<CaseResult> = { [Symbol.iterator]: () => readCases(file, places)[Symbol.iterator]() };
  const { rules, invariants, unsolicited } = end ?? { rules: [], invariants: [], unsolicited: [] };
  const result = { header, cases, invariants, rules, unsolicited };
  if (footer !== undefined) return { result: { ...result, footer }, notes: [] };
  const note = `${file}: the run was cut off; the journal has ${count(places.length)} and no outcome`;
  return { result, notes: [note] };
}

/** Whether the first line of a file is a journal's. */
export function isJournal(file: string): boolean {
  for (const { bytes } of readLines(file)) {
    try {
      const value: unknown = JSON.parse(decoder.decode(bytes));
      return isJsonObject(value) && value['kind'] === 'header';
    } catch {
      return false;
    }
  }
  return false;
}
