import { type Level, levels, type Rule } from '../../model/rule.ts';
import type { Page } from '../../report/shared/layout.ts';
import { familyOf, type Judges } from '../shared/choose.ts';
import { type Column, renderColumns } from '../shared/columns.ts';

/** How a rule comes to a verdict. */
const ways = ['cases', 'invariants', 'both', 'attested', 'untestable', 'unjudged'] as const;
type Way = (typeof ways)[number];

/** One line of the ledger: the rules of a family at a level, and how many are judged in which way. */
export interface Coverage {
  readonly family: string;
  readonly level: Level | 'all';
  readonly rules: number;
  /** By the order of `ways`. */
  readonly judged: readonly number[];
}

function wayOf({ judged }: Rule, { cases, invariants }: Judges): Way {
  if (judged === 'attested' || judged === 'untestable') return judged;
  if (cases.length > 0) return invariants.length > 0 ? 'both' : 'cases';
  return invariants.length > 0 ? 'invariants' : 'unjudged';
}

function countRules(
  rules: readonly Rule[],
  line: Pick<Coverage, 'family' | 'level'>,
  judgesOf: (rule: string) => Judges,
): Coverage {
  const found = rules.map((rule) => wayOf(rule, judgesOf(rule.id)));
  const judged = ways.map((way) => found.filter((one) => one === way).length);
  return { ...line, rules: rules.length, judged };
}

/** The ledger: a line for each family and level that has rules, then one for each level, then one for all. */
export function countCoverage(rules: readonly Rule[], judgesOf: (rule: string) => Judges): readonly Coverage[] {
  const families = [...new Set(rules.map(familyOf))];
  const lines = [...families, 'all'].flatMap((family) =>
    levels.map((level) => {
      const these = rules.filter((rule) => rule.level === level && (family === 'all' || familyOf(rule) === family));
      return countRules(these, { family, level }, judgesOf);
    }),
  );
  return [
    ...lines.filter(({ rules: count }) => count > 0),
    countRules(rules, { family: 'all', level: 'all' }, judgesOf),
  ];
}

const number = (name: string): Column => ({ name, align: 'right' });

/** The ledger in columns; a family is named once. */
/** Members by the names of the columns. */
export const coverageRow = ({ judged, ...line }: Coverage): Readonly<Record<string, string | number>> => ({
  ...line,
  ...Object.fromEntries(ways.map((way, at) => [way, judged[at] ?? 0])),
});

export function renderCoverage(page: Page, ledger: readonly Coverage[]): readonly string[] {
  const rows = ledger.map(({ family, level, rules, judged }, at) => [
    ledger[at - 1]?.family === family ? '' : family,
    level,
    String(rules),
    ...judged.map(String),
    '',
  ]);
  const columns: readonly Column[] = [
    { name: 'family', tone: page.paint.bold },
    { name: 'level' },
    number('rules'),
    ...ways.map(number),
    { name: '' },
  ];
  return renderColumns(page, { columns, rows, whole: true });
}
