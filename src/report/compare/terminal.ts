import type { Comparison, ComparisonRow } from '../../compare/comparison.ts';
import { renderClause } from '../shared/prose.ts';
import {
  columnFacts,
  groupByText,
  measuredName,
  measuredText,
  differingRows,
  comparisonSummary,
  valueText,
  verdictText,
} from './prose.ts';
import { countCells } from '../../lib/cells.ts';
import { createPage, type Page, padText, wrapText } from '../shared/layout.ts';
import { forTerminal } from '../shared/sanitize.ts';
import { countNoun, listRanges, listIds } from '../../lib/lists.ts';

const idLimit = 12;
/** Maximum UTF-16 units of a name and of a value. */
const nameLimit = 40;
const valueLimit = 300;
/** Stands between the columns of one line. */
const between = '    ';

/** A name, and each text with the letters of the columns that have it: on one line if they fit there. */
function renderNamedGroups(
  page: Page,
  name: string,
  groups: readonly (readonly [string, string])[],
): readonly string[] {
  const shown = forTerminal(name, nameLimit);
  const letters = Math.max(...groups.map(([one]) => countCells(one)));
  const nameWidth = Math.max(20, countCells(shown));
  const before = 4 + nameWidth + 2 + letters + 2;
  const { dim, bold } = page.paint;
  const side = groups.map(([who, text]) => ({ who, text: forTerminal(text, valueLimit) }));
  const joined = side.map(({ who, text }) => `${who}  ${text}`).join(between);
  if (countCells(joined) <= page.width - 4 - nameWidth - 2) {
    const painted = side.map(({ who, text }) => `${bold(who)}  ${text}`).join(between);
    return [`    ${dim(padText(shown, nameWidth))}  ${painted}`];
  }
  return groups.flatMap(([who, text], group) => {
    const lines = wrapText(forTerminal(text, valueLimit), Math.max(20, page.width - before));
    return lines.map((line, at) => {
      const first = group === 0 && at === 0 ? padText(shown, nameWidth) : ' '.repeat(nameWidth);
      return `    ${dim(first)}  ${bold(padText(at === 0 ? who : '', letters))}  ${line}`.trimEnd();
    });
  });
}

function renderDifferent(page: Page, row: ComparisonRow, { columns }: Comparison): readonly string[] {
  const verdicts = row.verdicts.map(verdictText);
  const verdictRow = new Set(verdicts).size > 1 ? [['verdict', verdicts] as const] : [];
  const values = row.values
    .filter(({ differs }) => differs)
    .map((value) => [value.name, value.values.map(valueText)] as const);
  const head = `${page.paint.bold(forTerminal(row.id, nameLimit))}  ${page.paint.dim(`${row.level}  ${forTerminal(renderClause(row.clause), nameLimit)}`)}`;
  return [
    '',
    head,
    ...page.paragraph(row.description),
    ...[...verdictRow, ...values].flatMap(([name, texts]) =>
      renderNamedGroups(page, name, groupByText(texts, columns)),
    ),
  ];
}

function renderColumns(page: Page, { columns }: Comparison): readonly string[] {
  const width = Math.max(...columns.map(({ letter }) => letter.length)) + 2;
  return columns.flatMap((column) => {
    const lines = wrapText(columnFacts(column).join(' · '), page.width - width);
    return lines.map(
      (line, at) => (at === 0 ? page.paint.bold(padText(column.letter, width)) : ' '.repeat(width)) + line,
    );
  });
}

const renderLeftOut = (page: Page, { leftOut }: Comparison): readonly string[] =>
  leftOut.flatMap(({ reason, rules }) => [
    ...page.heading(`Left out: ${reason}`, countNoun(rules.length, 'rule')),
    ...page.paragraph(listRanges(rules, idLimit)),
  ]);

function renderMeasured(page: Page, comparison: Comparison): readonly string[] {
  const different = differingRows(comparison.measured);
  if (different.length === 0) return [];
  return [
    ...page.heading('Measured differently', countNoun(different.length, 'limit or entry', 'limits and entries')),
    ...different.flatMap((row) => [
      '',
      `${page.paint.bold(forTerminal(measuredName(row), nameLimit))}  ${page.paint.dim(forTerminal(listIds(row.rules, idLimit), nameLimit))}`,
      ...page.paragraph(row.description),
      ...renderNamedGroups(page, 'measured', groupByText(row.cells.map(measuredText), comparison.columns)),
    ]),
  ];
}

/** The comparison for a terminal: each difference by column. */
export function renderComparison(page: Page, comparison: Comparison): string {
  const different = differingRows(comparison.rows);
  const lines = [
    ...page.paragraph(comparisonSummary(comparison), { indent: 0, tone: page.paint.bold }),
    '',
    ...renderColumns(page, comparison),
    ...comparison.notes.flatMap((note) => page.paragraph(note, { indent: 0, tone: page.paint.yellow })),
    ...page.heading('Different', countNoun(different.length, 'rule')),
    ...different.flatMap((row) => renderDifferent(page, row, comparison)),
    ...renderMeasured(page, comparison),
    ...renderLeftOut(page, comparison),
  ];
  return `${lines.join('\n')}\n`;
}

/** The same for a file, without colours. */
export const renderComparisonText = (comparison: Comparison, width: number): string =>
  renderComparison(createPage({ colour: false, width }), comparison);
