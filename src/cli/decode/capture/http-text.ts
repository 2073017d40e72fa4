import type { CapturedExchange } from './captured.ts';
import { pair, parseStartLine, type RawMessage, type StartLine } from './head.ts';

interface Open {
  readonly start: StartLine;
  readonly headerLines: string[];
  readonly bodyLines: string[];
  inBody: boolean;
}

/** The messages of a text in which they stand one after the other, each with its head (`curl -i`, or copied). */
function messagesIn(text: string): readonly RawMessage[] {
  const messages: Open[] = [];
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

/** Whether a text begins as an HTTP message does. */
export const isHttpText = (text: string): boolean => {
  const [first = ''] = text.trimStart().slice(0, 10_000).split('\n', 1);
  return parseStartLine(first.trimEnd()) !== undefined;
};

export const readHttpText = (text: string): readonly CapturedExchange[] => pair(messagesIn(text.trimStart()));
