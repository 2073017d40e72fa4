import { groupBy } from '../../lib/lists.ts';
import type { Column, Comparison, MeasuredCell, MeasuredRow } from '../../compare/comparison.ts';
import { headlineCell } from '../../model/headline.ts';
import { type Json, parseJson } from '../../lib/json.ts';
import type { Score } from '../../model/score.ts';
import type { Verdict } from '../../model/verdict.ts';

/** UTF-16 units of one value in a cell. */
export const valueLimit = 200;

/** In place of a verdict or a value that a result does not have. */
export const absent = '–';

export const verdictText = (verdict: Verdict | undefined): string => verdict ?? 'not selected';

/** A value as a reader sees it: a text as it is, unless it could be taken for another value, or for none. */
export function valueText(value: Json | undefined): string {
  if (value === undefined) return absent;
  const isPlain =
    typeof value === 'string' && value !== absent && value.trim() !== '' && parseJson(value) === undefined;
  return isPlain ? value : JSON.stringify(value);
}

const scoreText = ({ conforming, judged, applicable }: Score): string => `${conforming}/${judged} of ${applicable}`;

/** What stands at the head of a column, one fact each. */
export function columnFacts({ header, footer, file }: Column): readonly string[] {
  const { target, clock, startedAt, profile } = header;
  return [
    target.name,
    target.issuer,
    footer === undefined ? 'cut off' : headlineCell(header, footer),
    ...(footer === undefined ? [] : [`required ${scoreText(footer.score.required)} applicable`]),
    `${startedAt}, ${clock.kind === 'real' ? 'real time' : 'virtual clock'}${target.testCarrier === true ? ', a test carrier' : ''}, profile ${profile}`,
    file,
  ];
}

/** Letters of the columns that have the same, with what they have, in the order of the columns. */
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

/** `1 of 15 limits and 0 of 23 entries of the profile`; empty where nothing was measured. */
export function measuredCount(measured: Comparison['measured']): string {
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

/** How many rules, values and limits differ, in one sentence. */
export function summaryOf({ rows, columns, overTime, measured }: Comparison): string {
  const different = rows.filter(({ differs }) => differs);
  const values = different.reduce((sum, row) => sum + row.values.filter(({ differs }) => differs).length, 0);
  const what = overTime ? 'one carrier over time' : 'several carriers';
  const counted = measuredCount(measured);
  return `${columns.length} results, ${what}: ${different.length} of ${rows.length} rules differ, and ${values} recorded values${counted === '' ? '' : `; of what was measured, ${counted}`}`;
}

/** What one result has of a limit or of the profile, as a reader sees it. */
export function measuredText(cell: MeasuredCell | undefined): string {
  if (cell === undefined) return absent;
  if (cell.words !== undefined) return cell.words;
  return cell.value === undefined ? `not seen: ${cell.reason ?? 'no reason is given'}` : valueText(cell.value);
}

export const measuredName = ({ kind, name }: MeasuredRow): string => `${kind} ${name}`;

/** Those that differ, and the others. */
export const split = <T extends { readonly differs: boolean }>(rows: readonly T[]) => ({
  different: rows.filter(({ differs }) => differs),
  same: rows.filter(({ differs }) => !differs),
});
