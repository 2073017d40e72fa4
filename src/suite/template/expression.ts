import { parseDuration } from '../../lib/duration.ts';
import { copyJson, followPath, type Json } from '../../lib/json.ts';
import { suggestKnown } from '../../lib/suggestion.ts';
import { addSeconds } from '../../lib/time.ts';
import { MissingValue, type Scope } from '../../model/suite.ts';
import { templateFunctions, requireNumber } from './functions.ts';
import { ExpressionMistake, type Names, requireKnownPath, UnknownName } from './names.ts';

interface Token {
  readonly kind: 'path' | 'number' | 'text' | 'sign' | 'end';
  readonly index: number;
  readonly source: string;
  /** Value of a number; for a duration, seconds. */
  readonly number: number;
}

/** Hyphens are part of names (`clients.two-keys`), so a minus needs spaces around it. */
const pathPattern = /[A-Za-z_]\w*(?:-\w+)*(?:\.[\w:]+(?:-[\w:]+)*)*/y;
const amountPattern = /\d[\w.]*/y;
const quotedPattern = /'(?:[^']|'')*'/y;
const blanksPattern = /\s*/y;
const plainNumber = /^\d+(?:\.\d+)?$/;

export function tokenize(source: string): readonly Token[] {
  const tokens: Token[] = [];
  let index = matchLength(blanksPattern, source, 0);
  while (index < source.length) {
    const token = readToken(source, index);
    tokens.push(token);
    index += token.source.length;
    index += matchLength(blanksPattern, source, index);
  }
  tokens.push({ kind: 'end', index: source.trimEnd().length, source: '', number: 0 });
  return tokens;
}

function readToken(source: string, index: number): Token {
  const cut = (length: number): string => source.slice(index, index + length);
  const first = source.charAt(index);
  if ('+-(),'.includes(first)) return { kind: 'sign', index, source: first, number: 0 };
  const name = matchLength(pathPattern, source, index);
  if (name > 0) return { kind: 'path', index, source: cut(name), number: 0 };
  const digits = matchLength(amountPattern, source, index);
  if (digits > 0) return { kind: 'number', index, source: cut(digits), number: parseAmount(cut(digits), index) };
  const quotes = matchLength(quotedPattern, source, index);
  if (quotes > 0) return { kind: 'text', index, source: cut(quotes), number: 0 };
  if (first === "'") throw new ExpressionMistake('the quote is not closed', index);
  throw new ExpressionMistake(`"${String.fromCodePoint(source.codePointAt(index) ?? 0)}" means nothing here`, index);
}

function parseAmount(written: string, index: number): number {
  if (plainNumber.test(written)) return Number(written);
  const seconds = parseDuration(written);
  if (seconds !== undefined) return seconds;
  throw new ExpressionMistake(`"${written}" is neither a number nor a duration such as 5m30s`, index);
}

function matchLength(pattern: RegExp, source: string, index: number): number {
  pattern.lastIndex = index;
  return pattern.exec(source)?.[0].length ?? 0;
}

/** Part of a string: plain text, an expression in braces, or unclosed braces. */
interface TemplatePiece {
  readonly kind: 'text' | 'expression' | 'open';
  readonly source: string;
  /** Index of `source` in the string; for unclosed braces, their own index. */
  readonly index: number;
}

/** Splits a string at its `{{ }}`. Braces in a quoted text within an expression are part of that text. */
export function splitTemplate(text: string): readonly TemplatePiece[] {
  const pieces: TemplatePiece[] = [];
  let from = 0;
  for (;;) {
    const open = text.indexOf('{{', from);
    if (open === -1) break;
    if (open > from) pieces.push({ kind: 'text', source: text.slice(from, open), index: from });
    const close = findClosing(text, open + 2);
    if (close === undefined) return [...pieces, { kind: 'open', source: text.slice(open), index: open }];
    pieces.push({ kind: 'expression', source: text.slice(open + 2, close), index: open + 2 });
    from = close + 2;
  }
  if (from < text.length) pieces.push({ kind: 'text', source: text.slice(from), index: from });
  return pieces;
}

const quotedOrEndPattern = /'(?:[^']|'')*'|\}\}/g;

function findClosing(text: string, from: number): number | undefined {
  quotedOrEndPattern.lastIndex = from;
  for (let found = quotedOrEndPattern.exec(text); found !== null; found = quotedOrEndPattern.exec(text)) {
    if (found[0] === '}}') return found.index;
  }
  return undefined;
}

export interface Expression {
  readonly gives: 'text' | 'number' | 'any';
  readonly paths: readonly (readonly string[])[];
  readonly evaluate: (scope: Scope) => Json;
}

interface ExpressionContext {
  readonly names: Names;
  /** A step's bare name means the moment it was sent. */
  readonly moment: boolean;
}

interface Parser extends ExpressionContext {
  readonly tokens: readonly Token[];
  next: number;
  depth: number;
  readonly paths: (readonly string[])[];
}

interface Term {
  readonly gives: Expression['gives'];
  readonly index: number;
  readonly source: string;
  readonly evaluate: (scope: Scope) => Json;
}

const maxCallDepth = 20;

/** Compiles an expression; throws only ExpressionMistake. */
export function compileExpression(source: string, sight: ExpressionContext): Expression {
  const parser: Parser = { ...sight, tokens: tokenize(source), next: 0, depth: 0, paths: [] };
  const { gives, evaluate } = parseSum(parser);
  const rest = peek(parser);
  if (rest.kind !== 'end') throw new ExpressionMistake(`"${rest.source}" is not expected here`, rest.index);
  return { gives, paths: parser.paths, evaluate };
}

function peek(parser: Parser): Token {
  const token = parser.tokens[parser.next];
  if (token === undefined) throw new ExpressionMistake('the expression ends too early', 0);
  return token;
}

function acceptSign(parser: Parser, sign: string): boolean {
  const token = peek(parser);
  if (token.kind !== 'sign' || token.source !== sign) return false;
  parser.next += 1;
  return true;
}

function parseSum(parser: Parser): Term {
  const first = parseTerm(parser);
  const rest: { readonly sign: 1 | -1; readonly term: Term }[] = [];
  for (;;) {
    const sign = acceptSign(parser, '+') ? 1 : acceptSign(parser, '-') ? -1 : undefined;
    if (sign === undefined) break;
    rest.push({ sign, term: parseTerm(parser) });
  }
  if (rest.length === 0) return first;
  for (const { gives, index } of [first, ...rest.map(({ term }) => term)]) {
    if (gives === 'text') throw new ExpressionMistake('+ and - take numbers', index, 'join texts with concat(a, b)');
  }
  return {
    ...first,
    gives: 'number',
    evaluate: (scope) => {
      const numberOf = (term: Term): number => requireNumber(term.evaluate(scope), term.source);
      return addSeconds([numberOf(first), ...rest.map(({ sign, term }) => sign * numberOf(term))]);
    },
  };
}

function parseTerm(parser: Parser): Term {
  const token = peek(parser);
  const { index, source } = token;
  if (token.kind === 'end') throw new ExpressionMistake('a value is missing here', index);
  if (token.kind === 'sign') return parseNegative(parser, token);
  parser.next += 1;
  if (token.kind === 'number') return { gives: 'number', index, source, evaluate: () => token.number };
  if (token.kind === 'text') {
    const value = source.slice(1, -1).replaceAll("''", "'");
    return { gives: 'text', index, source, evaluate: () => value };
  }
  return peek(parser).source === '(' ? parseCall(parser, token) : parsePath(parser, token);
}

function parseNegative(parser: Parser, sign: Token): Term {
  const number = parser.tokens[parser.next + 1];
  if (sign.source !== '-' || number?.kind !== 'number') {
    throw new ExpressionMistake(`a value is missing before "${sign.source}"`, sign.index);
  }
  parser.next += 2;
  return { gives: 'number', index: sign.index, source: `-${number.source}`, evaluate: () => -number.number };
}

function parsePath({ names, moment, paths }: Parser, { index, source }: Token): Term {
  const [root = '', ...rest] = source.split('.');
  requireKnownPath([root, ...rest], names, index);
  if (root === 'now') {
    paths.push([root]);
    return { gives: 'number', index, source, evaluate: (scope) => scope.now() };
  }
  if (moment && rest.length === 0) rest.push('sentAt');
  paths.push([root, ...rest]);
  return {
    gives: 'any',
    index,
    source,
    evaluate: (scope) => {
      const value = copyJson(followPath(scope.root(root), rest));
      if (value === undefined) throw new MissingValue([root, ...rest].join('.'));
      return value;
    },
  };
}

function parseCall(parser: Parser, { index, source }: Token): Term {
  const called = Object.hasOwn(templateFunctions, source) ? templateFunctions[source] : undefined;
  if (called === undefined) {
    throw new UnknownName(
      `there is no function "${source}"`,
      index,
      suggestKnown(source, Object.keys(templateFunctions)),
    );
  }
  parser.depth += 1;
  if (parser.depth > maxCallDepth) throw new ExpressionMistake(`nested more than ${maxCallDepth} levels deep`, index);
  const values = parseArguments(parser);
  parser.depth -= 1;
  if (values.length < called.least || values.length > called.most) {
    throw new ExpressionMistake(`${source} takes ${source}(${called.parameters})`, index);
  }
  return {
    gives: called.gives,
    index,
    source: `${source}()`,
    evaluate: (scope) =>
      called.call(
        values.map(({ evaluate }) => (called.takesMissing === true ? valueOrNull(evaluate, scope) : evaluate(scope))),
        scope,
      ),
  };
}

function valueOrNull(evaluate: Term['evaluate'], scope: Scope): Json {
  try {
    return evaluate(scope);
  } catch (error) {
    if (error instanceof MissingValue) return null;
    throw error;
  }
}

function parseArguments(parser: Parser): readonly Term[] {
  acceptSign(parser, '(');
  const values: Term[] = [];
  if (acceptSign(parser, ')')) return values;
  for (;;) {
    values.push(parseSum(parser));
    if (acceptSign(parser, ')')) return values;
    if (!acceptSign(parser, ',')) throw new ExpressionMistake('a "," or ")" is missing here', peek(parser).index);
  }
}
