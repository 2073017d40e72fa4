import type { Json } from '../lib/json.ts';
import type { ResultHeader, RuleResult } from '../model/result.ts';
import { isConclusive } from '../model/verdict.ts';
import type { Row, ValueRow } from './comparison.ts';

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

const uuid = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi;
/** Ids of requests and of clients (§2.4, §2.12). */
const ccid = /\bccid-[A-Za-z0-9]{10,200}\b/g;
/** What our suites append to a text so that each request has its own. */
const random = /(?<=-)(?=[A-Za-z0-9]*[a-z])(?=[A-Za-z0-9]*[A-Z])[A-Za-z0-9]{12}\b/g;
/** Seconds or milliseconds since the epoch. */
const moment = /(?<![\w.])\d{10}(?:\d{3})?(?![\w.])/g;
const month = 30 * 24 * 60 * 60 * 1000;

function originOf(issuer: string): string | undefined {
  return URL.canParse(issuer) ? new URL(issuer).origin : undefined;
}

function isNear(digits: string, start: number): boolean {
  const milliseconds = Number(digits) * (digits.length === 10 ? 1000 : 1);
  return Math.abs(milliseconds - start) < month;
}

/** A value without what is another in every run of the very same carrier: its own address, ids, and moments of the run. */
export function shapeText(value: Json | undefined, { target, startedAt }: ResultHeader): string {
  const start = Date.parse(startedAt);
  const origin = originOf(target.issuer);
  const text = canonicalText(value);
  return (origin === undefined ? text : text.replaceAll(origin, '(issuer)'))
    .replace(uuid, '(id)')
    .replace(ccid, '(ccid)')
    .replace(random, '(random)')
    .replace(moment, (digits) => (isNear(digits, start) ? '(moment)' : digits));
}

type Values = Readonly<Record<string, Json>>;

type Cells = readonly (RuleResult | undefined)[];

const areDifferent = (texts: readonly string[]): boolean => new Set(texts).size > 1;

interface RuleCells {
  readonly cells: Cells;
  readonly headers: readonly ResultHeader[];
  /** Only values that all of them have. */
  readonly common: boolean;
}

/** Whether the same cases and invariants judged a rule in all results that have it. */
function areAlikeJudged(cells: Cells): boolean {
  const judges = cells.flatMap((cell) => (cell === undefined ? [] : [cell.judgedBy.toSorted().join(' ')]));
  return !areDifferent(judges);
}

/** How the values of one name compare. Where a rule was not judged nothing could be recorded: its verdict says so already. */
function compareValues(values: ValueRow['values'], { cells, headers }: RuleCells): Pick<ValueRow, 'differs' | 'alike'> {
  const judged = values.flatMap((value, at) => {
    const header = headers[at];
    return header !== undefined && isConclusive(cells[at]?.verdict ?? 'not-run') ? [{ value, header }] : [];
  });
  // A value that is missing says something only of a run that had the same cases.
  const compared = areAlikeJudged(cells) ? judged : judged.filter(({ value }) => value !== undefined);
  if (!areDifferent(compared.map(({ value }) => canonicalText(value)))) return { differs: false };
  const shapes = compared.map(({ value, header }) => shapeText(value, header));
  const [alike] = shapes;
  return areDifferent(shapes) || alike === undefined ? { differs: true } : { differs: false, alike };
}

function valueRows(rule: RuleCells): readonly ValueRow[] {
  const { cells, common } = rule;
  const of = (cell: RuleResult | undefined): Values => cell?.recorded ?? {};
  const names = [...new Set(cells.flatMap((cell) => Object.keys(of(cell))))];
  const wanted = common ? names.filter((name) => cells.every((cell) => Object.hasOwn(of(cell), name))) : names;
  return wanted.map((name) => {
    const values = cells.map((cell) => (Object.hasOwn(of(cell), name) ? of(cell)[name] : undefined));
    return { name, values, ...compareValues(values, rule) };
  });
}

/** One rule as the results have it. */
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
