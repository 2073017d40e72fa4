import { copyText } from '../../lib/truncation.ts';
import type { Json } from '../../lib/json.ts';
import type { HeaderLines, RecordedMessage } from '../../model/exchange.ts';
import { findMarkAround, sentUnits } from '../../model/redaction-mark.ts';
import type { Redactor } from './redactor.ts';
import { hash } from 'node:crypto';

const headLength = 512;
const tailLength = 256;
const lineLength = 128;

/** Characters as JSON text: a control character takes six. */
const recordedSize = (value: unknown): number => JSON.stringify(value)?.length ?? 0;

const textDigest = (text: string): string => hash('sha256', text);

/** Beginning of a text, at most so many characters in the record, or more rather than cut a mark. */
function cutHead(text: string, most: number): string {
  const end = findMarkAround(text, most)?.end ?? most;
  let head = text.slice(0, end);
  while (recordedSize(head) > end + 2) head = head.slice(0, Math.floor(head.length / 2));
  return copyText(head.toWellFormed());
}

function cutTail(text: string, most: number): string {
  const from = Math.max(0, text.length - most);
  const start = findMarkAround(text, from)?.start ?? from;
  let tail = text.slice(start);
  while (recordedSize(tail) > text.length - start + 2) tail = tail.slice(Math.ceil(tail.length / 2));
  return copyText(tail.toWellFormed());
}

/** Head and tail of a text, with the number of characters left out between. */
function abridge(text: string): string {
  const [head, tail] = [cutHead(text, headLength), cutTail(text, tailLength)];
  if (text.length <= head.length + tail.length) return text;
  const left = sentUnits(text) - sentUnits(head) - sentUnits(tail);
  return `${head}\n[... ${left} characters left out ...]\n${tail}`;
}

export const abridgeLine = (value: string): string =>
  value.length <= lineLength
    ? value
    : `${cutHead(value, lineLength)} [... ${sentUnits(value)} characters, sha256:${textDigest(value).slice(0, 12)}]`;

/** Characters that a finding's value takes in the record. */
const maxFindingValue = 4096;

export function abridgeJson(value: Json): Json {
  if (recordedSize(value) <= maxFindingValue) return value;
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

/** Schemes that are not secret; after any other word the whole value is. */
const schemePattern = /^(bearer|basic|digest|dpop|negotiate) +(.+)$/is;

/** Credential after the scheme; the whole value if it has none. */
const credentialValue = (value: string): string => schemePattern.exec(value)?.[2] ?? value;

/** Values of the cookies in a `Cookie` line, or of the one in a `Set-Cookie` line (RFC 6265). */
function cookieValues(kind: string, value: string): readonly string[] {
  const pairs = kind === 'set-cookie' ? value.split(';', 1) : value.split(';', maxRecordedLines);
  return pairs.map((pair) => pair.slice(pair.indexOf('=') + 1).trim());
}

function headerCredentials([name, value]: readonly [string, string]): readonly string[] {
  const kind = name.toLowerCase();
  return kind.endsWith('cookie') ? cookieValues(kind, value) : [credentialValue(value)];
}

/** Learns the credentials that a message shows by their place or form, because they may come back in another encoding. */
export function learnMessage({ headers, body }: Pick<WireMessage, 'headers' | 'body'>, redactor: Redactor): void {
  const placed = headers.filter(([name]) => isCredentialHeader(name)).slice(0, maxRecordedLines);
  for (const one of placed.flatMap(headerCredentials)) redactor.learnHere('token', one);
  const others = headers.filter(([name]) => !isCredentialHeader(name));
  redactor.learnForms(others.map(([, value]) => value).join('\n'));
  redactor.learnForms(body);
}

function redactHeader([name, value]: readonly [string, string], redactor: Redactor): readonly [string, string] {
  const kind = name.toLowerCase();
  if (!isCredentialHeader(kind)) return [redactor.text(name), redactor.text(value)];
  const [, word, credential] = (kind.endsWith('cookie') ? null : schemePattern.exec(value)) ?? [];
  if (word === undefined || credential === undefined) return [name, redactor.mark('credential', value)];
  return [name, `${word} ${redactor.mark('token', credential)}`];
}

export const redactHeaders = (headers: HeaderLines, redactor: Redactor): HeaderLines =>
  headers.map((line) => redactHeader(line, redactor));

export interface WireMessage {
  readonly headers: HeaderLines;
  readonly body: string;
  /** Bytes of the whole body, and of the part kept: the text may have another length. */
  readonly bytes?: number;
  readonly kept?: number;
}

/** Message that half of an exchange is recorded for, and the redactor of its secrets. */
interface RecordContext {
  /** `ID-OF-THE-CASE exchange#2`: the record of an equal body refers to it. */
  readonly id: string;
  readonly redactor: Redactor;
}

/** Records messages without secrets, within a budget: a large part once in full, then head, tail and digest. */
export interface Recorder {
  readonly message: (message: WireMessage, recording: RecordContext) => RecordedMessage;
  /** A URL or another single line. */
  readonly line: (text: string, redactor: Redactor) => string;
  /** Values decoded from a message; undefined if they are large and the budget is spent. */
  readonly json: (value: Json, redactor: Redactor) => Json | undefined;
}

/** Characters of a body and of header lines above which they count as large, and the maximum of a body. */
const maxSmallBody = 2048;
const maxRecordedBody = 16 * 1024;
const maxSmallHeaders = 4096;

/** Characters that all large parts of a run may take in the record. */
const recordBudget = 6 * 1024 * 1024;

const maxRecordedLines = 24;

function abridgeHeaders(headers: HeaderLines): HeaderLines {
  const kept = headers
    .slice(0, maxRecordedLines)
    .map(([name, value]) => [abridgeLine(name), abridgeLine(value)] as const);
  const left = headers.length - kept.length;
  return left === 0 ? kept : [...kept, ['...', `${left} lines left out`]];
}

/** Opens a budget of characters: true if a large part still fits. */
function openBudget(budget: number): (size: number) => boolean {
  let left = budget;
  return (size) => {
    if (size > left) return false;
    left -= size;
    return true;
  };
}

export function createRecorder(budget = recordBudget): Recorder {
  const spend = openBudget(budget);
  /** Message that recorded a body in full, by the body's digest. */
  const kept = new Map<string, string>();
  const headersOf = (headers: HeaderLines): HeaderLines => {
    const size = recordedSize(headers);
    return size <= maxSmallHeaders || spend(size) ? headers : abridgeHeaders(headers);
  };
  const bodyOf = (text: string, id: string): Pick<RecordedMessage, 'body' | 'truncated' | 'sha256' | 'sameAs'> => {
    if (text.length <= maxSmallBody && recordedSize(text) <= maxSmallBody) return { body: text };
    const sha256 = textDigest(text);
    const sameAs = kept.get(sha256);
    if (sameAs !== undefined) return { body: abridge(text), truncated: true, sha256, sameAs };
    const whole = text.slice(0, maxRecordedBody).toWellFormed();
    if (!spend(recordedSize(whole))) return { body: abridge(text), truncated: true, sha256 };
    kept.set(sha256, id);
    return text.length <= maxRecordedBody ? { body: text } : { body: whole, truncated: true, sha256 };
  };
  return {
    message: ({ headers, body, bytes = Buffer.byteLength(body), kept: read = bytes }, { id, redactor }) => {
      learnMessage({ headers, body }, redactor);
      return {
        headers: headersOf(redactHeaders(headers, redactor)),
        bytes,
        ...(bytes > read ? { truncated: true as const } : {}),
        ...bodyOf(redactor.text(body), id),
      };
    },
    line: (text, redactor) => {
      redactor.learnForms(text);
      const clean = redactor.text(text);
      const size = recordedSize(clean);
      return size <= maxSmallBody || spend(size) ? clean : abridgeLine(clean);
    },
    json: (value, redactor) => {
      const clean = redactor.json(value);
      const size = recordedSize(clean);
      return size <= maxSmallBody || spend(size) ? clean : undefined;
    },
  };
}
