import { omitUndefined } from '../lib/json.ts';
import { flagValues } from '../model/flags.ts';
import type { ResultFooter, ResultHeader, RuleResult } from '../model/result.ts';
import {
  type Column,
  type Comparison,
  type OmittedRules,
  type ComparisonRow,
  measuredNotes,
  measuredRows,
  makeComparisonRow,
  ruleWords,
} from './comparison.ts';
import { groupBy } from '../lib/lists.ts';

export interface ComparedResult {
  readonly file: string;
  readonly header: ResultHeader;
  readonly footer?: ResultFooter;
  readonly rules: readonly RuleResult[];
}

/** `A` to `Z`, then `AA`. */
export function columnLetter(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : columnLetter(Math.floor(index / 26) - 1) + last;
}

/** Whether all results are of one carrier, by name: the address and target file of a test build change. */
const isOverTime = (entries: readonly ComparedResult[]): boolean =>
  new Set(entries.map(({ header }) => header.target.name)).size === 1;

const startDay = ({ header }: ComparedResult): string => header.startedAt.slice(0, 10);
const startMoment = ({ header }: ComparedResult): string =>
  header.startedAt.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');

/** Shortest titles that distinguish the results; the longest if none do. */
function chooseTitles(entries: readonly ComparedResult[]): readonly string[] {
  const name = ({ header }: ComparedResult): string => header.target.name;
  const ways = isOverTime(entries)
    ? [startDay, startMoment]
    : [
        name,
        (one: ComparedResult) => `${name(one)}, ${startDay(one)}`,
        (one: ComparedResult) => `${name(one)}, ${startMoment(one)}`,
      ];
  const titles = ways.map((way) => entries.map(way));
  return titles.find((some) => new Set(some).size === some.length) ?? titles.at(-1) ?? [];
}

function makeColumns(entries: readonly ComparedResult[]): readonly Column[] {
  const titles = chooseTitles(entries);
  return entries.map(({ file, header, footer }, index) =>
    omitUndefined({ letter: columnLetter(index), title: titles[index] ?? file, file, header, footer }),
  );
}

/** Letters of the columns that share a key: `A, C` and `B`. */
const columnGroups = (columns: readonly Column[], keyOf: (column: Column) => string): readonly string[] =>
  [...groupBy(columns, keyOf).values()].map((same) => same.map(({ letter }) => letter).join(', '));

/** Reason to refuse the comparison (different rules or suites), or undefined. */
function refusalReason(columns: readonly Column[]): string | undefined {
  const parts = (['rules', 'suites'] as const).flatMap((part) => {
    const groups = columnGroups(columns, ({ header }) => header.suites[part]);
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
  const groups = columnGroups(columns, keyOf);
  return groups.length > 1 ? [`${what}: ${groups.join(' / ')}.`] : [];
}

function comparisonNotes(columns: readonly Column[], joined: boolean): readonly string[] {
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
    ...differenceNote(columns, 'Not in the same profile', ({ header }) => header.profile),
    ...differenceNote(columns, 'Not with the same selection', ({ header }) =>
      JSON.stringify([header.selection, flagValues(header.flags, '--without')]),
    ),
  ];
}

type RuleIndex = ReadonlyMap<string, RuleResult>;

/** For results with different rules or suites: a rule is shared if every result has it with the same wording. */
function splitShared(ids: readonly string[], indexes: readonly RuleIndex[]) {
  const everywhere = ids.filter((id) => indexes.every((index) => index.has(id)));
  const isSame = (id: string): boolean =>
    new Set(indexes.flatMap((index) => [index.get(id)].filter((rule) => rule !== undefined).map(ruleWords))).size === 1;
  const leftOut: readonly OmittedRules[] = [
    { reason: 'not in every result', rules: ids.filter((id) => !everywhere.includes(id)) },
    { reason: 'not the same rule in every result', rules: everywhere.filter((id) => !isSame(id)) },
  ];
  return { shown: everywhere.filter(isSame), leftOut: leftOut.filter(({ rules }) => rules.length > 0) };
}

/** Compares results, a row per rule and a column per result. `shared` allows different rules or suites and compares what all have. */
export function compareResults(
  entries: readonly ComparedResult[],
  { shared }: { readonly shared: boolean },
): Comparison | { readonly refused: string } {
  const columns = makeColumns(entries);
  const refused = refusalReason(columns);
  if (refused !== undefined && !shared) return { refused };
  const joined = refused !== undefined;
  const indexes: readonly RuleIndex[] = entries.map(({ rules }) => new Map(rules.map((rule) => [rule.id, rule])));
  const ids = [...new Set(entries.flatMap(({ rules }) => rules.map(({ id }) => id)))];
  const { shown, leftOut } = joined ? splitShared(ids, indexes) : { shown: ids, leftOut: [] };
  const headers = entries.map(({ header }) => header);
  const rows = shown.flatMap((id): readonly ComparisonRow[] => {
    const cells = indexes.map((index) => index.get(id));
    const rule = cells.find((cell) => cell !== undefined);
    return rule === undefined ? [] : [makeComparisonRow(rule, { cells, headers, common: joined })];
  });
  return {
    columns,
    overTime: isOverTime(entries),
    rows: [...rows.filter(({ differs }) => differs), ...rows.filter(({ differs }) => !differs)],
    measured: measuredRows(columns),
    leftOut,
    notes: comparisonNotes(columns, joined),
  };
}
