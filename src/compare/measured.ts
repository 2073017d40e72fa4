import { defined } from '../lib/optional.ts';
import { type LimitResult, limitValueOf, type ProfileValue } from '../model/limit.ts';
import type { ResultFooter } from '../model/result.ts';
import { renderRuleRef, type RuleRef } from '../model/rule.ts';
import type { Column, MeasuredRow } from './comparison.ts';
import { canonicalText, shapeText } from './rows.ts';

type Cells<T> = readonly (T | undefined)[];

/** Entries by column. The same name in other words is another thing: then the suites were not the same. */
function byKey<T>(lists: readonly (readonly T[] | undefined)[], keyOf: (one: T) => string): readonly Cells<T>[] {
  const maps = lists.map((list) => new Map((list ?? []).map((one) => [keyOf(one), one])));
  return [...new Set(maps.flatMap((map) => [...map.keys()]))].map((key) => maps.map((map) => map.get(key)));
}

const present = <T>(cells: Cells<T>): readonly T[] => cells.filter((cell) => cell !== undefined);

const rulesOf = (cells: Cells<{ readonly rules: readonly RuleRef[] }>): readonly string[] => [
  ...new Set(present(cells).flatMap(({ rules }) => rules.map(renderRuleRef))),
];

/** What lies within the uncertainty of both is no difference, and neither is what was not measured. */
export function areApart(one: LimitResult, other: LimitResult): boolean {
  if (one.state === 'unmeasured' || other.state === 'unmeasured') return false;
  if (one.state === 'beyond' && other.state === 'beyond') return false;
  if (one.value === undefined || other.value === undefined) return one.state !== other.state;
  const gap = Math.abs(one.value - other.value);
  const blur = (one.uncertainty ?? 0) + (other.uncertainty ?? 0);
  // Two windows of one ladder that only touch are two windows where one of them has no end.
  return one.state === other.state ? gap > blur : gap > 0 && gap >= blur;
}

function limitRow(cells: Cells<LimitResult>): readonly MeasuredRow[] {
  const found = present(cells);
  const [first] = found;
  if (first === undefined) return [];
  return [
    {
      kind: 'limit',
      name: first.name,
      description: first.title,
      rules: rulesOf(cells),
      cells: cells.map((cell) => (cell === undefined ? undefined : limitValueOf(cell))),
      differs: found.some((one, at) => found.slice(at + 1).some((other) => areApart(one, other))),
    },
  ];
}

/** Addresses, ids and moments of each run are no difference, and neither is what was not seen. */
function profileRow(cells: Cells<ProfileValue>, columns: readonly Column[]): readonly MeasuredRow[] {
  const [first] = present(cells);
  if (first === undefined) return [];
  const seen = cells.flatMap((cell, at) => {
    const column = columns[at];
    return cell?.value === undefined || column === undefined ? [] : [{ value: cell.value, header: column.header }];
  });
  const isOne = (texts: readonly string[]): boolean => new Set(texts).size < 2;
  const shapes = seen.map(({ value, header }) => shapeText(value, header));
  const [alike] = shapes;
  const same = isOne(seen.map(({ value }) => canonicalText(value)));
  return [
    {
      kind: 'profile',
      name: first.name,
      description: first.description,
      rules: rulesOf(cells),
      cells: cells.map((cell) => cell && defined({ value: cell.value, reason: cell.reason })),
      differs: !same && !isOne(shapes),
      ...(!same && isOne(shapes) && alike !== undefined ? { alike } : {}),
    },
  ];
}

const hasMeasured = (footer: ResultFooter | undefined): boolean =>
  footer?.limits !== undefined || footer?.profile !== undefined;

/** Where only some of the results were of runs that measured, which were not. */
export function measuredNotes(columns: readonly Column[]): readonly string[] {
  const without = columns.filter(({ footer }) => !hasMeasured(footer)).map(({ letter }) => letter);
  return without.length === 0 || without.length === columns.length
    ? []
    : [`Limits and profile were not measured in ${without.join(', ')}: nothing is known of them there.`];
}

/** Limits and profile of runs that measured, by column, differences first. */
export function measuredRows(columns: readonly Column[]): readonly MeasuredRow[] {
  const limits = byKey(
    columns.map(({ footer }) => footer?.limits),
    ({ name, title, unit }) => JSON.stringify([name, title, unit]),
  );
  const profile = byKey(
    columns.map(({ footer }) => footer?.profile),
    ({ name, description, case: id }) => JSON.stringify([name, description, id]),
  );
  const rows = [...limits.flatMap(limitRow), ...profile.flatMap((cells) => profileRow(cells, columns))];
  return [...rows.filter(({ differs }) => differs), ...rows.filter(({ differs }) => !differs)];
}
