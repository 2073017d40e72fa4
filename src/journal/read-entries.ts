import { FileError } from '../files/file-error.ts';
import { decodeUtf8, maxBytesText, maxFileBytes, openInput, refuseFile } from '../files/read.ts';
import { isJsonObject, type JsonObject, parseJson } from '../lib/json.ts';
import type { CaseResult } from '../model/result.ts';
import { CarrierspecError } from '../model/problem.ts';
import { type JournalEntry, parseEntry, unchainedText } from './entries.ts';
import { parseBoundedJson, resultError, jsonError } from './parse-json.ts';
import { requireFormat } from './schema.ts';
import { chainDigest } from './seal.ts';

interface JournalLine {
  /** Line number, from 1. */
  readonly number: number;
  readonly bytes: Uint8Array;
  /** Has a line feed; only the last line may lack it. */
  readonly ended: boolean;
  /** Offset after the line and its line feed. */
  readonly end: number;
}

const chunkSize = 1 << 18;

function* readChunkwise(path: string): Iterable<Buffer> {
  const file = openInput(path, 'journal');
  try {
    yield* file.chunks(chunkSize);
  } finally {
    file.close();
  }
}

export function* readLines(path: string): Iterable<JournalLine> {
  let parts: Buffer[] = [];
  let waiting = 0;
  let number = 1;
  let end = 0;
  for (const chunk of readChunkwise(path)) {
    let from = 0;
    for (let feed = chunk.indexOf(10); feed >= 0; feed = chunk.indexOf(10, from)) {
      const bytes = Buffer.concat([...parts, chunk.subarray(from, feed)]);
      parts = [];
      waiting = 0;
      end += bytes.length + 1;
      yield { number, bytes, ended: true, end };
      number += 1;
      from = feed + 1;
    }
    if (from === chunk.length) continue;
    waiting += chunk.length - from;
    if (waiting > maxFileBytes.line)
      throw refuseFile(path, 'line', `line ${number} is longer than ${maxBytesText('line')}`);
    parts.push(chunk.subarray(from));
  }
  if (parts.length === 0) return;
  const bytes = Buffer.concat(parts);
  yield { number, bytes, ended: false, end: end + bytes.length };
}

export interface LinePosition {
  readonly number: number;
  readonly offset: number;
  readonly length: number;
}

/** JSON value of a line; undefined for a last line that was cut off while the run wrote it. */
function parseJournalLine(text: string, { number, ended }: JournalLine, file: string): unknown {
  try {
    return parseBoundedJson(text, `${file}:${number}`);
  } catch (cause) {
    if (cause instanceof CarrierspecError) throw cause;
    if (!ended) return undefined;
    throw jsonError(text, { file, firstLine: number }, cause);
  }
}

const isHeaderValue = (value: unknown): boolean => isJsonObject(value) && value['kind'] === 'header';

/** Chain after a line; undefined if the lines of the journal have none. Throws if it does not follow from the lines. */
function followChain(text: string, previous: string | undefined, place: string): string | undefined {
  const line = unchainedText(text);
  if (previous === undefined || (previous === '' && line === undefined)) return undefined;
  if (line !== undefined && line.chain === chainDigest(previous, line.text)) return line.chain;
  const message = `${place}: this line was changed since the run wrote it, or a line before it was taken out: its chain does not follow from it`;
  throw resultError('result-broken', message);
}

interface ReadEntry {
  readonly entry: JournalEntry;
  readonly line: LinePosition;
  /** Whether the line is chained to those before it, as each run writes it. */
  readonly chained: boolean;
}

/** Entries of a journal, without a last line that was cut off. Throws CarrierspecError on any other mistake. */
export function* readEntries(file: string): Iterable<ReadEntry> {
  let chain: string | undefined = '';
  for (const read of readLines(file)) {
    const text = decodeUtf8(read.bytes);
    if (text === undefined && read.ended) throw refuseFile(file, 'line', `line ${read.number} is not UTF-8`);
    const value = text === undefined ? undefined : parseJournalLine(text, read, file);
    if (text === undefined || value === undefined) continue;
    const place = `${file}:${read.number}`;
    if (read.number === 1 && isHeaderValue(value)) requireFormat(value, place);
    chain = followChain(text, chain, place);
    const { number, bytes, ended, end } = read;
    const line = { number, offset: end - bytes.length - (ended ? 1 : 0), length: bytes.length };
    yield { entry: parseEntry(value, place), line, chained: chain !== undefined };
  }
}

/** Reads the cases of these lines one at a time. Throws if the file has changed since the lines were found. */
export function* readCases(file: string, lines: readonly LinePosition[]): Iterable<CaseResult> {
  const opened = openInput(file, 'journal');
  try {
    for (const { offset, length, number } of lines) {
      const text = decodeUtf8(opened.at(offset, length)) ?? '';
      const entry = parseEntry(parseBoundedJson(text, file), `${file}:${number}`);
      if (entry.kind !== 'case') throw resultError('result-broken', `${file}:${number}: the journal was changed`);
      yield entry.case;
    }
  } finally {
    opened.close();
  }
}

/** Longest header line of a journal, in bytes: it has the names of the command line. */
const maxHeaderLength = 1 << 22;

export function isJournal(file: string): boolean {
  const opened = openInput(file, 'journal');
  try {
    const beginning = opened.at(0, Math.min(opened.size, maxHeaderLength));
    const end = beginning.indexOf(10);
    return isHeaderValue(parseBoundedJson(decodeUtf8(beginning.subarray(0, end < 0 ? undefined : end)) ?? '', file));
  } catch (cause) {
    if (cause instanceof FileError) throw cause;
    return false;
  } finally {
    opened.close();
  }
}

/** Bytes read from the end of a journal to find its last line, first and at most: that line can be long. */
const tailLength = 1 << 16;
const maxTailLength = 1 << 24;

/** Last bytes of a file as text, and whether they are the whole file. */
function readTail(path: string, length: number): { readonly text: string; readonly isWhole: boolean } {
  const file = openInput(path, 'journal');
  try {
    const bytes = Math.min(file.size, length);
    return { text: file.at(file.size - bytes, bytes).toString('utf8'), isWhole: bytes === file.size };
  } finally {
    file.close();
  }
}

/** Last line of a journal, read without the rest; undefined if it is not a JSON object, such as a line still being written. */
export function readLastLine(path: string): JsonObject | undefined {
  for (let length = tailLength; length <= maxTailLength; length *= 4) {
    const { text, isWhole } = readTail(path, length);
    const lines = text.trimEnd().split('\n');
    if (lines.length < 2 && !isWhole) continue;
    const last = parseJson(lines.at(-1) ?? '');
    return isJsonObject(last) ? last : undefined;
  }
  return undefined;
}

/** Whether a journal ends with the footer of a completed run. */
export function endsWithFooter(path: string): boolean {
  const footer = readLastLine(path);
  return footer?.['kind'] === 'footer' && footer['interrupted'] === false && footer['stopped'] === undefined;
}
