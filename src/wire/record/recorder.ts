import type { Json } from '../../lib/json.ts';
import type { HeaderLines, RecordedMessage } from '../../model/exchange.ts';
import { abridge, abridgeLine, digestOf, sizeOf } from './abridge.ts';
import { redactHeaders } from './header-lines.ts';
import type { Redactor } from './redact.ts';

/** A message as it was on the wire. */
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

/**
 * Records the messages of one run, secrets out, so that the record stays small whatever is sent: small parts are kept as they
 * are, large ones in full until the budget of the run is spent, and equal bodies once. Of the rest the head, the tail, the length
 * and the digest are kept.
 */
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
