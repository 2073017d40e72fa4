import { type Json, defined } from '../lib/json.ts';
import { type LimitValue, type LimitResult, limitValueOf, type ProfileValue } from '../model/limit.ts';
import type { ResultFooter, ResultHeader, RuleResult } from '../model/result.ts';
import { type Level, type Verdict, isConclusive, renderRuleRef, type RuleRef } from '../model/rule.ts';

export interface Column {
  /** `A`, `B`, ... in the order given. */
  readonly letter: string;
  /** What tells it from the others: the carrier's name, or the day where that is the same. */
  readonly title: string;
  readonly file: string;
  readonly header: ResultHeader;
  readonly footer?: ResultFooter;
}

/** A value that was recorded, by column; undefined where there is none. */
interface ValueRow {
  readonly name: string;
  readonly values: readonly (Json | undefined)[];
  /** Addresses, ids and moments of each run are no difference. */
  readonly differs: boolean;
  /** Of values that are the same but for those: what they have in common. */
  readonly alike?: string;
}

export interface Row {
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

/** A limit as one result has it, or an entry of the profile. */
export type MeasuredCell = LimitValue | { readonly words?: undefined; readonly value?: Json; readonly reason?: string };

/** A limit, or an entry of the profile, by column; undefined where a result does not have it. */
export interface MeasuredRow {
  readonly kind: 'limit' | 'profile';
  readonly name: string;
  readonly description: string;
  /** Rules and aspects it belongs to: `REQ-019`, `REQ-019#48-hours`. */
  readonly rules: readonly string[];
  readonly cells: readonly (MeasuredCell | undefined)[];
  /** Only where both are known; limits within the uncertainty of each other are no difference. */
  readonly differs: boolean;
  /** Of values that are the same but for addresses, ids and moments: what they have in common. */
  readonly alike?: string;
}

/** Rules that are in some of the results and not compared. */
export interface LeftOut {
  readonly reason: string;
  readonly rules: readonly string[];
}

export interface Comparison {
  readonly columns: readonly Column[];
  /** The same carrier each time. */
  readonly overTime: boolean;
  /** Those that differ first; each part in the order of the rules. */
  readonly rows: readonly Row[];
  /** Limits and profile of runs that measured: those that differ first; each part in the order of suites/limits.yaml. */
  readonly measured: readonly MeasuredRow[];
  readonly leftOut: readonly LeftOut[];
  /** What a reader must know before trusting a difference, a sentence each. */
  readonly notes: readonly string[];
}

/** One text for equal values, whatever the order of their members; empty where there is none. */
export function canonicalText(value: Json | undefined): string {
  return (
    JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
        : inner,
    ) ?? ''
  );
}

/** What a rule says: two rules of one id with other words are two rules. */
export const ruleWords = ({ clause, level, description, interpretation }: RuleResult): string =>
  JSON.stringify([clause, level, description, interpretation]);

const uuid = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi;
/** Ids of requests and of clients (§2.4, §2.12). */
const ccid = /\bccid-[A-Za-z0-9]{10,200}\b/g;
/** What our suites append to a text so that each request has its own. */
const random = /(?<=-)(?=[A-Za-z0-9]*[a-z])(?=[A-Za-z0-9]*[A-Z])[A-Za-z0-9]{12}\b/g;
/** Seconds or milliseconds since the epoch. */
const moment = /(?<![\w.])\d{10}(?:\d{3})?(?![\w.])/g;
const month = 30 * 24 * 60 * 60 * 1000;

function isNear(digits: string, start: number): boolean {
  const milliseconds = Number(digits) * (digits.length === 10 ? 1000 : 1);
  return Math.abs(milliseconds - start) < month;
}

/** A value without what is another in every run of the very same carrier: its own address, ids, and moments of the run. */
function shapeText(value: Json | undefined, { target, startedAt }: ResultHeader): string {
  const start = Date.parse(startedAt);
  const origin = URL.canParse(target.issuer) ? new URL(target.issuer).origin : undefined;
  const text = canonicalText(value);
  return (origin === undefined ? text : text.replaceAll(origin, '(issuer)'))
    .replace(uuid, '(id)')
    .replace(ccid, '(ccid)')
    .replace(random, '(random)')
    .replace(moment, (digits) => (isNear(digits, start) ? '(moment)' : digits));
}

type Cells<T> = readonly (T | undefined)[];

const areDifferent = (texts: readonly string[]): boolean => new Set(texts).size > 1;

interface RuleCells {
  readonly cells: Cells<RuleResult>;
  readonly headers: readonly ResultHeader[];
  /** Only values that all of them have. */
  readonly common: boolean;
}

/** How the values of one name compare. Where a rule was not judged nothing could be recorded: its verdict says so already. */
function compareValues(values: ValueRow['values'], { cells, headers }: RuleCells): Pick<ValueRow, 'differs' | 'alike'> {
  const judged = values.flatMap((value, at) => {
    const header = headers[at];
    return header !== undefined && isConclusive(cells[at]?.verdict ?? 'not-run') ? [{ value, header }] : [];
  });
  // A value that is missing says something only of a run that had the same cases.
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

export function rowOf(rule: RuleResult, found: RuleCells): Row {
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
function areApart(one: LimitResult, other: LimitResult): boolean {
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

/** Where only some of the results were of runs that measured, which were not. */
export function measuredNotes(columns: readonly Column[]): readonly string[] {
  const without = columns
    .filter(({ footer }) => footer?.limits === undefined && footer?.profile === undefined)
    .map(({ letter }) => letter);
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
