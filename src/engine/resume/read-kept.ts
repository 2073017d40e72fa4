import { readFileSync, statSync } from 'node:fs';
import { isJsonObject, type Json, type JsonObject, parseOwnJson } from '../../model/json.ts';
import type { ErrorCode } from '../../model/error-codes.ts';
import { CarrierspecError } from '../../model/problem.ts';
import type { CaseResult, Gap, ResultHeader } from '../../model/result.ts';
import type { Summary } from '../case/unfinished.ts';

interface KeptCase extends Summary {
  readonly exchanges: number;
  readonly deliveries: number;
}

interface KeptLine {
  readonly bytes: Buffer;
  /** Of the line of a case. */
  readonly id?: string;
}

/** What is left of a run that was cut off. */
export interface Kept {
  readonly header: ResultHeader;
  /** By id, those that ended; one that did not run is decided anew. */
  readonly cases: ReadonlyMap<string, KeptCase>;
  readonly lines: readonly KeptLine[];
  readonly encrypted: readonly { readonly encrypted: string; readonly case?: string }[];
  /** Earlier ones, and the one that ends now. */
  readonly gaps: readonly Gap[];
}

/** How lines of a journal become what they were: whoever wrote the file, it is held to the schema of results. */
export interface KeptParsers {
  readonly header: (value: unknown, place: string) => ResultHeader;
  readonly case: (value: unknown, place: string) => CaseResult;
}

export const refuse = (code: ErrorCode, message: string): CarrierspecError => new CarrierspecError(message, { code });

interface RawLine {
  readonly bytes: Buffer;
  readonly value: JsonObject;
  readonly place: string;
}

/** Every whole line; the last one may have been being written. */
function* linesOf(file: string): Iterable<RawLine> {
  const whole = readFileSync(file);
  let number = 1;
  for (let at = 0; at < whole.length; number += 1) {
    const end = whole.indexOf(10, at);
    if (end < 0) return;
    const bytes = whole.subarray(at, end + 1);
    const value = parseOwnJson(bytes.toString('utf8'));
    const place = `${file}:${number}`;
    if (!isJsonObject(value)) throw refuse('journal-broken', `${place}: this line of the journal is broken`);
    yield { bytes, value, place };
    at = end + 1;
  }
}

const textOf = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

function keepCase({ messages, ...summary }: CaseResult): KeptCase {
  const exchanges = messages.filter(({ kind }) => kind === 'exchange').length;
  return { ...summary, exchanges, deliveries: messages.length - exchanges };
}

interface Reading {
  header: ResultHeader | undefined;
  /** Known where there is a footer. */
  ended: boolean | undefined;
  readonly cases: Map<string, KeptCase>;
  readonly lines: KeptLine[];
  readonly encrypted: { readonly encrypted: string; readonly case?: string }[];
  readonly gaps: Gap[];
}

/** Whether the run of this footer can go on no more. */
export const cameToItsEnd = ({ interrupted, stopped }: JsonObject): boolean => interrupted !== true && stopped !== true;

function takeLine({ bytes, value, place }: RawLine, reading: Reading, parse: KeptParsers): void {
  const { kind, ...rest } = value;
  if (kind === 'header') reading.header = parse.header(rest, place);
  if (kind === 'footer') reading.ended = cameToItsEnd(value);
  if (kind === 'resumed') reading.gaps.push({ from: textOf(rest['from']) ?? '', to: textOf(rest['to']) ?? '' });
  if (kind === 'encrypted') {
    const id = textOf(rest['case']);
    reading.encrypted.push({ encrypted: textOf(rest['encrypted']) ?? '', ...(id === undefined ? {} : { case: id }) });
    reading.lines.push({ bytes });
  }
  if (kind !== 'case') return;
  const result = parse.case(rest, place);
  if (result.startedAt === 0 || result.verdict === 'not-run') return;
  reading.cases.set(result.id, keepCase(result));
  reading.lines.push({ bytes, id: result.id });
}

/** Reads the journal of a run that was cut off, or interrupted. Throws where there is none, or the run came to its end. */
export function readKept(file: string, parse: KeptParsers, now: number): Kept {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat?.isFile() !== true) throw refuse('nothing-to-resume', `--resume: there is no journal ${file}`);
  const reading: Reading = {
    header: undefined,
    ended: undefined,
    cases: new Map(),
    lines: [],
    encrypted: [],
    gaps: [],
  };
  for (const line of linesOf(file)) takeLine(line, reading, parse);
  const { header, ended, gaps, ...rest } = reading;
  if (header === undefined) throw refuse('nothing-to-resume', `--resume: ${file} ends before its header does`);
  if (ended === true) throw refuse('nothing-to-resume', `--resume: the run of ${file} came to its end`);
  const gap = { from: new Date(stat.mtimeMs).toISOString(), to: new Date(now).toISOString() };
  return { header, ...rest, gaps: [...gaps, gap] };
}
