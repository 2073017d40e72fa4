import type { Json } from '../lib/json.ts';
import type { ResultHeader, RuleResult } from '../model/result.ts';
import { isConclusive } from '../model/verdict.ts';
import type { Row, ValueRow } from './comparison.ts';
import { canonicalText, shapeText } from './shape.ts';

type Values = Readonly<Record<string, Json>>;

type Cells = readonly (RuleResult | undefined)[];

const areDifferent = (texts: readonly string[]): boolean => new Set(texts).size > 1;

/** A rule by column, with the header of each column's result. */
export interface RuleCells {
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
