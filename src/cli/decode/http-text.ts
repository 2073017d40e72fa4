import { parseJson } from '../../lib/json.ts';
import { type HeaderLines, findHeader } from '../../model/exchange.ts';

/** A captured request or response. */
export interface CapturedMessage {
  readonly headers: HeaderLines;
  readonly body: string;
  /** Why the body is incomplete; absent if it is complete. */
  readonly cut?: string;
}

export interface CapturedRequest extends CapturedMessage {
  readonly method: string;
  readonly target: string;
}

export interface CapturedResponse extends CapturedMessage {
  readonly status: number;
}

export interface CapturedExchange {
  /** Remarks of the source, and remarks about lines that were left out. */
  readonly notes: readonly string[];
  readonly url?: string;
  readonly request?: CapturedRequest;
  readonly response?: CapturedResponse;
}

export interface Capture {
  readonly kind: 'http' | 'har';
  readonly exchanges: readonly CapturedExchange[];
  /** Number of further exchanges, neither decoded nor judged. */
  readonly leftOut: number;
}

export const maxExchanges = 1000;

/** Start line (RFC 9112 §3, §4); also HTTP/2 and HTTP/3 as curl prints them. */
type StartLine = { readonly status: number } | { readonly method: string; readonly target: string };

function parseStartLine(line: string): StartLine | undefined {
  const [, status] = /^HTTP\/\d(?:\.\d)? (\d{3})(?: |$)/.exec(line) ?? [];
  if (status !== undefined) return { status: Number(status) };
  const [, method, target] = /^([A-Z]{1,20}) (\S+) HTTP\/\d(?:\.\d)?$/.exec(line) ?? [];
  return method === undefined || target === undefined ? undefined : { method, target };
}

/** Field name (RFC 9110 §5.1); in HTTP/2 it may begin with a colon. */
const fieldName = /^:?[\w!#$%&'*+.^`|~-]+$/;

/** Parses header lines, joining folded ones; `odd` counts lines without a field name. */
function parseHeaders(lines: readonly string[]): { readonly headers: HeaderLines; readonly odd: number } {
  const headers: (readonly [string, string])[] = [];
  let odd = 0;
  for (const line of lines) {
    const colon = line.indexOf(':', 1);
    const name = colon < 0 ? '' : line.slice(0, colon);
    const before = headers.at(-1);
    if (/^[ \t]/.test(line) && before !== undefined) headers.splice(-1, 1, [before[0], `${before[1]} ${line.trim()}`]);
    else if (fieldName.test(name)) headers.push([name, line.slice(colon + 1).trim()]);
    else odd += 1;
  }
  return { headers, odd };
}

const isCompleteJson = (text: string): boolean => parseJson(text) !== undefined;

/** Trims the body to its Content-Length (RFC 9110 §8.6); `cut` says how much is missing if it is shorter. */
function measureBody(headers: HeaderLines, given: string): Pick<CapturedMessage, 'body' | 'cut'> {
  const body = given.trim();
  const length = findHeader(headers, 'content-length');
  const isPlain = findHeader(headers, 'content-encoding') === undefined;
  if (length === undefined || !/^\d{1,12}$/.test(length) || !isPlain || isCompleteJson(body)) return { body };
  const bytes = Buffer.from(given, 'utf8');
  if (bytes.length > Number(length)) return { body: bytes.toString('utf8', 0, Number(length)).trim() };
  const isShort = Buffer.byteLength(body) < Number(length) && bytes.length < Number(length);
  return isShort ? { body, cut: `it has ${bytes.length} of the ${length} bytes that content-length names` } : { body };
}

interface RawMessage {
  readonly start: StartLine;
  readonly headerLines: readonly string[];
  readonly bodyLines: readonly string[];
}

type ParsedMessage = Pick<CapturedExchange, 'notes' | 'request' | 'response'>;

function parseMessage({ start, headerLines, bodyLines }: RawMessage): ParsedMessage {
  const { headers, odd } = parseHeaders(headerLines);
  const message: CapturedMessage = { headers, ...measureBody(headers, bodyLines.join('\n')) };
  const notes = odd === 0 ? [] : [`${odd} of its header lines have no name, and are left out`];
  if ('status' in start) {
    const response: CapturedResponse = { ...message, status: start.status };
    return { notes, response };
  }
  const request: CapturedRequest = { ...message, method: start.method, target: start.target };
  return { notes, request };
}

function buildUrl({ target, headers }: CapturedRequest): string | undefined {
  if (/^https?:\/\//i.test(target)) return target;
  const host = findHeader(headers, 'host') ?? findHeader(headers, ':authority');
  return host === undefined || !target.startsWith('/') ? undefined : `https://${host}${target}`;
}

const isInterim = (parsed: ParsedMessage): boolean => parsed.response !== undefined && parsed.response.status < 200;

/** Pairs each request with the response after it; an interim response (RFC 9110 §15.2) becomes a note. */
function pairMessages(messages: readonly RawMessage[]): readonly CapturedExchange[] {
  const exchanges: CapturedExchange[] = [];
  let notes: readonly string[] = [];
  for (const message of messages) {
    const parsed = parseMessage(message);
    const before = exchanges.at(-1);
    if (isInterim(parsed))
      notes = [...notes.slice(0, 9), `an interim response ${parsed.response?.status ?? ''} came before`];
    else if (parsed.response !== undefined && before?.request !== undefined && before.response === undefined) {
      exchanges.splice(-1, 1, { ...before, ...parsed, notes: [...before.notes, ...notes, ...parsed.notes] });
      notes = [];
    } else {
      const url = parsed.request === undefined ? undefined : buildUrl(parsed.request);
      exchanges.push({ ...parsed, ...(url === undefined ? {} : { url }), notes: [...notes, ...parsed.notes] });
      notes = [];
    }
  }
  return exchanges;
}

interface MessageDraft {
  readonly start: StartLine;
  readonly headerLines: string[];
  readonly bodyLines: string[];
  inBody: boolean;
}

/** Splits consecutive messages, each with its head (`curl -i`, or pasted). */
function splitMessages(text: string): readonly RawMessage[] {
  const messages: MessageDraft[] = [];
  for (const given of text.split('\n')) {
    const line = given.endsWith('\r') ? given.slice(0, -1) : given;
    const start = parseStartLine(line);
    const open = messages.at(-1);
    if (start !== undefined) messages.push({ start, headerLines: [], bodyLines: [], inBody: false });
    else if (open?.inBody === true) open.bodyLines.push(line);
    else if (line.trim() === '') {
      if (open !== undefined) open.inBody = true;
    } else open?.headerLines.push(line);
  }
  return messages;
}

export const isHttpText = (text: string): boolean => {
  const [first = ''] = text.trimStart().slice(0, 10_000).split('\n', 1);
  return parseStartLine(first.trimEnd()) !== undefined;
};

export function readHttpText(text: string): Capture {
  const all = pairMessages(splitMessages(text.trimStart()));
  return { kind: 'http', exchanges: all.slice(0, maxExchanges), leftOut: Math.max(0, all.length - maxExchanges) };
}
