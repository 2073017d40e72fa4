import type { Comparison, Row } from '../compare/comparison.ts';
import { clauseText, columnFacts, summaryOf, valueLimit, valueName, valueText, verdictText } from './compare-words.ts';
import { foldIds, listIds } from './fold.ts';
import { countOf } from './layout.ts';
import { plainMarkdown } from './markdown/escape.ts';

/** GitHub takes 1 MiB of a step's summary. */
const sizeLimit = 900 * 1024;
const idLimit = 50;

const cell = (text: string): string => plainMarkdown(text, valueLimit) || '(empty)';

function renderRow(row: Row): string {
  const rule = `**${cell(row.id)}** ${row.level}<br>${cell(clauseText(row))}<br>${cell(row.says)}`;
  const cells = row.verdicts.map((verdict, at) => {
    const values = row.values.map((value) => {
      const text = `${cell(valueName(value))}: ${cell(valueText(value.values[at]))}`;
      return value.differs ? `**${text}**` : text;
    });
    return [verdictText(verdict), ...values].join('<br>');
  });
  return `| ${[rule, ...cells].join(' | ')} |`;
}

function renderTable(rows: readonly Row[], { columns }: Comparison, room: number): string {
  const head = columns.map(({ letter, title }) => `${letter} ${cell(title)}`);
  const lines = [`| Rule | ${head.join(' | ')} |`, `|---|${'---|'.repeat(columns.length)}`];
  let size = 0;
  for (const [at, row] of rows.entries()) {
    const line = renderRow(row);
    size += Buffer.byteLength(line) + 1;
    if (size > room)
      return `${lines.join('\n')}\n\n*${countOf(rows.length - at, 'more rule')} left out here: see the other formats.*`;
    lines.push(line);
  }
  return lines.join('\n');
}

/** The comparison as tables in GitHub's Markdown, at most 900 KiB: what differs, then the rest folded away. */
export function renderComparisonMarkdown(comparison: Comparison): string {
  const { rows, columns, notes, leftOut } = comparison;
  const different = rows.filter(({ differs }) => differs);
  const same = rows.filter(({ differs }) => !differs);
  const first = renderTable(different, comparison, sizeLimit / 2);
  const sections = [
    '# Comparison',
    `${summaryOf(comparison)}.`,
    columns.map((column) => `- **${column.letter}** ${columnFacts(column).map(cell).join(' · ')}`).join('\n'),
    ...(notes.length === 0 ? [] : [notes.map((note) => `- **Note** ${cell(note)}`).join('\n')]),
    `## Different: ${countOf(different.length, 'rule')}`,
    ...(different.length === 0 ? [] : [first]),
    ...(same.length === 0
      ? []
      : [
          `<details><summary>The same in all: ${countOf(same.length, 'rule')}</summary>\n\n${renderTable(same, comparison, sizeLimit - Buffer.byteLength(first) - 10_000)}\n\n</details>`,
        ]),
    ...leftOut.map(({ because, rules }) => `Left out, ${cell(because)}: ${cell(listIds(foldIds(rules), idLimit))}`),
  ];
  return `${sections.join('\n\n')}\n`;
}
