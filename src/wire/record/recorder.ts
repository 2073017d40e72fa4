import { copyText } from '../../lib/cut.ts';
import type { Json } from '../../lib/json.ts';
import type { HeaderLines, RecordedMessage } from '../../model/exchange.ts';
import { markAround, sentUnits } from '../../model/redaction-mark.ts';
import type { Redactor } from './redact.ts';
import { hash } from 'node:crypto';

const headLength = 512;
const tailLength = 256;
const lineLength = 128;

/** Characters of the JSON text that it becomes: a control character takes six. */
const sizeOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0;

const digestOf = (text: string): string => hash('sha256', text);

/** The first part of a text that takes at most so many characters in the record, and more where a mark would be cut. */
function headOf(text: string, most: number): string {
  const end = markAround(text, most)?.end ?? most;
  let head = text.slice(0, end);
  while (sizeOf(head) > end + 2) head = head.slice(0, Math.floor(head.length / 2));
  return copyText(head.toWellFormed());
}

function tailOf(text: string, most: number): string {
  const from = Math.max(0, text.length - most);
  const start = markAround(text, from)?.start ?? from;
  let tail = text.slice(start);
  while (sizeOf(tail) > text.length - start + 2) tail = tail.slice(Math.ceil(tail.length / 2));
  return copyText(tail.toWellFormed());
}

/** Its ends, with a line between them that says how much is left out. */
function abridge(text: string): string {
  const [head, tail] = [headOf(text, headLength), tailOf(text, tailLength)];
  if (text.length <= head.length + tail.length) return text;
  const left = sentUnits(text) - sentUnits(head) - sentUnits(tail);
  return `${head}\n[... ${left} characters left out ...]\n${tail}`;
}

export const abridgeLine = (value: string): string =>
  value.length <= lineLength
    ? value
    : `${headOf(value, lineLength)} [... ${sentUnits(value)} characters, sha256:${digestOf(value).slice(0, 12)}]`;

/** Characters that a value of a finding takes in the record. */
const largestValue = 4096;

export function abridgeJson(value: Json): Json {
  if (sizeOf(value) <= largestValue) return value;
  return abridge(typeof value === 'string' ? value : JSON.stringify(value));
}

const credentialHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'x-authorization',
  'cookie',
  'set-cookie',
]);

export const isCredentialHeader = (name: string): boolean => credentialHeaders.has(name.toLowerCase());

/** The schemes that are no secret themselves; after any other word everything is. */
const scheme = /^(bearer|basic|digest|dpop|negotiate) +(.+)$/is;

/** What stands behind the scheme; the whole value where it has none. */
export const credentialIn = (value: string): string => scheme.exec(value)?.[2] ?? value;

function redactHeader([name, value]: readonly [string, string], redactor: Redactor): readonly [string, string] {
  const kind = name.toLowerCase();
  if (!isCredentialHeader(kind)) return [redactor.text(name), redactor.text(value)];
  const [, word, credential] = (kind.endsWith('cookie') ? null : scheme.exec(value)) ?? [];
  if (word === undefined || credential === undefined) return [name, redactor.mark('credential', value)];
  return [name, `${word} ${redactor.mark('token', credential)}`];
}

export const redactHeaders = (headers: HeaderLines, redactor: Redactor): HeaderLines =>
  headers.map((line) => redactHeader(line, redactor));

export interface WireMessage {
  readonly headers: HeaderLines;
  readonly body: string;
  /** Bytes of the whole body, and of those that were kept, where it was read: as text it may have another length. */
  readonly bytes?: number;
  readonly kept?: number;
}

/** For which message a half of an exchange is recorded, and what it must not tell. */
interface Recording {
  /** `ID-OF-THE-CASE exchange#2`: what the record of an equal body refers to. */
  readonly id: string;
  readonly redactor: Redactor;
}

/** Records messages without secrets, within a budget: large parts in full once, then head, tail and digest. */
export interface Recorder {
  readonly message: (message: WireMessage, recording: Recording) => RecordedMessage;
  /** A URL, or what else is one line. */
  readonly line: (text: string, redactor: Redactor) => string;
  /** Values decoded from a message; undefined where they are large, and the budget is spent. */
  readonly json: (value: Json, redactor: Redactor) => Json | undefined;
}

/** Characters that a body and the header lines take in the record before they count as large, and at most. */
const smallBody = 2048;
const largestBody = 16 * 1024;
const smallHeaders = 4096;

/** Characters that large parts may take in the record of a run together. */
const budgetOfRun = 6 * 1024 * 1024;

const mostLines = 24;

function abridgeHeaders(headers: HeaderLines): HeaderLines {
  const kept = headers.slice(0, mostLines).map(([name, value]) => [abridgeLine(name), abridgeLine(value)] as const);
  const left = headers.length - kept.length;
  return left === 0 ? kept : [...kept, ['...', `${left} lines left out`]];
}

/** What large parts may still take in the record. */
function openBudget(budget: number): (size: number) => boolean {
  let left = budget;
  return (size) => {
    if (size > left) return false;
    left -= size;
    return true;
  };
}

export function createRecorder(budget = budgetOfRun): Recorder {
  const spend = openBudget(budget);
  /** What was kept in full, by its digest. */
  const kept = new Map<string, string>();
  const headersOf = (headers: HeaderLines): HeaderLines => {
    const size = sizeOf(headers);
    return size <= smallHeaders || spend(size) ? headers : abridgeHeaders(headers);
  };
  const bodyOf = (text: string, id: string): Pick<RecordedMessage, 'body' | 'truncated' | 'sha256' | 'sameAs'> => {
    if (text.length <= smallBody && sizeOf(text) <= smallBody) return { body: text };
    const sha256 = digestOf(text);
    const sameAs = kept.get(sha256);
    if (sameAs !== undefined) return { body: abridge(text), truncated: true, sha256, sameAs };
    const whole = text.slice(0, largestBody).toWellFormed();
    if (!spend(sizeOf(whole))) return { body: abridge(text), truncated: true, sha256 };
    kept.set(sha256, id);
    return text.length <= largestBody ? { body: text } : { body: whole, truncated: true, sha256 };
  };
  return {
    message: ({ headers, body, bytes = Buffer.byteLength(body), kept: read = bytes }, { id, redactor }) => ({
      headers: headersOf(redactHeaders(headers, redactor)),
      bytes,
      ...(bytes > read ? { truncated: true as const } : {}),
      ...bodyOf(redactor.text(body), id),
    }),
    line: (text, redactor) => {
      const clean = redactor.text(text);
      const size = sizeOf(clean);
      return size <= smallBody || spend(size) ? clean : abridgeLine(clean);
    },
    json: (value, redactor) => {
      const clean = redactor.json(value);
      const size = sizeOf(clean);
      return size <= smallBody || spend(size) ? clean : undefined;
    },
  };
}
