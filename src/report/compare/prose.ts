import { groupBy } from '../../lib/lists.ts';
import type { Column, Comparison, MeasuredCell, MeasuredRow, ComparisonRow } from '../../compare/comparison.ts';
import { forJson, renderJsonLines, type Json, parseJson } from '../../lib/json.ts';
import { renderScore } from '../shared/run-prose.ts';
import type { Verdict } from '../../model/rule.ts';

/** Maximum UTF-16 units of a value in a cell. */
export const valueLimit = 200;

/** Stands for a verdict or value that a result does not have. */
export const absentText = '–';

export const verdictText = (verdict: Verdict | undefined): string => verdict ?? 'not selected';

/** A value as shown: a text stays as it is, unless it could be mistaken for another value or for none. */
export function valueText(value: Json | undefined): string {
  if (value === undefined) return absentText;
  const isPlain =
    typeof value === 'string' && value !== absentText && value.trim() !== '' && parseJson(value) === undefined;
  return isPlain ? value : JSON.stringify(value);
}

export function columnFacts({ header, footer, file }: Column): readonly string[] {
  const { target, clock, startedAt, profile } = header;
  return [
    target.name,
    target.issuer,
    footer === undefined ? 'cut off' : footer.headline.words,
    ...(footer === undefined ? [] : [`required ${renderScore(footer.score.required)} applicable`]),
    `${startedAt}, ${clock.kind === 'real' ? 'real time' : 'virtual clock'}${target.testCarrier === true ? ', a test carrier' : ''}, profile ${profile}`,
    file,
  ];
}

/** Groups columns by text: their letters with the text, in column order. */
export function groupByText(
  texts: readonly string[],
  columns: readonly Column[],
): readonly (readonly [letters: string, text: string])[] {
  const cells = texts.map((text, at) => ({ text, letter: columns[at]?.letter ?? '' }));
  return [...groupBy(cells, ({ text }) => text)].map(([text, same]) => [
    same.map(({ letter }) => letter).join(', '),
    text,
  ]);
}

/** `1 of 15 limits and 0 of 23 entries of the profile`; empty if nothing was measured. */
function measuredCount(measured: Comparison['measured']): string {
  const parts = (
    [
      ['limit', 'limits'],
      ['profile', 'entries of the profile'],
    ] as const
  ).flatMap(([wanted, many]) => {
    const rows = measured.filter(({ kind }) => kind === wanted);
    return rows.length === 0 ? [] : [`${rows.filter(({ differs }) => differs).length} of ${rows.length} ${many}`];
  });
  return parts.join(' and ');
}

export function comparisonSummary({ rows, columns, overTime, measured }: Comparison): string {
  const different = rows.filter(({ differs }) => differs);
  const values = different.reduce((sum, row) => sum + row.values.filter(({ differs }) => differs).length, 0);
  const what = overTime ? 'one carrier over time' : 'several carriers';
  const counted = measuredCount(measured);
  return `${columns.length} results, ${what}: ${different.length} of ${rows.length} rules differ, and ${values} recorded values${counted === '' ? '' : `; of what was measured, ${counted}`}`;
}

export function measuredText(cell: MeasuredCell | undefined): string {
  if (cell === undefined) return absentText;
  if (cell.words !== undefined) return cell.words;
  return cell.value === undefined ? `not seen: ${cell.reason ?? 'no reason is given'}` : valueText(cell.value);
}

export const measuredName = ({ kind, name }: MeasuredRow): string => `${kind} ${name}`;

export const differingRows = <T extends { readonly differs: boolean }>(rows: readonly T[]): readonly T[] =>
  rows.filter(({ differs }) => differs);

function columnJson({ letter, title, file, header, footer }: Column): unknown {
  const { run, interface: certified, tool, suites, target, clock, startedAt, selection, profile } = header;
  const ended = footer === undefined ? {} : { outcome: footer.outcome, score: footer.score };
  return {
    letter,
    title,
    file,
    run,
    interface: certified,
    tool,
    suites,
    target,
    clock,
    startedAt,
    selection,
    profile,
    ...ended,
  };
}

function byLetter<T>(list: readonly (T | undefined)[], columns: readonly Column[]) {
  return Object.fromEntries(
    columns.flatMap(({ letter }, at) => (list[at] === undefined ? [] : [[letter, list[at]] as const])),
  );
}

function rowJson({ verdicts, reasons, values, ...row }: ComparisonRow, columns: readonly Column[]): unknown {
  return {
    ...row,
    verdicts: byLetter(verdicts, columns),
    reasons: byLetter(reasons, columns),
    values: values.map(({ name, differs, values: list }) => ({ name, differs, by: byLetter(list, columns) })),
  };
}

function measuredJson({ cells, ...row }: MeasuredRow, columns: readonly Column[]): unknown {
  return { ...row, by: byLetter(cells, columns) };
}

/** The comparison as one JSON document, one row per line. Cells are keyed by column letter, and left out if a result has none. */
export function* renderComparisonJson(comparison: Comparison): Iterable<string> {
  const { columns, overTime, rows, measured, leftOut, notes } = comparison;
  yield `{\n"format":"carrierspec-comparison",\n"version":2,\n"overTime":${overTime},\n"notes":${forJson(notes)},\n`;
  const lists = {
    columns: columns.map(columnJson),
    rows: rows.map((row) => rowJson(row, columns)),
    measured: measured.map((row) => measuredJson(row, columns)),
    leftOut,
  };
  for (const [name, values] of Object.entries(lists)) {
    yield `"${name}":[`;
    yield* renderJsonLines(values);
    yield name === 'leftOut' ? '\n]\n}\n' : '\n],\n';
  }
}
