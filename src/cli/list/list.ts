import { rulesOf, type Selected, select } from '../../engine/plan/select.ts';
import type { Level, Rule } from '../../model/rule.ts';
import type { Suites } from '../../model/suite.ts';
import type { Page, Tone } from '../../report/layout.ts';
import { clauseOf } from '../../report/prose.ts';
import { readSuites } from '../../setup/read.ts';
import { exitCodes } from '../exit-codes.ts';
import { joinJudges, suggestNames } from '../shared/choose.ts';
import { renderColumns } from '../shared/columns.ts';
import type { Given } from '../shared/command.ts';
import { familiesOf } from '../shared/families.ts';
import { usageError } from '../shared/inputs.ts';
import { type Invocation, pageOf, wantsWholeRows } from '../shared/invocation.ts';
import { countCoverage, renderCoverage } from './coverage.ts';
import type { listDefinition } from './define.ts';

interface Layout {
  readonly page: Page;
  readonly whole: boolean;
}

/** A required rule stands out; the others recede. */
const levelTone = ({ paint }: Page): Tone => {
  const tones: Readonly<Record<Level, Tone>> = {
    required: paint.bold,
    recommended: paint.yellow,
    informational: paint.dim,
  };
  return (text) => {
    const tone = Object.entries(tones).find(([level]) => text.trimEnd() === level)?.[1];
    return tone === undefined ? text : tone(text);
  };
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

/** The letters that rule ids begin with, and the areas they are in. */
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
