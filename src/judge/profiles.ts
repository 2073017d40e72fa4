import { omitUndefined } from '../lib/json.ts';
import {
  type Conclusion,
  type Conclusions,
  profileFilter,
  type Profile,
  profiles,
  type RuleTotals,
} from '../model/profile.ts';
import type { ResultFooter, RuleResult } from '../model/result.ts';
import type { Binding, Rule, Verdict } from '../model/rule.ts';
import type { Suites } from '../suite/suites.ts';
import { scoreByLevel, scoreRules } from './score.ts';
import { concludeOutcome } from './rule-tally.ts';

function concludeRules(rules: readonly RuleResult[], incomplete: string | undefined): Conclusion | undefined {
  return rules.length === 0
    ? undefined
    : { ...concludeOutcome(rules, incomplete), score: scoreByLevel(rules).required };
}

/** A rule counts as a whole, or by its critical aspects; it is set apart if its verdict is not the one that counts. */
const isApart = ({ verdict, criticalVerdict }: RuleResult): boolean =>
  criticalVerdict === undefined || (verdict === 'fail' && criticalVerdict !== 'fail');

/** The rule as it counts for the outcome; undefined if it does not. */
function countedRule(rule: RuleResult): RuleResult | undefined {
  const { apart, criticalVerdict: verdict, levels } = rule;
  if (apart !== true) return rule;
  return verdict === undefined
    ? undefined
    : { ...rule, verdict, ...omitUndefined({ levels: levels && { ...levels, required: verdict !== 'fail' } }) };
}

const raiseLevel = <T extends Binding>(one: T): T =>
  one.level === 'recommended' ? { ...one, level: 'required', stated: one.level } : one;

/** Suites as a profile judges them: `strict` makes recommended rules and aspects required. */
export function suitesOfProfile(profile: Profile, suites: Suites): Suites {
  if (profile !== 'strict') return suites;
  const rules = suites.rules.map((rule) => ({ ...raiseLevel(rule), aspects: rule.aspects.map(raiseLevel) }));
  return { ...suites, rules };
}

/** Marks rules whose own verdict does not decide the outcome in this profile (P8). Critical aspects are chosen from the selected rules. */
export function markApart(
  rules: readonly RuleResult[],
  profile: Profile,
  selected: ReadonlySet<string> = new Set(rules.map(({ id }) => id)),
): readonly RuleResult[] {
  const counts = profileFilter(
    profile,
    rules.filter(({ id }) => selected.has(id)),
  );
  return rules.map((rule) => (counts(rule) || !isApart(rule) ? rule : { ...rule, apart: true }));
}

type RunConclusion = Pick<ResultFooter, 'outcome' | 'reasons' | 'conclusions' | 'score'>;

/** Outcome from the rules that count for it; separate conclusions for the interface and the baseline. */
export function concludeProfiles(rules: readonly RuleResult[], incomplete: string | undefined): RunConclusion {
  const counted = rules.flatMap((rule) => countedRule(rule) ?? []);
  const conclusions: Conclusions = omitUndefined({
    interface: concludeRules(
      rules.filter(({ baseline }) => baseline !== true),
      incomplete,
    ),
    baseline: concludeRules(
      rules.filter(({ baseline }) => baseline === true),
      incomplete,
    ),
  });
  const score = { ...scoreRules(counted), all: scoreRules(rules).all };
  return { ...concludeOutcome(counted, incomplete), conclusions, score };
}

const isRequired = ({ level, aspects }: Rule): boolean =>
  level === 'required' || aspects.some((aspect) => aspect.level === 'required');

/** Counts the required rules of all suites, also those that count by a critical aspect alone; `judged` are the rules of the run. */
export function countRequired(profile: Profile, all: readonly Rule[], judged: readonly RuleResult[]): RuleTotals {
  const countsWhole = profileFilter(profile, judged);
  const counts = (rule: Rule): boolean => countsWhole(rule) || rule.aspects.some(({ critical }) => critical === true);
  const required = all.filter(isRequired);
  return {
    interface: required.filter(({ baseline }) => baseline !== true).length,
    baseline: required.filter(({ baseline }) => baseline === true).length,
    counted: required.filter(counts).length,
  };
}

/** Profiles in which a carrier with these verdicts is not conformant. */
export function profilesBrokenBy(
  verdicts: Readonly<Record<string, Verdict>>,
  rules: readonly Rule[],
): readonly Profile[] {
  return profiles.filter((profile) => {
    const counts = profileFilter(profile, rules);
    const broken: ReadonlySet<Verdict | undefined> = new Set(profile === 'strict' ? ['fail', 'warn'] : ['fail']);
    return rules.some((rule) => counts(rule) && broken.has(verdicts[rule.id]));
  });
}
