/** Where a text stops being JSON. */
export interface JsonMistake {
  /** UTF-16 units from the start. */
  readonly offset: number;
  /** The text is JSON as far as it goes: its end is missing. */
  readonly atEnd: boolean;
  /** What JSON has there, in words. */
  readonly expected: string;
}

type State = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | ', or the end' | 'end';

const expectedWords: Readonly<Record<State, string>> = {
  value: 'a value',
  'value or ]': 'a value or "]"',
  name: 'a name in double quotes',
  'name or }': 'a name in double quotes or "}"',
  ':': '":"',
  ', or the end': '"," or a closing bracket',
  end: 'nothing more',
};

const blank = /[ \t\r\n]*/y;
/** Everything but strings; a number or a word is whole only where nothing that could be a part of it follows. */
const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
/** What could still become one if the text went on. */
const begun = /(?:-?(?:(?:0|[1-9]\d*)(?:\.\d*)?(?:[eE][+-]?)?)?|t|tr|tru|f|fa|fal|fals|n|nu|nul)$/y;
// oxlint-disable-next-line no-control-regex -- what JSON does not let stand in a string are the control characters
const plainPart = /[^"\\\u0000-\u001f]*/y;
const escapePart = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

function endOf(pattern: RegExp, text: string, start: number): number | undefined {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

/** The end of a string that begins at `start`, or the place where it goes wrong. */
function endOfString(text: string, start: number): { readonly end: number } | { readonly wrong: number } {
  let at = start + 1;
  for (;;) {
    at = endOf(plainPart, text, at) ?? at;
    if (text[at] === '"') return { end: at + 1 };
    const next = endOf(escapePart, text, at);
    if (next === undefined) return { wrong: at };
    at = next;
  }
}

/** Escapes that the end of the text cuts in two are no mistake of their own. */
const cutEscape = /\\(?:u[0-9a-fA-F]{0,3})?$/y;

interface Scan {
  readonly text: string;
  readonly open: ('[' | '{')[];
  at: number;
  state: State;
}

const mistakeAt = ({ text, state }: Scan, offset: number, atEnd = offset >= text.length): JsonMistake => ({
  offset,
  atEnd,
  expected: expectedWords[state],
});

function close(scan: Scan): void {
  scan.open.pop();
  scan.at += 1;
  scan.state = scan.open.length === 0 ? 'end' : ', or the end';
}

function takeString(scan: Scan, next: State): JsonMistake | undefined {
  const found = endOfString(scan.text, scan.at);
  if ('wrong' in found) {
    const { wrong } = found;
    const cut = wrong >= scan.text.length || endOf(cutEscape, scan.text, wrong) !== undefined;
    return { offset: wrong, atEnd: cut, expected: 'the rest of a string' };
  }
  scan.at = found.end;
  scan.state = next;
  return undefined;
}

function takeValue(scan: Scan): JsonMistake | undefined {
  const character = scan.text[scan.at];
  const after: State = scan.open.length === 0 ? 'end' : ', or the end';
  if (character === '"') return takeString(scan, after);
  if (character === '{' || character === '[') {
    scan.open.push(character);
    scan.at += 1;
    scan.state = character === '{' ? 'name or }' : 'value or ]';
    return undefined;
  }
  const end = endOf(scalar, scan.text, scan.at);
  if (end === undefined) return mistakeAt(scan, scan.at, endOf(begun, scan.text, scan.at) !== undefined);
  scan.at = end;
  scan.state = after;
  return undefined;
}

function takeSeparator(scan: Scan): JsonMistake | undefined {
  const character = scan.text[scan.at];
  const inObject = scan.open.at(-1) === '{';
  if (character === (inObject ? '}' : ']')) {
    close(scan);
    return undefined;
  }
  if (character !== ',') return mistakeAt(scan, scan.at);
  scan.at += 1;
  scan.state = inObject ? 'name' : 'value';
  return undefined;
}

function takeColon(scan: Scan): JsonMistake | undefined {
  if (scan.text[scan.at] !== ':') return mistakeAt(scan, scan.at);
  scan.at += 1;
  scan.state = 'value';
  return undefined;
}

/** One token, by what may stand where the scan is. */
function take(scan: Scan): JsonMistake | undefined {
  const character = scan.text[scan.at];
  if (scan.state === ':') return takeColon(scan);
  if (scan.state === ', or the end') return takeSeparator(scan);
  const closing = scan.state === 'value or ]' ? ']' : scan.state === 'name or }' ? '}' : undefined;
  if (closing !== undefined && character === closing) {
    close(scan);
    return undefined;
  }
  if (scan.state === 'value' || scan.state === 'value or ]') return takeValue(scan);
  return character === '"' ? takeString(scan, ':') : mistakeAt(scan, scan.at);
}

/**
 * The first place where a text is not JSON (RFC 8259); undefined where it is. Only looked for once JSON.parse has refused
 * a text: what that says, and whether it says where, is different from one release of Node to the next.
 */
export function findJsonMistake(text: string): JsonMistake | undefined {
  const scan: Scan = { text, open: [], at: 0, state: 'value' };
  for (;;) {
    scan.at = endOf(blank, text, scan.at) ?? scan.at;
    if (scan.state === 'end') return scan.at < text.length ? mistakeAt(scan, scan.at) : undefined;
    if (scan.at >= text.length) return mistakeAt(scan, scan.at);
    const mistake = take(scan);
    if (mistake !== undefined) return mistake;
  }
}
