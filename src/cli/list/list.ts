import { rulesOf, type Selected, select } from '../../engine/plan/select.ts';
import { CarrierspecError } from '../../model/problem.ts';
import type { Judged, Level, Rule } from '../../model/rule.ts';
import type { Page, Tone } from '../../report/layout.ts';
import { clauseOf } from '../../report/prose.ts';
import { renderColumns } from '../shared/columns.ts';
import { countCoverage, renderCoverage } from './coverage.ts';
import { joinJudges } from '../shared/judges.ts';
import { pageOf, wantsWholeRows } from '../shared/page.ts';
import { readSuites } from '../../setup/read.ts';
import { suggestNames } from '../shared/suggest-names.ts';
import type { Invocation } from '../shared/invocation.ts';

export interface ListFlags {
  readonly suites: readonly string[];
  readonly cases: boolean;
  readonly coverage: boolean;
}

interface Layout {
  readonly page: Page;
  readonly whole: boolean;
}

const judgedWords: Readonly<Record<Judged, string>> = {
  cases: 'cases',
  invariant: 'invariant',
  attested: 'attested',
  untestable: 'untestable',
};

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
    judgedWords[judged],
    description,
  ]);
  return renderColumns(page, { columns, rows, whole });
}

function renderCases({ cases }: Selected, { page, whole }: Layout): readonly string[] {
  const columns = [{ name: 'case', tone: page.paint.bold }, { name: 'rules' }, { name: 'title' }];
  const rows = cases.map((given) => [given.id, [...rulesOf(given)].join(', '), given.title]);
  return renderColumns(page, { columns, rows, whole });
}

/** `carrierspec list [what…]`: the rules, the cases or the ledger of what is selected, on stdout. */
export async function listCommand(what: readonly string[], flags: ListFlags, invocation: Invocation): Promise<number> {
  if (flags.cases && flags.coverage) {
    throw new CarrierspecError('--cases and --coverage are two lists', { code: 'bad-flag' });
  }
  const suites = await readSuites(flags.suites);
  const selected = select(suites, { what, level: 'informational' }, suggestNames);
  const rules = suites.rules.filter(({ id }) => selected.rules.has(id));
  const layout: Layout = { page: pageOf(invocation), whole: wantsWholeRows(invocation) };
  const lines = flags.coverage
    ? renderCoverage(layout.page, countCoverage(rules, joinJudges(suites)))
    : flags.cases
      ? renderCases(selected, layout)
      : renderRules(rules, layout);
  invocation.stdout.write(`${lines.join('\n')}\n`);
  return 0;
}
