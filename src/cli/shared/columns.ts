import { countCells } from '../../lib/cells.ts';
import { type Page, padText, type Tone, wrapText } from '../../report/shared/layout.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';

/** A column; cell texts are untrusted and escaped here. */
interface Column {
  readonly name: string;
  readonly tone?: Tone;
  readonly align?: 'right';
}

const columnGap = '  ';
/** Minimum width of the last column, in cells; below it, the column moves to a line of its own. */
const minLastColumn = 30;
/** Indent of the last column on a line of its own, in cells. */
const hangingIndent = 4;

interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
  /** One line per row, however long, for pipes. */
  readonly whole: boolean;
}

const withoutTone: Tone = (text) => text;

/** Renders columns as wide as their widest text; the last takes the remaining width and wraps. */
export function renderColumns(page: Page, { columns, rows, whole }: Table): readonly string[] {
  const safe = rows.map((row) => row.map((text) => forTerminal(text)));
  const widths = columns.map(({ name }, at) =>
    Math.max(countCells(name), ...safe.map((row) => countCells(row[at] ?? ''))),
  );
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + columnGap.length, 0);
  const beside = page.width - before >= minLastColumn;
  const cell = (text: string, at: number): string => {
    const width = widths[at] ?? 0;
    const padded = columns[at]?.align === 'right' ? ' '.repeat(width - countCells(text)) + text : padText(text, width);
    return (columns[at]?.tone ?? withoutTone)(padded);
  };
  const renderRow = (row: readonly string[], paint: Tone): readonly string[] => {
    const first = row.slice(0, -1).map((text, at) => cell(text, at) + columnGap);
    const last = row.at(-1) ?? '';
    const tone = columns.at(-1)?.tone ?? withoutTone;
    if (whole) return [paint((first.join('') + tone(last)).trimEnd())];
    const margin = beside ? before : hangingIndent;
    const lines = wrapText(last, page.width - margin).map((line) => tone(line));
    const under = lines.map((line) => ' '.repeat(margin) + line);
    if (beside) return [paint((first.join('') + (lines[0] ?? '')).trimEnd()), ...under.slice(1)];
    return [...wrapText(row.slice(0, -1).join(columnGap), page.width).map(paint), ...under];
  };
  const head = columns.map(({ name }) => name);
  return [...renderRow(head, page.paint.dim), ...safe.flatMap((row) => renderRow(row, withoutTone))];
}
