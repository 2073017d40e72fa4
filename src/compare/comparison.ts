import { type Json, omitUndefined } from '../lib/json.ts';
import { type LimitValue, type LimitResult, toLimitValue, type ProfileValue } from '../model/limit.ts';
import type { ResultFooter, ResultHeader, RuleResult } from '../model/result.ts';
import { type Level, type Verdict, isConclusive, renderRuleRef, type RuleRef } from '../model/rule.ts';

export interface Column {
  /** `A`, `B`, ... in the order given. */
  readonly letter: string;
  /** Distinguishes the columns: the carrier's name, or the date if all results are of one carrier. */
  readonly title: string;
  readonly file: string;
  readonly header: ResultHeader;
  readonly footer?: ResultFooter;
}

/** A recorded value by column; undefined where a result has none. */
interface ValueRow {
  readonly name: string;
  readonly values: readonly (Json | undefined)[];
  /** Ignores addresses, ids and times that change with every run. */
  readonly differs: boolean;
  /** Common form of values that differ only in these. */
  readonly alike?: string;
}

export interface ComparisonRow {
  readonly id: string;
  readonly area: string;
  readonly clause: string;
  readonly level: Level;
  readonly description: string;
  /** Undefined where the run did not select the rule. */
  readonly verdicts: readonly (Verdict | undefined)[];
  readonly reasons: readonly (string | undefined)[];
  readonly values: readonly ValueRow[];
  readonly differs: boolean;
}

/** A limit or a profile entry of one result. */
export type MeasuredCell = LimitValue | { readonly words?: undefined; readonly value?: Json; readonly reason?: string };

/** A limit or a profile entry by column; undefined where a result does not have it. */
export interface MeasuredRow {
  readonly kind: 'limit' | 'profile';
  readonly name: string;
  readonly description: string;
  /** Rules and aspects it belongs to: `REQ-019`, `REQ-019#48-hours`. */
  readonly rules: readonly string[];
  readonly cells: readonly (MeasuredCell | undefined)[];
  /** Whether the known values differ; limits within each other's uncertainty do not. */
  readonly differs: boolean;
  /** Common form of values that differ only in addresses, ids and times. */
  readonly alike?: string;
}

/** Rules that are not compared, and why. */
export interface OmittedRules {
  readonly reason: string;
  readonly rules: readonly string[];
}

export interface Comparison {
  readonly columns: readonly Column[];
  /** All results are of one carrier. */
  readonly overTime: boolean;
  /** Differing rows first; each group in rule order. */
  readonly rows: readonly ComparisonRow[];
  /** Limits and profile of runs that measured. Differing rows first; each group in the order of suites/limits.yaml. */
  readonly measured: readonly MeasuredRow[];
  readonly leftOut: readonly OmittedRules[];
  /** Caveats about the differences, one sentence each. */
  readonly notes: readonly string[];
}

/** JSON with sorted members, the same for equal values; empty for undefined. */
export function canonicalText(value: Json | undefined): string {
  return (
    JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
        : inner,
    ) ?? ''
  );
}

/** Wording of a rule: rules with the same id and different wording are different rules. */
export const ruleWords = ({ clause, level, description, interpretation }: RuleResult): string =>
  JSON.stringify([clause, level, description, interpretation]);

const uuid = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi;
/** Ids of requests and of clients (§2.4, §2.12). */
const ccid = /\bccid-[A-Za-z0-9]{10,200}\b/g;
/** Random suffix that our suites append to make a text unique. */
const randomSuffix = /(?<=-)(?=[A-Za-z0-9]*[a-z])(?=[A-Za-z0-9]*[A-Z])[A-Za-z0-9]{12}\b/g;
/** Seconds or milliseconds since the epoch. */
const epochMoment = /(?<![\w.])\d{10}(?:\d{3})?(?![\w.])/g;
const monthMilliseconds = 30 * 24 * 60 * 60 * 1000;

function isNear(digits: string, start: number): boolean {
  const milliseconds = Number(digits) * (digits.length === 10 ? 1000 : 1);
  return Math.abs(milliseconds - start) < monthMilliseconds;
}

/** The value's text, with placeholders for what changes with every run: the carrier's address, ids, and times near the start. */
function shapeText(value: Json | undefined, { target, startedAt }: ResultHeader): string {
  const start = Date.parse(startedAt);
  const origin = URL.canParse(target.issuer) ? new URL(target.issuer).origin : undefined;
  const text = canonicalText(value);
  return (origin === undefined ? text : text.replaceAll(origin, '(issuer)'))
    .replace(uuid, '(id)')
    .replace(ccid, '(ccid)')
    .replace(randomSuffix, '(random)')
    .replace(epochMoment, (digits) => (isNear(digits, start) ? '(moment)' : digits));
}

type Cells<T> = readonly (T | undefined)[];

const areDifferent = (texts: readonly string[]): boolean => new Set(texts).size > 1;

interface RuleCells {
  readonly cells: Cells<RuleResult>;
  readonly headers: readonly ResultHeader[];
  /** Compare only values that every result has. */
  readonly common: boolean;
}

/** Compares the values of one name. Only conclusive results count: the others could record nothing. */
function compareValues(values: ValueRow['values'], { cells, headers }: RuleCells): Pick<ValueRow, 'differs' | 'alike'> {
  const judged = values.flatMap((value, at) => {
    const header = headers[at];
    return header !== undefined && isConclusive(cells[at]?.verdict ?? 'not-run') ? [{ value, header }] : [];
  });
  // A missing value is a difference only between runs judged by the same cases.
  const judges = cells.flatMap((cell) => (cell === undefined ? [] : [cell.judgedBy.toSorted().join(' ')]));
  const compared = !areDifferent(judges) ? judged : judged.filter(({ value }) => value !== undefined);
  if (!areDifferent(compared.map(({ value }) => canonicalText(value)))) return { differs: false };
  const shapes = compared.map(({ value, header }) => shapeText(value, header));
  const [alike] = shapes;
  return areDifferent(shapes) || alike === undefined ? { differs: true } : { differs: false, alike };
}

function valueRows(rule: RuleCells): readonly ValueRow[] {
  const { cells, common } = rule;
  const of = (cell: RuleResult | undefined): Readonly<Record<string, Json>> => cell?.recorded ?? {};
  const names = [...new Set(cells.flatMap((cell) => Object.keys(of(cell))))];
  const wanted = common ? names.filter((name) => cells.every((cell) => Object.hasOwn(of(cell), name))) : names;
  return wanted.map((name) => {
    const values = cells.map((cell) => (Object.hasOwn(of(cell), name) ? of(cell)[name] : undefined));
    return { name, values, ...compareValues(values, rule) };
  });
}

export function makeComparisonRow(rule: RuleResult, found: RuleCells): ComparisonRow {
  const { cells } = found;
  const { id, area, clause, level, description } = rule;
  const verdicts = cells.map((cell) => cell?.verdict);
  const values = valueRows(found);
  const present = verdicts.filter((verdict) => verdict !== undefined);
  return {
    id,
    area,
    clause,
    level,
    description,
    verdicts,
    reasons: cells.map((cell) => cell?.reason),
    values,
    differs: areDifferent(present) || values.some(({ differs }) => differs),
  };
}

/** Joins entries by key, one cell per column. Keys include the wording, because an entry worded differently is another one. */
function joinByKey<T>(lists: readonly (readonly T[] | undefined)[], keyOf: (one: T) => string): readonly Cells<T>[] {
  const maps = lists.map((list) => new Map((list ?? []).map((one) => [keyOf(one), one])));
  return [...new Set(maps.flatMap((map) => [...map.keys()]))].map((key) => maps.map((map) => map.get(key)));
}

const presentCells = <T>(cells: Cells<T>): readonly T[] => cells.filter((cell) => cell !== undefined);

const cellRules = (cells: Cells<{ readonly rules: readonly RuleRef[] }>): readonly string[] => [
  ...new Set(presentCells(cells).flatMap(({ rules }) => rules.map(renderRuleRef))),
];

/** Whether two limits differ by more than their combined uncertainty; an unmeasured limit never differs. */
function areApart(one: LimitResult, other: LimitResult): boolean {
  if (one.state === 'unmeasured' || other.state === 'unmeasured') return false;
  if (one.state === 'beyond' && other.state === 'beyond') return false;
  if (one.value === undefined || other.value === undefined) return one.state !== other.state;
  const gap = Math.abs(one.value - other.value);
  const blur = (one.uncertainty ?? 0) + (other.uncertainty ?? 0);
  // Adjacent windows of one ladder differ if one of them is open-ended.
  return one.state === other.state ? gap > blur : gap > 0 && gap >= blur;
}

function limitRow(cells: Cells<LimitResult>): readonly MeasuredRow[] {
  const found = presentCells(cells);
  const [first] = found;
  if (first === undefined) return [];
  return [
    {
      kind: 'limit',
      name: first.name,
      description: first.title,
      rules: cellRules(cells),
      cells: cells.map((cell) => (cell === undefined ? undefined : toLimitValue(cell))),
      differs: found.some((one, at) => found.slice(at + 1).some((other) => areApart(one, other))),
    },
  ];
}

/** Ignores addresses, ids and times that change with every run, and values that were not seen. */
function profileRow(cells: Cells<ProfileValue>, columns: readonly Column[]): readonly MeasuredRow[] {
  const [first] = presentCells(cells);
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
      rules: cellRules(cells),
      cells: cells.map((cell) => cell && omitUndefined({ value: cell.value, reason: cell.reason })),
      differs: !same && !isOne(shapes),
      ...(!same && isOne(shapes) && alike !== undefined ? { alike } : {}),
    },
  ];
}

/** Names the results without measurements, if others have them. */
export function measuredNotes(columns: readonly Column[]): readonly string[] {
  const without = columns
    .filter(({ footer }) => footer?.limits === undefined && footer?.profile === undefined)
    .map(({ letter }) => letter);
  return without.length === 0 || without.length === columns.length
    ? []
    : [`Limits and profile were not measured in ${without.join(', ')}: nothing is known of them there.`];
}

/** Rows for limits and profile, differing rows first. */
export function measuredRows(columns: readonly Column[]): readonly MeasuredRow[] {
  const limits = joinByKey(
    columns.map(({ footer }) => footer?.limits),
    ({ name, title, unit }) => JSON.stringify([name, title, unit]),
  );
  const profile = joinByKey(
    columns.map(({ footer }) => footer?.profile),
    ({ name, description, case: id }) => JSON.stringify([name, description, id]),
  );
  const rows = [...limits.flatMap(limitRow), ...profile.flatMap((cells) => profileRow(cells, columns))];
  return [...rows.filter(({ differs }) => differs), ...rows.filter(({ differs }) => !differs)];
}
