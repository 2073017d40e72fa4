import { splitTemplate, tokenize } from './tokens.ts';

/** Names of an expression, each with the expression that takes its place. */
export type Substitutes = ReadonlyMap<string, string>;

/** An expression with other expressions in the place of some of its names; throws ExpressionMistake. */
export function substituted(expression: string, substitutes: Substitutes): string {
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

/** The same of every expression inside a text with templates. */
export function substitutedIn(text: string, substitutes: Substitutes): string {
  return splitTemplate(text)
    .map(({ kind, source }) => (kind === 'expression' ? `{{${substituted(source, substitutes)}}}` : source))
    .join('');
}
