import { forTerminal } from '../shared/sanitize.ts';

/** UTF-16 units of one text. */
const textLimit = 1000;

const longestRun = (text: string): number => Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));

/**
 * A text from outside as a code span: no markup, no HTML, no link, no mention can begin inside one, and it ends only at as
 * many backticks as it began with. On one line, bounded. Not for table cells, where a `|` would end it.
 */
export function codeSpan(text: string, limit: number = textLimit): string {
  const shown = forTerminal(text, limit);
  if (shown.trim() === '') return '(empty)';
  const fence = '`'.repeat(longestRun(shown) + 1);
  const gap = /^[` ]|[` ]$/.test(shown) ? ' ' : '';
  return `${fence}${gap}${shown}${gap}${fence}`;
}

/**
 * What could be markup, HTML, a table, a list or a part of a link. The point of a sentence or a number and the underline
 * inside a word cannot.
 */
const markup =
  /[^\p{L}\p{M}\p{N} ,;?'"()/§._-]|^-|\.(?![ \d]|$)|(?<!\d)\.(?=\d)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;

/** What makes the first line an item of a list. */
const listMark = /^(\d+)([.)])/;

const reference = (character: string): string => `&#${character.codePointAt(0) ?? 0};`;

/** A text of a suite or a target file as prose, in a cell or a heading too: what could be markup is a character reference. */
export function plainMarkdown(text: string, limit: number = textLimit): string {
  return forTerminal(text, limit)
    .trimStart()
    .replace(markup, reference)
    .replace(listMark, (_, number: string, sign: string) => number + reference(sign));
}

/** Lines from outside as a code block; its fence is longer than any run of backticks in it. */
export function codeBlock(lines: readonly string[], limit: number = textLimit): string {
  const shown = lines.map((line) => forTerminal(line, limit));
  const fence = '`'.repeat(Math.max(3, longestRun(shown.join('\n')) + 1));
  return `${fence}text\n${shown.join('\n')}\n${fence}`;
}
