import { rulesOf } from '../../journal/conclude.ts';
import { select, type Selected } from '../../engine/plan/select.ts';
import { type Level, levels, type Rule } from '../../model/rule.ts';
import type { Suites } from '../../suite/suites.ts';
import type { Page, Tone } from '../../report/shared/layout.ts';
import { clauseOf } from '../../report/shared/prose.ts';
import { readSuites } from '../../setup/read.ts';
import { exitCodes } from '../exit-codes.ts';
import { familiesOf, familyOf, joinJudges, type Judges, suggestNames } from '../shared/choose.ts';
import { type Column, renderColumns } from '../shared/columns.ts';
import type { Given } from '../shared/command.ts';
import { usageError } from '../shared/inputs.ts';
import { type Invocation, pageOf, wantsWholeRows } from '../shared/invocation.ts';
import type { listDefinition } from '../definitions.ts';

/** How a rule comes to a verdict. */
const ways = ['cases', 'invariants', 'both', 'attested', 'untestable', 'unjudged'] as const;
type Way = (typeof ways)[number];

/** One line of the ledger: the rules of a family at a level, and how many are judged in which way. */
interface Coverage {
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
function countCoverage(rules: readonly Rule[], judgesOf: (rule: string) => Judges): readonly Coverage[] {
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
function renderCoverage(page: Page, ledger: readonly Coverage[]): readonly string[] {
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

interface Layout {
  readonly page: Page;
  readonly whole: boolean;
}

/** A required rule stands out; the others recede. */
const levelTone = ({ paint }: Page): Tone => {
  const tones = new Map<string, Tone>([
    ['required', paint.bold],
    ['recommended', paint.yellow],
    ['informational', paint.dim],
  ]);
  return (text) => tones.get(text.trimEnd())?.(text) ?? text;
};

function renderRules(rules: readonly Rule[], { page, whole }: Layout): readonly string[] {
  const columns = [
    { name: 'rule', tone: page.paint.bold },
    { name: 'level', tone: levelTone(page) },
    { name: 'clause' },
    { name: 'judged by' },
    { name: 'description' },
  ];
  const rows = rules.map(({ id, level, clause, judged, description }) => [
    id,
    level,
    clauseOf(clause),
    judged,
    description,
  ]);
  return renderColumns(page, { columns, rows, whole });
}

function renderCases({ cases }: Selected, { page, whole }: Layout): readonly string[] {
  const columns = [{ name: 'case', tone: page.paint.bold }, { name: 'rules' }, { name: 'title' }];
  const rows = cases.map((given) => [given.id, [...rulesOf(given)].join(', '), given.title]);
  return renderColumns(page, { columns, rows, whole });
}

function renderFamilies(rules: readonly Rule[], { page, whole }: Layout): readonly string[] {
  const columns = [
    { name: 'family', tone: page.paint.bold },
    { name: 'rules', align: 'right' as const },
    { name: 'area' },
  ];
  const rows = familiesOf(rules).map(({ name, areas, rules: own }) => [name, String(own.length), areas.join(', ')]);
  return renderColumns(page, { columns, rows, whole });
}

function renderList(suites: Suites, given: Given<typeof listDefinition>, layout: Layout): readonly string[] {
  const selected = select(suites, { what: given.what, level: 'informational' }, suggestNames);
  const rules = suites.rules.filter(({ id }) => selected.rules.has(id));
  if (given.coverage) return renderCoverage(layout.page, countCoverage(rules, joinJudges(suites)));
  if (given.families) return renderFamilies(rules, layout);
  return given.cases ? renderCases(selected, layout) : renderRules(rules, layout);
}

/** `carrierspec list [what…]`: the rules, the cases, the ledger or the families of what is selected, on stdout. */
export async function listCommand(given: Given<typeof listDefinition>, invocation: Invocation): Promise<number> {
  const lists = [given.cases, given.coverage, given.families].filter(Boolean).length;
  if (lists > 1) throw usageError('--cases, --coverage and --families are different lists');
  const suites = await readSuites(given.suites);
  const layout: Layout = { page: pageOf(invocation), whole: wantsWholeRows(invocation) };
  invocation.stdout.write(`${renderList(suites, given, layout).join('\n')}\n`);
  return exitCodes.conformant;
}
