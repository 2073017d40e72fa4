import { type Cursor, entries, items, place } from '../yaml/document.ts';
import { isJsonObject, type Json, renderPlain, setOwn, isList } from '../../lib/json.ts';
import { dueMillis } from '../../lib/time.ts';
import type { Problem } from '../../model/problem.ts';
import { MissingValue, type Moment, type Scope, type Template } from '../../model/suite.ts';
import { compileExpression, type Expression, splitTemplate, tokenize } from './expression.ts';
import { ExpressionMistake, type Names, UnknownName } from './names.ts';

export interface TemplateContext {
  readonly names: Names;
  readonly report: (problem: Problem) => void;
  /** Receives every path it reads; these give a case's requirements on the target. */
  readonly reads?: (path: readonly string[]) => void;
}
interface CompiledTemplate {
  /** Undefined if the value has no templates and so is constant. */
  readonly evaluate: ((scope: Scope) => Json) | undefined;
  readonly paths: readonly (readonly string[])[];
}

const constantValue: CompiledTemplate = { evaluate: undefined, paths: [] };

/** Compiles the templates in a YAML value. Reports a mistake; evaluating the broken template throws MissingValue. */
export function compileTemplate(cursor: Cursor, context: TemplateContext): Template {
  const source = cursor.value ?? null;
  const { evaluate, paths } = compileValue(cursor, context);
  return { source, position: place(cursor), paths, evaluate: evaluate ?? (() => source) };
}

/** Compiles a moment: an expression without braces, in which a step's name means the time it was sent. */
export function compileMoment(cursor: Cursor, context: TemplateContext): Moment | undefined {
  if (typeof cursor.value !== 'string' || cursor.value === '') return undefined;
  const source = cursor.value;
  const braces = source.indexOf('{{');
  const expression =
    braces === -1
      ? compileExpressionAt(cursor, { context, source, offset: 0, moment: true })
      : reportExpression(cursor, {
          context,
          offset: 0,
          mistake: new ExpressionMistake('a moment is written without {{ }}', braces),
        });
  if (expression?.gives === 'text') {
    reportExpression(cursor, {
      context,
      offset: 0,
      mistake: new ExpressionMistake('a moment is a number of seconds', 0),
    });
  }
  return {
    source,
    position: place(cursor),
    paths: expression?.paths ?? [],
    evaluate: (scope) => {
      const seconds = expression?.evaluate(scope);
      if (typeof seconds === 'number' && Number.isFinite(seconds)) return dueMillis(seconds);
      throw new MissingValue(`moment "${source}"`);
    },
  };
}

function compileValue(cursor: Cursor, context: TemplateContext): CompiledTemplate {
  const { value } = cursor;
  if (typeof value === 'string') return compileTextTemplate(cursor, value, context);
  if (isList(value)) return compileList(cursor, context);
  return isJsonObject(value) ? compileObject(cursor, context) : constantValue;
}

function compileList(cursor: Cursor, context: TemplateContext): CompiledTemplate {
  const parts = items(cursor).map((item) => ({ value: item.value ?? null, ...compileValue(item, context) }));
  if (parts.every(({ evaluate }) => evaluate === undefined)) return constantValue;
  return {
    paths: parts.flatMap(({ paths }) => paths),
    evaluate: (scope) => parts.map(({ value, evaluate }) => (evaluate === undefined ? value : evaluate(scope))),
  };
}

function compileObject(cursor: Cursor, context: TemplateContext): CompiledTemplate {
  const parts = entries(cursor).map(([name, item]) => ({
    name,
    value: item.value ?? null,
    ...compileValue(item, context),
  }));
  if (parts.every(({ evaluate }) => evaluate === undefined)) return constantValue;
  return {
    paths: parts.flatMap(({ paths }) => paths),
    evaluate: (scope) => {
      const object: Record<string, Json> = {};
      for (const { name, value, evaluate } of parts)
        setOwn(object, name, evaluate === undefined ? value : evaluate(scope));
      return object;
    },
  };
}

function compileTextTemplate(cursor: Cursor, text: string, context: TemplateContext): CompiledTemplate {
  if (!text.includes('{{')) return constantValue;
  const pieces: (string | Expression)[] = [];
  for (const piece of splitTemplate(text)) {
    if (piece.kind === 'text') pieces.push(piece.source);
    else if (piece.kind === 'open') {
      reportExpression(cursor, {
        context,
        offset: piece.index,
        mistake: new ExpressionMistake('"{{" is not closed', 0),
      });
    } else {
      const expression = compileExpressionAt(cursor, {
        context,
        source: piece.source,
        offset: piece.index,
        moment: false,
      });
      pieces.push(expression ?? makeBroken(text));
    }
  }
  const paths = pieces.flatMap((piece) => (typeof piece === 'string' ? [] : piece.paths));
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined && typeof only !== 'string') return { paths, evaluate: only.evaluate };
  return {
    paths,
    evaluate: (scope) =>
      pieces.map((piece) => (typeof piece === 'string' ? piece : renderPlain(piece.evaluate(scope)))).join(''),
  };
}

function makeBroken(text: string): Expression {
  return {
    gives: 'any',
    paths: [],
    evaluate: () => {
      throw new MissingValue(`value of "${text}"`);
    },
  };
}

interface WrittenExpression {
  readonly context: TemplateContext;
  readonly source: string;
  /** Index of the expression in its string. */
  readonly offset: number;
  readonly moment: boolean;
}

function compileExpressionAt(
  cursor: Cursor,
  { context, source, offset, moment }: WrittenExpression,
): Expression | undefined {
  try {
    const expression = compileExpression(source, { names: context.names, moment });
    for (const path of expression.paths) context.reads?.(path);
    return expression;
  } catch (mistake) {
    if (!(mistake instanceof ExpressionMistake)) throw mistake;
    return reportExpression(cursor, { context, offset, mistake });
  }
}

interface ExpressionProblem {
  readonly context: TemplateContext;
  readonly offset: number;
  readonly mistake: ExpressionMistake;
}

function reportExpression({ document, path }: Cursor, { context, offset, mistake }: ExpressionProblem): undefined {
  context.report(
    document.problem({
      code: mistake instanceof UnknownName ? 'unknown-name' : 'bad-template',
      message: mistake.message,
      position: document.positionInside(path, offset + mistake.index),
      hint: mistake.hint,
    }),
  );
}

export function compileTemplateMap(cursor: Cursor, context: TemplateContext): readonly (readonly [string, Template])[] {
  return entries(cursor).map(([name, value]) => [name, compileTemplate(value, context)] as const);
}

/** Replacement expressions by name. */
export type Substitutes = ReadonlyMap<string, string>;

/** Replaces names in an expression by expressions; throws ExpressionMistake. */
export function substituteNames(expression: string, substitutes: Substitutes): string {
  let written = '';
  let from = 0;
  for (const { kind, index, source } of tokenize(expression)) {
    const instead = kind === 'path' ? substitutes.get(source) : undefined;
    if (instead === undefined) continue;
    written += expression.slice(from, index) + instead;
    from = index + source.length;
  }
  return written + expression.slice(from);
}

/** Replaces names in every expression of a text. */
export function substituteInText(text: string, substitutes: Substitutes): string {
  return splitTemplate(text)
    .map(({ kind, source }) => (kind === 'expression' ? `{{${substituteNames(source, substitutes)}}}` : source))
    .join('');
}
