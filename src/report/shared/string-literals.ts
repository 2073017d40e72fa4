const backslash = 92;

/** Whether the character at `end` is escaped: an odd number of backslashes stands before it, after `start`. */
function isEscaped(text: string, end: number, start: number): boolean {
  let at = end;
  while (at > start && text.codePointAt(at - 1) === backslash) at -= 1;
  return (end - at) % 2 === 1;
}

function closingQuote(text: string, start: number): number {
  let end = text.indexOf('"', start);
  while (end >= 0 && isEscaped(text, end, start)) end = text.indexOf('"', end + 1);
  return end;
}

/** The text with each JSON string literal replaced, in linear time; an unclosed quotation mark begins none. */
export function replaceLiterals(text: string, replace: (literal: string) => string): string {
  let out = '';
  let done = 0;
  for (;;) {
    const start = text.indexOf('"', done);
    const end = start < 0 ? -1 : closingQuote(text, start + 1);
    if (end < 0) return out + text.slice(done);
    out += text.slice(done, start) + replace(text.slice(start, end + 1));
    done = end + 1;
  }
}
