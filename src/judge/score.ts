import type { RuleResult, Score } from '../model/result.ts';
import { type Level, levels } from '../model/rule.ts';
import { isConclusive, type Outcome, type Verdict } from '../model/verdict.ts';

const conforms: ReadonlySet<Verdict> = new Set(['pass', 'informational']);

function scoreOf(rules: readonly RuleResult[]): Score {
  return {
    conforming: rules.filter(({ verdict }) => conforms.has(verdict)).length,
    judged: rules.filter(({ verdict }) => isConclusive(verdict)).length,
    applicable: rules.filter(({ verdict }) => verdict !== 'not-applicable').length,
  };
}

export function scoreByLevel(rules: readonly RuleResult[]): Record<Level, Score> {
  const of = (level: Level): Score => scoreOf(rules.filter((rule) => rule.level === level));
  return { required: of('required'), recommended: of('recommended'), informational: of('informational') };
}

export function scores(rules: readonly RuleResult[]): Record<Level | 'all', Score> {
  return { ...scoreByLevel(rules), all: scoreOf(rules) };
}

export function scoresByArea(rules: readonly RuleResult[]): Record<string, Record<Level, Score>> {
  const areas = [...new Set(rules.map(({ area }) => area))];
  return Object.fromEntries(areas.map((area) => [area, scoreByLevel(rules.filter((rule) => rule.area === area))]));
}

export function countVerdicts(rules: readonly RuleResult[]): Partial<Record<Verdict, number>> {
  const counts: Partial<Record<Verdict, number>> = {};
  for (const { verdict } of rules) counts[verdict] = (counts[verdict] ?? 0) + 1;
  return counts;
}

/** A rule that cases or invariants could judge, and did not. */
const isOpen = ({ judged, level, verdict }: RuleResult): boolean =>
  (judged === 'cases' || judged === 'invariant') &&
  (verdict === 'inconclusive' || verdict === 'error' || (verdict === 'not-run' && level !== 'informational'));

/** Incomplete is never green: what was selected and could be judged has been judged, or the run is incomplete. */
export function concludeOutcome(
  rules: readonly RuleResult[],
  interrupted: string | undefined,
): { readonly outcome: Outcome; readonly reasons: readonly string[] } {
  const open = rules.filter(isOpen);
  const reasons = interrupted === undefined ? [] : [interrupted];
  for (const level of levels) {
    const ids = open.filter((rule) => rule.level === level).map(({ id }) => id);
    if (ids.length > 0) reasons.push(`${ids.length} ${level} ${ids.length === 1 ? 'rule' : 'rules'} without a verdict`);
  }
  if (rules.every(({ verdict }) => !isConclusive(verdict))) reasons.push('no rule was judged');
  if (rules.some(({ verdict }) => verdict === 'fail')) return { outcome: 'not conformant', reasons };
  return { outcome: reasons.length > 0 ? 'incomplete' : 'conformant', reasons };
}
