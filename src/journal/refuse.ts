import { defined } from '../lib/json.ts';
import { CarrierspecError } from '../model/problem.ts';

interface JsonMistake {
  /** Offset in UTF-16 units. */
  readonly offset: number;
  /** The text is a valid beginning of JSON: its end is missing. */
  readonly atEnd: boolean;
  readonly expected: string;
}

const expectedWords = {
  value: 'a value',
  'value or ]': 'a value or "]"',
  name: 'a name in double quotes',
  'name or }': 'a name in double quotes or "}"',
  ':': '":"',
  ', or ]': '"," or a closing bracket',
  ', or }': '"," or a closing bracket',
  end: 'nothing more',
} as const;

type State = keyof typeof expectedWords;

/** The only character that may follow, and the next state; nothing may follow the end. */
const separators: Readonly<Partial<Record<State, { readonly sign?: string; readonly next: State }>>> = {
  ', or ]': { sign: ',', next: 'value' },
  ', or }': { sign: ',', next: 'name' },
  ':': { sign: ':', next: 'value' },
  end: { next: 'end' },
};

const blank = /[ \t\r\n]*/y;
/** Any scalar but a string; it ends only where no character follows that could continue it. */
const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
/** Beginning of a scalar that the cut text could have continued. */
const begun = /(?:-?(?:(?:0|[1-9]\d*)(?:\.\d*)?(?:[eE][+-]?)?)?|t|tr|tru|f|fa|fal|fals|n|nu|nul)$/y;
// oxlint-disable-next-line no-control-regex -- what JSON does not let stand in a string are the control characters
const stringPart = /[^"\\\u0000-\u001f]*/y;
/** Matched one at a time, because a repeated group would need stack for each. */
const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
/** An escape cut in two by the end of the text is not a mistake in itself. */
const cutEscape = /\\(?:u[0-9a-fA-F]{0,3})?$/y;

function endOf(pattern: RegExp, text: string, start: number): number | undefined {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

interface Scan {
  readonly text: string;
  readonly open: ('[' | '{')[];
  at: number;
  state: State;
}

/** State after a complete value: whatever the innermost bracket allows. */
const afterValue = ({ open }: Scan): State => {
  const innermost = open.at(-1);
  if (innermost === undefined) return 'end';
  return innermost === '{' ? ', or }' : ', or ]';
};

function goTo(scan: Scan, at: number, state: State): undefined {
  scan.at = at;
  scan.state = state;
}

const mistakeAt = ({ text, state, at }: Scan, atEnd = at >= text.length): JsonMistake => ({
  offset: at,
  atEnd,
  expected: expectedWords[state],
});

function takeString(scan: Scan, next: State): JsonMistake | undefined {
  const { text } = scan;
  let end = scan.at + 1;
  for (let next: number | undefined = end; next !== undefined; next = endOf(escaped, text, end)) {
    end = endOf(stringPart, text, next) ?? next;
  }
  if (text[end] === '"') return goTo(scan, end + 1, next);
  const atEnd = end >= text.length || endOf(cutEscape, text, end) !== undefined;
  return { offset: end, atEnd, expected: 'the rest of a string' };
}

/** Consumes one token: a bracket, a comma, a colon, a string, a number or a word. */
function take(scan: Scan): JsonMistake | undefined {
  const { text, at, state, open } = scan;
  const character = text[at] ?? '';
  if ((character === ']' || character === '}') && state.endsWith(`or ${character}`)) {
    open.pop();
    return goTo(scan, at + 1, afterValue(scan));
  }
  const separator = separators[state];
  if (separator !== undefined) {
    return character === separator.sign ? goTo(scan, at + 1, separator.next) : mistakeAt(scan);
  }
  const isName = state.startsWith('name');
  if (character === '"') return takeString(scan, isName ? ':' : afterValue(scan));
  return isName ? mistakeAt(scan) : takeValue(scan, character);
}

function takeValue(scan: Scan, character: string): JsonMistake | undefined {
  const { text, at, open } = scan;
  if (character === '{' || character === '[') {
    open.push(character);
    return goTo(scan, at + 1, character === '{' ? 'name or }' : 'value or ]');
  }
  const end = endOf(scalar, text, at);
  return end === undefined ? mistakeAt(scan, endOf(begun, text, at) !== undefined) : goTo(scan, end, afterValue(scan));
}

/** First position where a text is not JSON (RFC 8259). The message of JSON.parse differs between releases of Node. */
export function findJsonMistake(text: string): JsonMistake | undefined {
  const scan: Scan = { text, open: [], at: 0, state: 'value' };
  for (;;) {
    scan.at = endOf(blank, text, scan.at) ?? scan.at;
    if (scan.at >= text.length) return scan.state === 'end' ? undefined : mistakeAt(scan);
    const mistake = take(scan);
    if (mistake !== undefined) return mistake;
  }
}

type Refusal =
  | 'result-unreadable'
  | 'result-not-json'
  | 'result-cut-off'
  | 'result-not-one'
  | 'result-version'
  | 'result-broken';

/** Error for a file that is not a result: the operator's mistake, not the carrier's and not ours. */
export const refuse = (code: Refusal, message: string, cause?: unknown): CarrierspecError =>
  new CarrierspecError(message, { code, ...defined({ cause }) });

/** Source of a text: its file, and the line at which it begins. */
interface Place {
  readonly file: string;
  readonly firstLine: number;
}

const shown = (text: string, offset: number): string =>
  JSON.stringify(String.fromCodePoint(text.codePointAt(offset) ?? 0));

function feedsBefore(text: string, offset: number): number {
  let feeds = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) feeds += 1;
  return feeds;
}

/** Error for a text that JSON.parse refused, with line and column counted from 1. */
export function refuseJson(text: string, { file, firstLine }: Place, cause: unknown): CarrierspecError {
  const mistake = findJsonMistake(text);
  if (mistake === undefined) return refuse('result-not-json', `${file}: this is not JSON`, cause);
  const { offset, atEnd, expected } = mistake;
  const line = firstLine + feedsBefore(text, offset);
  const column = offset - (offset === 0 ? -1 : text.lastIndexOf('\n', offset - 1));
  const place = `${file}:${line}:${column}`;
  if (text.trim() === '') return refuse('result-cut-off', `${file}: the file is empty`, cause);
  if (atEnd)
    return refuse('result-cut-off', `${place}: the file ends here, in the middle: ${expected} should follow`, cause);
  const message = `${place}: this is not JSON: ${expected} should stand here, not ${shown(text, offset)}`;
  return refuse('result-not-json', message, cause);
}

/** Deepest value accepted: evidence is never deeper, and recursion over it would run out of stack. */
const deepest = 128;

/** Levels that document, case and exchange add around a value. */
const around = 16;

/** Maximum values in one text; a full run has some hundred thousand. */
const mostValues = 20_000_000;

const code = (character: string): number => character.charCodeAt(0);
const quote = code('"');
const backslash = code('\\');
const comma = code(',');
const opening: ReadonlySet<number> = new Set([code('['), code('{')]);
const closing: ReadonlySet<number> = new Set([code(']'), code('}')]);

/** Offset of the quote that ends the string beginning at `start`. */
function skipString(text: string, start: number): number {
  let at = start + 1;
  for (let found = text.charCodeAt(at); found !== quote && at < text.length; found = text.charCodeAt(at)) {
    at += found === backslash ? 2 : 1;
  }
  return at;
}

/** Why a text would need too much memory or stack, or undefined. */
function excessOf(text: string): string | undefined {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const found = text.charCodeAt(at);
    if (found === quote) at = skipString(text, at);
    else if (found === comma) values += 1;
    else if (opening.has(found)) {
      depth += 1;
      values += 1;
      if (depth > deepest + around) return `values are nested more than ${deepest} deep`;
    } else if (closing.has(found)) depth -= 1;
  }
  return values > mostValues ? `more than ${mostValues} values` : undefined;
}

/** Parses the JSON text of a result. Throws CarrierspecError if it is too deep or too large, and SyntaxError as JSON.parse does. */
export function parseRead(text: string, place: string): unknown {
  const excess = excessOf(text);
  if (excess !== undefined) throw refuse('result-broken', `${place}: ${excess}`);
  const value: unknown = JSON.parse(text);
  return value;
}
