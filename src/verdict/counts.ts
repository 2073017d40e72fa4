import type { ResultFooter, RuleResult } from '../model/result.ts';
import { type Level, levels, type RuleStanding, type Score, isConclusive, type Verdict } from '../model/rule.ts';

type ScoredRule = Pick<RuleResult, 'level' | 'levels' | 'verdict'>;

/** Verdicts of a rule that leave this level unbroken. */
const conformingVerdicts: Readonly<Record<Level, ReadonlySet<Verdict>>> = {
  // A warning comes from another level, or from one of two tries.
  required: new Set(['pass', 'informational', 'warn']),
  recommended: new Set(['pass', 'informational']),
  informational: new Set(['pass', 'informational']),
};

/** A rule counts at its own level, and at the level of each aspect. */
const countsAt = ({ level: own, levels: others = {} }: ScoredRule, level: Level): boolean =>
  level === own || others[level] !== undefined;

/** A broken rule stays broken, whatever else is known about it. */
function conformsAt(rule: ScoredRule, level: Level): boolean {
  if (level === 'required' && rule.verdict === 'fail') return false;
  return rule.levels?.[level] ?? conformingVerdicts[level].has(rule.verdict);
}

function scoreAt(rules: readonly ScoredRule[], level: Level): Score {
  const own = rules.filter((rule) => countsAt(rule, level));
  const judged = own.filter(({ verdict }) => isConclusive(verdict));
  return {
    conforming: judged.filter((rule) => conformsAt(rule, level)).length,
    judged: judged.length,
    applicable: own.filter(({ verdict }) => verdict !== 'not-applicable').length,
  };
}

export function scoreByLevel(rules: readonly ScoredRule[]): Record<Level, Score> {
  const of = (level: Level): Score => scoreAt(rules, level);
  return { required: of('required'), recommended: of('recommended'), informational: of('informational') };
}

/** Scores by level, and of all rules: a rule conforms if nothing was found against it at any level. */
export function scoreRules(rules: readonly ScoredRule[]): Record<Level | 'all', Score> {
  const judged = rules.filter(({ verdict }) => isConclusive(verdict));
  const all = {
    conforming: judged.filter((rule) => levels.every((level) => !countsAt(rule, level) || conformsAt(rule, level)))
      .length,
    judged: judged.length,
    applicable: rules.filter(({ verdict }) => verdict !== 'not-applicable').length,
  };
  return { ...scoreByLevel(rules), all };
}

export function scoresByArea(
  rules: readonly (ScoredRule & Pick<RuleResult, 'area'>)[],
): Record<string, Record<Level, Score>> {
  const areas = [...new Set(rules.map(({ area }) => area))];
  return Object.fromEntries(areas.map((area) => [area, scoreByLevel(rules.filter((rule) => rule.area === area))]));
}

/** Number of rules of each standing that occurs. */
export function countStandings(rules: readonly Pick<RuleResult, 'standing'>[]): Partial<Record<RuleStanding, number>> {
  const counts: Partial<Record<RuleStanding, number>> = {};
  for (const { standing } of rules) counts[standing] = (counts[standing] ?? 0) + 1;
  return counts;
}

/** Throws if outcome and score disagree, which is our own fault: such a verdict must not be believed. */
export function requireConsistent(
  { outcome, score: { required } }: Pick<ResultFooter, 'outcome' | 'score'>,
  rules: readonly Pick<RuleResult, 'id' | 'verdict' | 'apart'>[],
): void {
  const broken = rules.filter(({ verdict, apart }) => verdict === 'fail' && apart !== true);
  const missed = required.judged - required.conforming;
  if (broken.length === missed && (outcome !== 'conformant' || missed === 0)) return;
  const ids = broken.map(({ id }) => id).join(', ') || 'no rule';
  throw new TypeError(`the outcome is ${outcome} and ${ids} is broken, but the score lacks ${missed} required rules`);
}
