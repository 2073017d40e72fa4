import type { CapturedExchange } from './captured.ts';
import { pair, parseStartLine, type RawMessage, type StartLine } from './head.ts';
import { isHttpText, messagesIn } from './http-text.ts';

interface Open {
  readonly start: StartLine;
  readonly headerLines: string[];
  readonly bodyLines: string[];
}

/** What `curl -v` writes beside heads and bodies: what it does, how many bytes went, its progress, and what it warns of. */
const noise = [
  /^\* /,
  /^[{}] \[\d+ bytes data\]$/,
  /^ *% Total +% Received/,
  /^ *Dload +Upload/,
  /^ *\d{1,3} +[\d.]{1,8}[kMGT]? .*(?:\d\d|--):(?:\d\d|--):(?:\d\d|--)/,
  /^(?:Note|Warning): |^curl: \(\d{1,3}\) /,
];

/** Where curl goes on in the line in which a body ended without a line break. */
const afterBody = [
  '* Connection #',
  '* Closing connection',
  '* shutting down connection',
  '* Excess found',
  '* TLSv1',
  '*   Trying ',
  '  % Total ',
];

function withoutTail(line: string): string {
  const ends = afterBody.map((words) => line.lastIndexOf(words)).filter((at) => at > 0);
  return ends.length === 0 ? line : line.slice(0, Math.min(...ends));
}

type Line = { readonly sign: '<' | '>'; readonly text: string } | { readonly body: string };

/** A line of a head, a line of a body, or nothing that counts. */
function readLine(line: string): Line | undefined {
  const [, sign, text = ''] = /^([<>])(?: (.*))?$/.exec(line) ?? [];
  if (sign === '<' || sign === '>') return { sign, text };
  return noise.some((pattern) => pattern.test(line)) ? undefined : { body: withoutTail(line) };
}

/** `curl -iv` writes the head once more, before the body. */
function withoutSecondHead(message: Open): RawMessage {
  const body = message.bodyLines.join('\n').trimStart();
  const last = isHttpText(body) ? messagesIn(body).at(-1) : undefined;
  return last === undefined ? message : { ...message, bodyLines: last.bodyLines };
}

/** What came on stdout before any head goes to the last response: a pipe keeps it back until curl ends, or gives it first. */
function placeLoose(messages: readonly Open[], loose: readonly string[]): void {
  const last = messages.findLast(({ start, bodyLines }) => 'status' in start && bodyLines.join('').trim() === '');
  last?.bodyLines.push(...loose);
}

function openMessages(text: string): readonly Open[] {
  const messages: Open[] = [];
  const loose: string[] = [];
  // A line of progress begins with a carriage return.
  for (const given of text.split(/\r\n|\n|\r/)) {
    const line = readLine(given);
    if (line === undefined) continue;
    const open = messages.at(-1);
    if ('body' in line) {
      if (open !== undefined && 'status' in open.start) open.bodyLines.push(line.body);
      else if (line.body.trim() !== '') loose.push(line.body);
      continue;
    }
    const start = parseStartLine(line.text);
    const isOwn = start !== undefined && 'status' in start === (line.sign === '<');
    if (isOwn) messages.push({ start, headerLines: [], bodyLines: [] });
    else if (line.text !== '') open?.headerLines.push(line.text);
  }
  placeLoose(messages, loose);
  return messages;
}

/** Whether a text is what `curl -v` writes. */
export const isCurl = (text: string): boolean => /^(?:< HTTP\/\d|> [A-Z]{1,20} \S+ HTTP\/\d)/m.test(text);

/** The verbose output of curl does not show what it sent as a body. */
const unseenBody = 'curl -v does not show the body of the request';

export function readCurl(text: string): readonly CapturedExchange[] {
  const scheme = /^\* (?:SSL|TLS)/m.test(text) ? 'https' : 'http';
  return pair(openMessages(text).map(withoutSecondHead), scheme).map((exchange) => {
    const { request } = exchange;
    const hasBody = request !== undefined && /^(?:POST|PUT|PATCH)$/.test(request.method);
    return hasBody ? { ...exchange, request: { ...request, cut: unseenBody } } : exchange;
  });
}
