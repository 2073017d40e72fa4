import { copyJson, follow, type Json } from '../../lib/json.ts';
import { MissingValue, type Scope } from '../../model/template.ts';
import { functions, numberFrom } from './functions.ts';
import { type Names, requireKnown, UnknownName } from './names.ts';
import { suggestion } from '../../lib/suggest.ts';
import { ExpressionMistake, type Token, tokenize } from './tokens.ts';

export interface Expression {
  readonly gives: 'text' | 'number' | 'any';
  readonly paths: readonly (readonly string[])[];
  readonly evaluate: (scope: Scope) => Json;
}

interface Sight {
  readonly names: Names;
  /** In a moment a step's bare name is the moment it was sent. */
  readonly moment: boolean;
}

interface Parser extends Sight {
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

const deepest = 20;

/** Compiles the text of an expression; throws ExpressionMistake and nothing else. */
export function compileExpression(source: string, sight: Sight): Expression {
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

function take(parser: Parser, sign: string): boolean {
  const token = peek(parser);
  if (token.kind !== 'sign' || token.source !== sign) return false;
  parser.next += 1;
  return true;
}

function parseSum(parser: Parser): Term {
  const first = parseTerm(parser);
  const rest: { readonly sign: 1 | -1; readonly term: Term }[] = [];
  for (;;) {
    const sign = take(parser, '+') ? 1 : take(parser, '-') ? -1 : undefined;
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
      let sum = numberFrom(first.evaluate(scope), first.source);
      for (const { sign, term } of rest) sum += sign * numberFrom(term.evaluate(scope), term.source);
      return sum;
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
  requireKnown([root, ...rest], names, index);
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
      const value = copyJson(follow(scope.root(root), rest));
      if (value === undefined) throw new MissingValue([root, ...rest].join('.'));
      return value;
    },
  };
}

function parseCall(parser: Parser, { index, source }: Token): Term {
  const called = Object.hasOwn(functions, source) ? functions[source] : undefined;
  if (called === undefined) {
    throw new UnknownName(`there is no function "${source}"`, index, suggestion(source, Object.keys(functions)));
  }
  parser.depth += 1;
  if (parser.depth > deepest) throw new ExpressionMistake(`nested more than ${deepest} levels deep`, index);
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
  take(parser, '(');
  const values: Term[] = [];
  if (take(parser, ')')) return values;
  for (;;) {
    values.push(parseSum(parser));
    if (take(parser, ')')) return values;
    if (!take(parser, ',')) throw new ExpressionMistake('a "," or ")" is missing here', peek(parser).index);
  }
}
