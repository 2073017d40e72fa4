import { Chalk, type ChalkInstance } from 'chalk';
import type { Fact } from './facts.ts';
import { forTerminal } from './sanitize.ts';

/** How a page of text is set: its width in cells and its colours. */
export interface Page {
  readonly width: number;
  readonly paint: ChalkInstance;
  /** What a command that runs a case again must repeat. */
  readonly flags: readonly string[];
}

export type Tone = (text: string) => string;

const narrowest = 60;
const widest = 120;
/** Width of the column of labels; a longer label has a wider one. */
const labelWidth = 11;

/** A page for a terminal of `width` cells; lines longer than 120 are hard to read, so it grows no wider. */
export function createPage(
  { colour, width }: { readonly colour: boolean; readonly width: number },
  flags: readonly string[] = [],
): Page {
  return { width: Math.min(widest, Math.max(narrowest, width)), paint: new Chalk({ level: colour ? 1 : 0 }), flags };
}

const mark = /^\p{M}$/u;
const wide =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u{FF01}-\u{FF60}]$/u;

const cellsOf = (character: string): number =>
  character <= '~' ? 1 : mark.test(character) ? 0 : wide.test(character) ? 2 : 1;

/** Cells a text takes in a terminal. */
export function countCells(text: string): number {
  let cells = 0;
  for (const character of text) cells += cellsOf(character);
  return cells;
}

/** As much of a text as fits, with an ellipsis where something was left out. */
export function fitText(text: string, width: number): string {
  if (countCells(text) <= width) return text;
  const [first = ''] = breakWord(text, width - 1);
  return `${first}…`;
}

export function padText(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - countCells(text)));
}

/** A word in parts, the first of at most `first` cells, the others of at most `width`. */
function breakWord(word: string, width: number, first = width): string[] {
  const parts: string[] = [];
  let part = '';
  let cells = 0;
  for (const character of word) {
    const next = cellsOf(character);
    if (cells + next > (parts.length === 0 ? first : width)) {
      parts.push(part);
      part = '';
      cells = 0;
    }
    part += character;
    cells += next;
  }
  return [...parts, part];
}

/** Lines of at most `width` cells, broken at blanks, or inside a word that is longer than a line. The text is made safe first. */
export function wrapText(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of forTerminal(text).split(' ')) {
    const start = line === '' ? '' : `${line} `;
    if (countCells(start + word) <= width) {
      line = start + word;
      continue;
    }
    const space = width - countCells(start);
    const begins = countCells(word) > width && space > 1;
    if (line !== '' && !begins) lines.push(line);
    const [first = '', ...rest] = breakWord(word, width, begins ? space : width);
    const parts = [begins ? start + first : first, ...rest];
    line = parts.pop() ?? '';
    lines.push(...parts);
  }
  return [...lines, line];
}

/** A paragraph, indented. */
export function renderParagraph(
  page: Page,
  text: string,
  options: { indent: number; tone?: Tone | undefined },
): readonly string[] {
  const { indent, tone = (line) => line } = options;
  return wrapText(text, page.width - indent).map((line) => ' '.repeat(indent) + tone(line));
}

/** A label and its text, wrapped beside the label. */
export function renderFact(
  page: Page,
  fact: Fact,
  options: { indent: number; tone?: Tone | undefined },
): readonly string[] {
  const { indent, tone = (line) => line } = options;
  const width = Math.max(labelWidth, countCells(fact.label) + 1);
  const column = indent + width;
  const lines = fact.whole === true ? [forTerminal(fact.text)] : wrapText(fact.text, page.width - column);
  const label = ' '.repeat(indent) + page.paint.dim(padText(fact.label, width));
  return lines.map((line, index) => (index === 0 ? label : ' '.repeat(column)) + tone(line));
}

/** The heading of a section: a blank line, its name as painted, and how many. */
export const renderTonedHeading = (page: Page, painted: string, count: string): readonly string[] => [
  '',
  `${painted}  ${page.paint.dim(count)}`,
];

export const renderHeading = (page: Page, name: string, count: string): readonly string[] =>
  renderTonedHeading(page, page.paint.bold(name), count);
