import type { Comparison, MeasuredRow, Row } from '../../compare/comparison.ts';
import { clauseOf } from '../shared/prose.ts';
import { absent, columnFacts, measuredText, split, summaryOf, valueLimit, valueText, verdictText } from './prose.ts';
import { plainMarkdown } from '../markdown/escape.ts';
import { countOf, listFolded } from '../../lib/lists.ts';

/** GitHub takes 1 MiB of a step's summary. */
const sizeLimit = 900 * 1024;
const idLimit = 50;

const cell = (text: string): string => plainMarkdown(text, valueLimit) || '(empty)';

function renderRow(row: Row): string {
  const rule = `**${cell(row.id)}** ${row.level}<br>${cell(clauseOf(row.clause))}<br>${cell(row.description)}`;
  const cells = row.verdicts.map((verdict, at) => {
    const values = row.values.map((value) => {
      const text = `${cell(value.name)}: ${cell(valueText(value.values[at]))}`;
      return value.differs ? `**${text}**` : text;
    });
    return [verdictText(verdict), ...values].join('<br>');
  });
  return `| ${[rule, ...cells].join(' | ')} |`;
}

function renderMeasuredLine(row: MeasuredRow): string {
  const head = `**${cell(row.name)}** ${row.kind}<br>${cell(row.rules.join(', ') || absent)}<br>${cell(row.description)}`;
  const cells = row.cells.map((one) => {
    const text = cell(measuredText(one));
    return row.differs ? `**${text}**` : text;
  });
  return `| ${[head, ...cells].join(' | ')} |`;
}

interface Table<T> {
  /** What stands over the first column, and what one row is. */
  readonly head: string;
  readonly one: string;
  readonly rows: readonly T[];
  readonly render: (row: T) => string;
}

/** As many rows as fit into `space` bytes, and how many are left out. */
function renderTable<T>({ head: what, one, rows, render }: Table<T>, { columns }: Comparison, space: number): string {
  const head = columns.map(({ letter, title }) => `${letter} ${cell(title)}`);
  const lines = [`| ${what} | ${head.join(' | ')} |`, `|---|${'---|'.repeat(columns.length)}`];
  let size = 0;
  for (const [at, row] of rows.entries()) {
    const line = render(row);
    size += Buffer.byteLength(line) + 1;
    if (size > space)
      return `${lines.join('\n')}\n\n*${countOf(rows.length - at, `more ${one}`)} left out here: see the other formats.*`;
    lines.push(line);
  }
  return lines.join('\n');
}

const rulesOf = (rows: readonly Row[]): Table<Row> => ({ head: 'Rule', one: 'rule', rows, render: renderRow });
const measuredOf = (rows: readonly MeasuredRow[]): Table<MeasuredRow> => ({
  head: 'Measured',
  one: 'row',
  rows,
  render: renderMeasuredLine,
});

function renderMeasured(comparison: Comparison): readonly string[] {
  const { different, same } = split(comparison.measured);
  const alike = renderTable(measuredOf(same), comparison, sizeLimit / 8);
  return [
    ...(different.length === 0
      ? []
      : ['## Measured differently: limits and profile', renderTable(measuredOf(different), comparison, sizeLimit / 8)]),
    ...(same.length === 0
      ? []
      : [
          `<details><summary>Limits and profile that do not differ: ${same.length}</summary>\n\n${alike}\n\n</details>`,
        ]),
  ];
}

/** The comparison as tables in GitHub's Markdown, at most 900 KiB: what differs, then the rest folded away. */
export function renderComparisonMarkdown(comparison: Comparison): string {
  const { columns, notes, leftOut } = comparison;
  const { different, same } = split(comparison.rows);
  const first = renderTable(rulesOf(different), comparison, sizeLimit / 2);
  const measured = renderMeasured(comparison);
  const space = sizeLimit - Buffer.byteLength([first, ...measured].join('')) - 10_000;
  const sections = [
    '# Comparison',
    `${summaryOf(comparison)}.`,
    columns.map((column) => `- **${column.letter}** ${columnFacts(column).map(cell).join(' · ')}`).join('\n'),
    ...(notes.length === 0 ? [] : [notes.map((note) => `- **Note** ${cell(note)}`).join('\n')]),
    `## Different: ${countOf(different.length, 'rule')}`,
    ...(different.length === 0 ? [] : [first]),
    ...measured,
    ...(same.length === 0
      ? []
      : [
          `<details><summary>The same in all: ${countOf(same.length, 'rule')}</summary>\n\n${renderTable(rulesOf(same), comparison, space)}\n\n</details>`,
        ]),
    ...leftOut.map(({ reason, rules }) => `Left out, ${cell(reason)}: ${cell(listFolded(rules, idLimit))}`),
  ];
  return `${sections.join('\n\n')}\n`;
}
