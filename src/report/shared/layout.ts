import { Chalk, type ChalkInstance } from 'chalk';
import { breakWord, countCells } from '../../lib/cells.ts';
import type { HeadlineTone } from '../../model/result.ts';
import type { Level } from '../../model/rule.ts';
import type { EvidenceLine } from './facts.ts';
import { forTerminal } from './sanitize.ts';

export type Tone = (text: string) => string;

/** Layout of lines; `indent` defaults to two cells. */
interface LineLayout {
  readonly indent?: number;
  readonly tone?: Tone | undefined;
}

/** A page of text: width in cells, colours, and functions that render lines. They sanitize every text. */
export interface Page {
  readonly width: number;
  readonly paint: ChalkInstance;
  readonly flags: readonly string[];
  /** Wrapped lines of a text; none if it is undefined. */
  readonly paragraph: (text: string | undefined, setting?: LineLayout) => readonly string[];
  /** A label and its text, wrapped beside the label, or on one line if `whole`; nothing if there is no text. */
  readonly fact: (
    label: string,
    text: string | undefined,
    setting?: LineLayout & Pick<EvidenceLine, 'whole'>,
  ) => readonly string[];
  /** Heading of a section: a blank line, its name and the count. */
  readonly heading: (name: string, count: string, tone?: Tone) => readonly string[];
}

const minPageWidth = 60;
const maxPageWidth = 120;
/** Minimum cells of the label column; a longer label widens it. */
const labelWidth = 11;

const plainTone: Tone = (line) => line;

/** Page for a terminal of `width` cells; capped at 120, because longer lines are hard to read. */
export function createPage(
  { colour, width: cells }: { readonly colour: boolean; readonly width: number },
  flags: readonly string[] = [],
): Page {
  const width = Math.min(maxPageWidth, Math.max(minPageWidth, cells));
  const paint = new Chalk({ level: colour ? 1 : 0 });
  return {
    width,
    paint,
    flags,
    paragraph: (text, { indent = 2, tone = plainTone } = {}) =>
      text === undefined ? [] : wrapText(text, width - indent).map((line) => ' '.repeat(indent) + tone(line)),
    fact: (label, text, { indent = 2, tone = plainTone, whole } = {}) => {
      if (text === undefined) return [];
      const labelCells = Math.max(labelWidth, countCells(label) + 1);
      const column = indent + labelCells;
      const lines = whole === true ? [forTerminal(text)] : wrapText(text, width - column);
      const first = ' '.repeat(indent) + paint.dim(padText(label, labelCells));
      return lines.map((line, index) => (index === 0 ? first : ' '.repeat(column)) + tone(line));
    },
    heading: (name, count, tone = paint.bold) => ['', `${tone(name)}  ${paint.dim(count)}`],
  };
}

export const levelTone = ({ paint }: Page, level: Level): Tone =>
  ({ required: paint.red, recommended: paint.yellow, informational: paint.dim })[level];

/** Colour of a headline: green only for a complete run that is conformant. */
export const toneStyle = ({ paint }: Page, tone: HeadlineTone): Tone =>
  ({
    good: paint.green.bold,
    part: paint.bold,
    none: paint.bold,
    expected: paint.cyan.bold,
    bad: paint.red.bold,
    open: paint.yellow.bold,
  })[tone];

/** Text cut to `width` cells, with an ellipsis if it was cut. */
export function fitText(text: string, width: number): string {
  if (countCells(text) <= width) return text;
  const [first = ''] = breakWord(text, width - 1);
  return `${first}…`;
}

export const padText = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - countCells(text)));

/** Sanitizes a text and wraps it to `width` cells, at blanks or inside a word longer than a line. */
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
