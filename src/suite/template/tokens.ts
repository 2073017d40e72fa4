import { parseDuration } from '../../lib/duration.ts';

/** A mistake in an expression, at an index of its text. */
export class ExpressionMistake extends Error {
  readonly index: number;
  readonly hint: string | undefined;

  constructor(message: string, index: number, hint?: string) {
    super(message);
    this.name = 'ExpressionMistake';
    this.index = index;
    this.hint = hint;
  }
}

export interface Token {
  readonly kind: 'path' | 'number' | 'text' | 'sign' | 'end';
  readonly index: number;
  /** As written. */
  readonly source: string;
  /** Of a number, in seconds where it is a duration. */
  readonly number: number;
}

/** Hyphens belong to a name (`clients.two-keys`), so a minus needs blanks around it. */
const path = /[A-Za-z_]\w*(?:-\w+)*(?:\.[\w:]+(?:-[\w:]+)*)*/y;
const amount = /\d[\w.]*/y;
const text = /'(?:[^']|'')*'/y;
const blanks = /\s*/y;
const plainNumber = /^\d+(?:\.\d+)?$/;

export function tokenize(source: string): readonly Token[] {
  const tokens: Token[] = [];
  let index = lengthAt(blanks, source, 0);
  while (index < source.length) {
    const token = tokenAt(source, index);
    tokens.push(token);
    index += token.source.length;
    index += lengthAt(blanks, source, index);
  }
  tokens.push({ kind: 'end', index: source.trimEnd().length, source: '', number: 0 });
  return tokens;
}

function tokenAt(source: string, index: number): Token {
  const cut = (length: number): string => source.slice(index, index + length);
  const first = source.charAt(index);
  if ('+-(),'.includes(first)) return { kind: 'sign', index, source: first, number: 0 };
  const name = lengthAt(path, source, index);
  if (name > 0) return { kind: 'path', index, source: cut(name), number: 0 };
  const digits = lengthAt(amount, source, index);
  if (digits > 0) return { kind: 'number', index, source: cut(digits), number: amountOf(cut(digits), index) };
  const quotes = lengthAt(text, source, index);
  if (quotes > 0) return { kind: 'text', index, source: cut(quotes), number: 0 };
  if (first === "'") throw new ExpressionMistake('the quote is not closed', index);
  throw new ExpressionMistake(`"${String.fromCodePoint(source.codePointAt(index) ?? 0)}" means nothing here`, index);
}

function amountOf(written: string, index: number): number {
  if (plainNumber.test(written)) return Number(written);
  const seconds = parseDuration(written);
  if (seconds !== undefined) return seconds;
  throw new ExpressionMistake(`"${written}" is neither a number nor a duration such as 5m30s`, index);
}

function lengthAt(pattern: RegExp, source: string, index: number): number {
  pattern.lastIndex = index;
  return pattern.exec(source)?.[0].length ?? 0;
}

/** Part of a string: plain text, an expression between braces, or a pair of braces that nothing closes. */
interface Piece {
  readonly kind: 'text' | 'expression' | 'open';
  readonly source: string;
  /** Where `source` begins in the string; of an open pair, where the braces stand. */
  readonly index: number;
}

/** Splits a string at its `{{ }}`. Braces inside a quoted text of an expression are part of that text. */
export function splitTemplate(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (;;) {
    const open = text.indexOf('{{', from);
    if (open === -1) break;
    if (open > from) pieces.push({ kind: 'text', source: text.slice(from, open), index: from });
    const close = closing(text, open + 2);
    if (close === undefined) return [...pieces, { kind: 'open', source: text.slice(open), index: open }];
    pieces.push({ kind: 'expression', source: text.slice(open + 2, close), index: open + 2 });
    from = close + 2;
  }
  if (from < text.length) pieces.push({ kind: 'text', source: text.slice(from), index: from });
  return pieces;
}

const quotedOrEnd = /'(?:[^']|'')*'|\}\}/g;

function closing(text: string, from: number): number | undefined {
  quotedOrEnd.lastIndex = from;
  for (let found = quotedOrEnd.exec(text); found !== null; found = quotedOrEnd.exec(text)) {
    if (found[0] === '}}') return found.index;
  }
  return undefined;
}
