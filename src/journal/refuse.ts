import { CarrierspecError } from '../model/problem.ts';
import { findJsonMistake } from './json-mistake.ts';

/** Why a file cannot be read as a result. */
export type Refusal =
  | 'result-unreadable'
  | 'result-not-json'
  | 'result-cut-off'
  | 'result-not-one'
  | 'result-newer'
  | 'result-broken';

/** The operator named a file that is no result: never the carrier's fault, and never ours. */
export function refuse(code: Refusal, message: string, cause?: unknown): CarrierspecError {
  return new CarrierspecError(message, { code, ...(cause === undefined ? {} : { cause }) });
}

/** Where a text stands in its file: the text of a journal's line begins at that line. */
export interface Place {
  readonly file: string;
  readonly firstLine: number;
}

const shown = (text: string, offset: number): string =>
  JSON.stringify(String.fromCodePoint(text.codePointAt(offset) ?? 0));

/** What is wrong with a text that JSON.parse refused, with line and column counted from 1. */
export function refuseJson(text: string, { file, firstLine }: Place, cause: unknown): CarrierspecError {
  const mistake = findJsonMistake(text);
  if (mistake === undefined) return refuse('result-not-json', `${file}: this is not JSON`, cause);
  const { offset, atEnd, expected } = mistake;
  const before = text.slice(0, offset);
  const line = firstLine + before.split('\n').length - 1;
  const column = offset - before.lastIndexOf('\n');
  const place = `${file}:${line}:${column}`;
  if (text.trim() === '') return refuse('result-cut-off', `${file}: the file is empty`, cause);
  if (atEnd)
    return refuse('result-cut-off', `${place}: the file ends here, in the middle: ${expected} should follow`, cause);
  const message = `${place}: this is not JSON: ${expected} should stand here, not ${shown(text, offset)}`;
  return refuse('result-not-json', message, cause);
}
