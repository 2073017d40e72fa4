import { isJsonObject } from '../../model/json.ts';
import type { CaseResult, Result, ResultFooter, ResultHeader } from '../../model/result.ts';
import { type Line, readLines } from './lines.ts';
import { refuse, refuseJson } from './refuse.ts';
import { parseCase, parseFooter, parseHeader } from './shape.ts';

type Entry =
  | { readonly kind: 'header'; readonly header: ResultHeader }
  | { readonly kind: 'case'; readonly case: CaseResult }
  | { readonly kind: 'footer'; readonly footer: ResultFooter };

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
  if (kind === 'footer') return { kind, footer: parseFooter(rest, place) };
  throw refuse('result-broken', `${place}: a line of a journal is a header, a case or a footer`);
}

function* entriesOf(file: string, limit?: number): Iterable<{ readonly entry: Entry; readonly line: Line }> {
  for (const line of readLines(file, limit)) {
    const value = jsonOf(line, file);
    if (value !== undefined) yield { entry: parseEntry(value, `${file}:${line.number}`), line };
  }
}

interface Survey {
  readonly header: ResultHeader;
  readonly footer?: ResultFooter;
  readonly cases: number;
  /** Offset behind the last whole line. */
  readonly end: number;
}

/** Reads every line once, so that a mistake in any of them is told before anything is written. */
function survey(file: string): Survey {
  let header: ResultHeader | undefined;
  let footer: ResultFooter | undefined;
  let cases = 0;
  let end = 0;
  for (const { entry, line } of entriesOf(file)) {
    const place = `${file}:${line.number}`;
    if ((entry.kind === 'header') !== (line.number === 1))
      throw refuse('result-broken', `${place}: a journal has one header, its first line`);
    if (footer !== undefined) throw refuse('result-broken', `${place}: nothing may follow the footer of a journal`);
    if (entry.kind === 'header') header = entry.header;
    else if (entry.kind === 'footer') footer = entry.footer;
    else cases += 1;
    end = line.end;
  }
  if (header === undefined) throw refuse('result-cut-off', `${file}: the journal ends before its header does`);
  return { header, ...(footer === undefined ? {} : { footer }), cases, end };
}

const count = (cases: number): string => `${cases} finished ${cases === 1 ? 'case' : 'cases'}`;

function noteOn({ footer, cases }: Survey, file: string): string {
  if (footer === undefined) return `${file}: the run was cut off; the journal has ${count(cases)} and no outcome`;
  return `${file}: a journal has cases only (${count(cases)}), no verdicts of rules and invariants; the run ended ${footer.outcome}: use its result.json for everything it found`;
}

/**
 * The journal of a run, read line by line, as often as the cases are walked. It has no verdicts of rules and invariants,
 * so an outcome would stand there without what it rests on: the result has no footer, as that of a run that was cut off.
 */
export function readJournal(file: string): { readonly result: Result; readonly notes: readonly string[] } {
  const seen = survey(file);
  const cases: Iterable<CaseResult> = {
    *[Symbol.iterator]() {
      for (const { entry } of entriesOf(file, seen.end)) if (entry.kind === 'case') yield entry.case;
    },
  };
  const result = { header: seen.header, cases, invariants: [], rules: [], strays: [] };
  return { result, notes: [noteOn(seen, file)] };
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
