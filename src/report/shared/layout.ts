import { Chalk, type ChalkInstance } from 'chalk';
import { breakWord, countCells } from '../../lib/cells.ts';
import type { HeadlineTone } from '../../model/headline.ts';
import type { Level } from '../../model/rule.ts';
import type { Fact } from './facts.ts';
import { forTerminal } from './sanitize.ts';

export type Tone = (text: string) => string;

/** How lines are set; without `indent`, by two cells. */
interface Setting {
  readonly indent?: number;
  readonly tone?: Tone | undefined;
}

/** A page of text: its width in cells, its colours, and how its lines are made. Every text is made safe here. */
export interface Page {
  readonly width: number;
  readonly paint: ChalkInstance;
  readonly flags: readonly string[];
  /** A wrapped text; nothing where there is none. */
  readonly paragraph: (text: string | undefined, setting?: Setting) => readonly string[];
  /** A label and its text, wrapped beside the label, or on one line whatever its length; nothing where there is no text. */
  readonly fact: (
    label: string,
    text: string | undefined,
    setting?: Setting & Pick<Fact, 'whole'>,
  ) => readonly string[];
  /** The heading of a section: a blank line, its name, and how many. */
  readonly heading: (name: string, count: string, tone?: Tone) => readonly string[];
}

const narrowest = 60;
const widest = 120;
/** Width of the column of labels; a longer label has a wider one. */
const labelWidth = 11;

const plain: Tone = (line) => line;

/** A page for a terminal of `width` cells; lines longer than 120 are hard to read, so it grows no wider. */
export function createPage(
  { colour, width: cells }: { readonly colour: boolean; readonly width: number },
  flags: readonly string[] = [],
): Page {
  const width = Math.min(widest, Math.max(narrowest, cells));
  const paint = new Chalk({ level: colour ? 1 : 0 });
  return {
    width,
    paint,
    flags,
    paragraph: (text, { indent = 2, tone = plain } = {}) =>
      text === undefined ? [] : wrapText(text, width - indent).map((line) => ' '.repeat(indent) + tone(line)),
    fact: (label, text, { indent = 2, tone = plain, whole } = {}) => {
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

/** The colour of a headline: green only for a whole run that is conformant. */
export const headlineTone = ({ paint }: Page, tone: HeadlineTone): Tone =>
  ({
    good: paint.green.bold,
    part: paint.bold,
    none: paint.bold,
    expected: paint.cyan.bold,
    bad: paint.red.bold,
    open: paint.yellow.bold,
  })[tone];

/** As much of a text as fits, with an ellipsis where something was left out. */
export function fitText(text: string, width: number): string {
  if (countCells(text) <= width) return text;
  const [first = ''] = breakWord(text, width - 1);
  return `${first}…`;
}

export const padText = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - countCells(text)));

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
