import { omitUndefined } from '../lib/json.ts';
import { CarrierspecError } from '../model/problem.ts';

interface JsonMistake {
  /** Offset in UTF-16 units. */
  readonly offset: number;
  /** The text is a valid beginning of JSON: its end is missing. */
  readonly atEnd: boolean;
  readonly expected: string;
}

const expectedTokens = {
  value: 'a value',
  'value or ]': 'a value or "]"',
  name: 'a name in double quotes',
  'name or }': 'a name in double quotes or "}"',
  ':': '":"',
  ', or ]': '"," or a closing bracket',
  ', or }': '"," or a closing bracket',
  end: 'nothing more',
} as const;

type ScanState = keyof typeof expectedTokens;

/** The only character that may follow, and the next state; nothing may follow the end. */
const separators: Readonly<Partial<Record<ScanState, { readonly sign?: string; readonly next: ScanState }>>> = {
  ', or ]': { sign: ',', next: 'value' },
  ', or }': { sign: ',', next: 'name' },
  ':': { sign: ':', next: 'value' },
  end: { next: 'end' },
};

const blankPattern = /[ \t\r\n]*/y;
/** Any scalar but a string; it ends only where no character follows that could continue it. */
const scalarPattern = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
/** Beginning of a scalar that the cut text could have continued. */
const scalarBeginning = /(?:-?(?:(?:0|[1-9]\d*)(?:\.\d*)?(?:[eE][+-]?)?)?|t|tr|tru|f|fa|fal|fals|n|nu|nul)$/y;
// oxlint-disable-next-line no-control-regex -- what JSON does not let stand in a string are the control characters
const stringPart = /[^"\\\u0000-\u001f]*/y;
/** Matched one at a time, because a repeated group would need stack for each. */
const stringEscape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
/** An escape cut in two by the end of the text is not a mistake in itself. */
const cutEscape = /\\(?:u[0-9a-fA-F]{0,3})?$/y;

function matchEnd(pattern: RegExp, text: string, start: number): number | undefined {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

interface Scan {
  readonly text: string;
  readonly open: ('[' | '{')[];
  at: number;
  state: ScanState;
}

/** State after a complete value: whatever the innermost bracket allows. */
const stateAfterValue = ({ open }: Scan): ScanState => {
  const innermost = open.at(-1);
  if (innermost === undefined) return 'end';
  return innermost === '{' ? ', or }' : ', or ]';
};

function advance(scan: Scan, at: number, state: ScanState): undefined {
  scan.at = at;
  scan.state = state;
}

const mistakeAt = ({ text, state, at }: Scan, atEnd = at >= text.length): JsonMistake => ({
  offset: at,
  atEnd,
  expected: expectedTokens[state],
});

function takeString(scan: Scan, next: ScanState): JsonMistake | undefined {
  const { text } = scan;
  let end = scan.at + 1;
  for (let next: number | undefined = end; next !== undefined; next = matchEnd(stringEscape, text, end)) {
    end = matchEnd(stringPart, text, next) ?? next;
  }
  if (text[end] === '"') return advance(scan, end + 1, next);
  const atEnd = end >= text.length || matchEnd(cutEscape, text, end) !== undefined;
  return { offset: end, atEnd, expected: 'the rest of a string' };
}

/** Consumes one token: a bracket, a comma, a colon, a string, a number or a word. */
function takeToken(scan: Scan): JsonMistake | undefined {
  const { text, at, state, open } = scan;
  const character = text[at] ?? '';
  if ((character === ']' || character === '}') && state.endsWith(`or ${character}`)) {
    open.pop();
    return advance(scan, at + 1, stateAfterValue(scan));
  }
  const separator = separators[state];
  if (separator !== undefined) {
    return character === separator.sign ? advance(scan, at + 1, separator.next) : mistakeAt(scan);
  }
  const isName = state.startsWith('name');
  if (character === '"') return takeString(scan, isName ? ':' : stateAfterValue(scan));
  return isName ? mistakeAt(scan) : takeValue(scan, character);
}

function takeValue(scan: Scan, character: string): JsonMistake | undefined {
  const { text, at, open } = scan;
  if (character === '{' || character === '[') {
    open.push(character);
    return advance(scan, at + 1, character === '{' ? 'name or }' : 'value or ]');
  }
  const end = matchEnd(scalarPattern, text, at);
  return end === undefined
    ? mistakeAt(scan, matchEnd(scalarBeginning, text, at) !== undefined)
    : advance(scan, end, stateAfterValue(scan));
}

/** First position where a text is not JSON (RFC 8259). The message of JSON.parse differs between releases of Node. */
export function findJsonMistake(text: string): JsonMistake | undefined {
  const scan: Scan = { text, open: [], at: 0, state: 'value' };
  for (;;) {
    scan.at = matchEnd(blankPattern, text, scan.at) ?? scan.at;
    if (scan.at >= text.length) return scan.state === 'end' ? undefined : mistakeAt(scan);
    const mistake = takeToken(scan);
    if (mistake !== undefined) return mistake;
  }
}

type ResultRefusal =
  | 'result-unreadable'
  | 'result-not-json'
  | 'result-cut-off'
  | 'result-not-one'
  | 'result-version'
  | 'result-broken';

/** Error for a file that is not a result: the operator's mistake, not the carrier's and not ours. */
export const resultError = (code: ResultRefusal, message: string, cause?: unknown): CarrierspecError =>
  new CarrierspecError(message, { code, ...omitUndefined({ cause }) });

/** Source of a text: its file, and the line at which it begins. */
interface TextSource {
  readonly file: string;
  readonly firstLine: number;
}

const quoteCharacter = (text: string, offset: number): string =>
  JSON.stringify(String.fromCodePoint(text.codePointAt(offset) ?? 0));

function feedsBefore(text: string, offset: number): number {
  let feeds = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) feeds += 1;
  return feeds;
}

/** Error for a text that JSON.parse refused, with line and column counted from 1. */
export function jsonError(text: string, { file, firstLine }: TextSource, cause: unknown): CarrierspecError {
  const mistake = findJsonMistake(text);
  if (mistake === undefined) return resultError('result-not-json', `${file}: this is not JSON`, cause);
  const { offset, atEnd, expected } = mistake;
  const line = firstLine + feedsBefore(text, offset);
  const column = offset - (offset === 0 ? -1 : text.lastIndexOf('\n', offset - 1));
  const place = `${file}:${line}:${column}`;
  if (text.trim() === '') return resultError('result-cut-off', `${file}: the file is empty`, cause);
  if (atEnd)
    return resultError(
      'result-cut-off',
      `${place}: the file ends here, in the middle: ${expected} should follow`,
      cause,
    );
  const message = `${place}: this is not JSON: ${expected} should stand here, not ${quoteCharacter(text, offset)}`;
  return resultError('result-not-json', message, cause);
}

/** Deepest value accepted: evidence is never deeper, and recursion over it would run out of stack. */
const maxValueDepth = 128;

/** Levels that document, case and exchange add around a value. */
const levelsAround = 16;

/** Maximum values in one text; a full run has some hundred thousand. */
const maxValues = 20_000_000;

const unitOf = (character: string): number => character.charCodeAt(0);
const quote = unitOf('"');
const backslash = unitOf('\\');
const comma = unitOf(',');
const opening: ReadonlySet<number> = new Set([unitOf('['), unitOf('{')]);
const closing: ReadonlySet<number> = new Set([unitOf(']'), unitOf('}')]);

/** Offset of the quote that ends the string beginning at `start`. */
function skipString(text: string, start: number): number {
  let at = start + 1;
  for (let found = text.charCodeAt(at); found !== quote && at < text.length; found = text.charCodeAt(at)) {
    at += found === backslash ? 2 : 1;
  }
  return at;
}

/** Why a text would need too much memory or stack, or undefined. */
function findExcess(text: string): string | undefined {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const found = text.charCodeAt(at);
    if (found === quote) at = skipString(text, at);
    else if (found === comma) values += 1;
    else if (opening.has(found)) {
      depth += 1;
      values += 1;
      if (depth > maxValueDepth + levelsAround) return `values are nested more than ${maxValueDepth} deep`;
    } else if (closing.has(found)) depth -= 1;
  }
  return values > maxValues ? `more than ${maxValues} values` : undefined;
}

/** Parses the JSON text of a result. Throws CarrierspecError if it is too deep or too large, and SyntaxError as JSON.parse does. */
export function parseBoundedJson(text: string, place: string): unknown {
  const excess = findExcess(text);
  if (excess !== undefined) throw resultError('result-broken', `${place}: ${excess}`);
  const value: unknown = JSON.parse(text);
  return value;
}
