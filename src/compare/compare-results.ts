import { groupBy } from '../lib/lists.ts';
import type { RuleResult } from '../model/result.ts';
import { columnsOf, type Entry, isOverTime } from './columns.ts';
import type { Column, Comparison, LeftOut, Row } from './comparison.ts';
import { measuredNotes, measuredRows } from './measured.ts';
import { rowOf } from './rows.ts';

export type { Entry } from './columns.ts';

/** Columns that have the same key, as `A, C` and `B`. */
function groupsBy(columns: readonly Column[], keyOf: (column: Column) => string): readonly string[] {
  return [...groupBy(columns, keyOf).values()].map((same) => same.map(({ letter }) => letter).join(', '));
}

/** Why the results are not joined: they were made with different rules or suites. */
function refusalOf(columns: readonly Column[]): string | undefined {
  const parts = (['rules', 'suites'] as const).flatMap((part) => {
    const groups = groupsBy(columns, ({ header }) => header.suites[part]);
    return groups.length > 1 ? [`different ${part} (${groups.join(' / ')})`] : [];
  });
  if (parts.length === 0) return undefined;
  const files = columns.map(({ letter, file }) => `${letter} is ${file}`).join(', ');
  return `the results were made with ${parts.join(' and ')}: ${files}. A verdict of one is not that of another; --shared joins them nevertheless and shows only what they share`;
}

function differenceNote(
  columns: readonly Column[],
  what: string,
  keyOf: (column: Column) => string,
): readonly string[] {
  const groups = groupsBy(columns, keyOf);
  return groups.length > 1 ? [`${what}: ${groups.join(' / ')}.`] : [];
}

function notesOf(columns: readonly Column[], joined: boolean): readonly string[] {
  return [
    ...columns.flatMap(({ letter, footer }) =>
      footer === undefined
        ? [`${letter} was cut off: what is missing in it says nothing.`]
        : footer.outcome === 'incomplete'
          ? [`${letter} is incomplete: what was not judged says nothing.`]
          : [],
    ),
    ...(joined
      ? [
          'The suites are not the same: a rule here has the same words in all results, but other cases may have judged it.',
        ]
      : []),
    ...measuredNotes(columns),
    ...differenceNote(columns, 'Not on the same kind of clock', ({ header }) => header.clock.kind),
    ...differenceNote(columns, 'Not by the same version of carrierspec', ({ header }) => header.tool.version),
    ...differenceNote(columns, 'Not with the same selection', ({ header }) =>
      JSON.stringify([
        header.selection,
        header.level,
        header.flags.filter((flag, at) => flag === '--without' || header.flags[at - 1] === '--without'),
      ]),
    ),
  ];
}

type Index = ReadonlyMap<string, RuleResult>;

const wordsOf = ({ clause, level, description, interpretation }: RuleResult): string =>
  JSON.stringify([clause, level, description, interpretation]);

/** Of results with different rules or suites, a rule is shared where all have it in the same words. */
function splitShared(ids: readonly string[], indexes: readonly Index[]) {
  const everywhere = ids.filter((id) => indexes.every((index) => index.has(id)));
  const isSame = (id: string): boolean =>
    new Set(indexes.flatMap((index) => [index.get(id)].filter((rule) => rule !== undefined).map(wordsOf))).size === 1;
  const leftOut: readonly LeftOut[] = [
    { reason: 'not in every result', rules: ids.filter((id) => !everywhere.includes(id)) },
    { reason: 'not the same rule in every result', rules: everywhere.filter((id) => !isSame(id)) },
  ];
  return { shown: everywhere.filter(isSame), leftOut: leftOut.filter(({ rules }) => rules.length > 0) };
}

/**
 * Sets results side by side, rules by columns, differences first. Results of different rules or suites are refused unless
 * `shared`: then only rules that all have in the same words are compared, and of them only values that all have.
 */
export function compareResults(
  entries: readonly Entry[],
  { shared }: { readonly shared: boolean },
): Comparison | { readonly refused: string } {
  const columns = columnsOf(entries);
  const refused = refusalOf(columns);
  if (refused !== undefined && !shared) return { refused };
  const joined = refused !== undefined;
  const indexes: readonly Index[] = entries.map(({ rules }) => new Map(rules.map((rule) => [rule.id, rule])));
  const ids = [...new Set(entries.flatMap(({ rules }) => rules.map(({ id }) => id)))];
  const { shown, leftOut } = joined ? splitShared(ids, indexes) : { shown: ids, leftOut: [] };
  const headers = entries.map(({ header }) => header);
  const rows = shown.flatMap((id): readonly Row[] => {
    const cells = indexes.map((index) => index.get(id));
    const rule = cells.find((cell) => cell !== undefined);
    return rule === undefined ? [] : [rowOf(rule, { cells, headers, common: joined })];
  });
  return {
    columns,
    overTime: isOverTime(entries),
    rows: [...rows.filter(({ differs }) => differs), ...rows.filter(({ differs }) => !differs)],
    measured: measuredRows(columns),
    leftOut,
    notes: notesOf(columns, joined),
  };
}
