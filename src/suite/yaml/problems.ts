import { countCells } from '../../lib/cells.ts';
import { truncateText } from '../../lib/truncation.ts';
import { renderPosition } from '../../model/rule.ts';
import type { Problem } from '../../model/problem.ts';

/** Collects problems. A repeated one, as from every row of a matrix, counts once. */
export interface Problems {
  readonly report: (problem: Problem) => void;
  readonly sorted: () => readonly Problem[];
}

export function createProblems(): Problems {
  const found = new Map<string, Problem>();
  return {
    report: (problem) => {
      const { file, line, column } = problem.position;
      const key = `${file}\n${line}:${column}\n${problem.message}`;
      if (!found.has(key)) found.set(key, problem);
    },
    sorted: () => [...found.values()].sort(comparePositions),
  };
}

function comparePositions({ position: left }: Problem, { position: right }: Problem): number {
  if (left.file !== right.file) return left.file < right.file ? -1 : 1;
  return left.line - right.line || left.column - right.column;
}

const maxExcerptWidth = 120;

/** Maximum characters of a message, because a quoted name may be as long as the file. */
const maxMessageLength = 2000;

/** Colours for the parts of a problem; without it they are plain. */
interface ProblemPaint {
  readonly place: (text: string) => string;
  readonly mark: (text: string) => string;
  readonly aside: (text: string) => string;
}

const leaveUnchanged = (text: string): string => text;
const plainPaint: ProblemPaint = { place: leaveUnchanged, mark: leaveUnchanged, aside: leaveUnchanged };

/** Renders a problem: place and message, the source line with a caret, and the hint. */
export function renderProblem(
  { message, position, hint, sourceLine }: Problem,
  paint: ProblemPaint = plainPaint,
): string {
  const lines = [
    `${paint.place(`${renderPosition(position)}:`)} ${showControls(truncateText(message, maxMessageLength))}`,
  ];
  if (sourceLine !== undefined && sourceLine.trim() !== '') lines.push(...excerpt(sourceLine, position, paint));
  if (hint !== undefined) lines.push(`   ${showControls(truncateText(hint, maxMessageLength))}`);
  return lines.join('\n');
}

function excerpt(
  sourceLine: string,
  { line, column }: Problem['position'],
  { mark, aside }: ProblemPaint,
): readonly string[] {
  const start = column - 1 > maxExcerptWidth - 20 ? column - 41 : 0;
  const cut = sourceLine.slice(start, start + maxExcerptWidth);
  const before = cut.slice(0, column - 1 - start);
  const number = String(line).padStart(5);
  const marked = /^(?:"(?:[^"\\]|\\.)*"|'[^']*'|[\p{L}\p{N}_.#-]+|.)/u.exec(cut.slice(before.length))?.[0] ?? '';
  const caret = '^'.repeat(Math.max(1, countCells(showControls(marked))));
  return [
    `${aside(`${number} |`)} ${showControls(cut)}`,
    `${aside(`${' '.repeat(number.length)} |`)} ${blankOut(before)}${mark(caret)}`,
  ];
}

/** Shows control characters as dots, because a terminal would obey them. */
const showControls = (text: string): string => text.replace(/[^\P{Cc}\t]|[\u2028\u2029]/gu, '·');

/** Replaces a text by spaces of the same width; tabs stay tabs. */
const blankOut = (text: string): string =>
  text.replace(/[^\t]+/gu, (part) => ' '.repeat(countCells(showControls(part))));
