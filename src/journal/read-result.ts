import { readFileSync, statSync } from 'node:fs';
import type { Result } from '../model/result.ts';
import { isJournal, readJournal } from './fold.ts';
import { refuse, refuseJson } from './refuse.ts';
import { parseDocument } from './schema.ts';

/** A result that was read back. */
export interface ReadResult {
  readonly result: Result;
  /** What a reader has to be told about the file, a sentence each: that the run was cut off, that a journal lacks the verdicts of rules. */
  readonly notes: readonly string[];
}

/** Bytes of a document that is read whole; a full run makes about 10 MB. */
const largest = 1 << 28;

function readDocument(file: string): ReadResult {
  if (statSync(file).size > largest) throw refuse('result-unreadable', `${file} is larger than ${largest} bytes`);
  const text = new TextDecoder('utf-8').decode(readFileSync(file));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw refuseJson(text, { file, firstLine: 1 }, cause);
  }
  const { rules, invariants, cases, unsolicited, footer, ...header } = parseDocument(value, file);
  const result = { header, rules, invariants, cases, unsolicited };
  if (footer !== undefined) return { result: { ...result, footer }, notes: [] };
  return { result, notes: [`${file}: the run was cut off; the result has no outcome`] };
}

function isFile(file: string): boolean {
  try {
    return statSync(file).isFile();
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

function unreadable(file: string, cause: unknown): Error {
  const why = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
  return refuse('result-unreadable', `${file} cannot be read: ${why}`, cause);
}

/**
 * Reads a `result.json` (reports/result.schema.json) or a `journal.jsonl` back. Whoever made the file, it is held to the
 * schema: what comes out is a Result. Without a footer the run was cut off, and `notes` says so.
 * Throws CarrierspecError: unreadable, not JSON (with line and column), cut off, not a result, of a newer format.
 */
export function readResult(file: string): ReadResult {
  if (!isFile(file)) throw refuse('result-unreadable', `${file} cannot be read: it is no file`);
  try {
    return isJournal(file) ? readJournal(file) : readDocument(file);
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && 'syscall' in cause) throw unreadable(file, cause);
    throw cause;
  }
}
