import { omitUndefined } from '../lib/json.ts';
import { profileFilter, type Profile, profiles } from '../model/profile.ts';
import type { ResultFooter, RuleResult } from '../model/result.ts';
import type { Binding, Rule, Verdict } from '../model/rule.ts';
import type { Suites } from '../suite/suites.ts';
import { scoreRules } from './score.ts';
import { concludeOutcome } from './rule-tally.ts';

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

/** Outcome and score from the rules that count in the run's profile. */
export function concludeProfile(
  rules: readonly RuleResult[],
  incomplete: string | undefined,
): Pick<ResultFooter, 'outcome' | 'reasons' | 'score'> {
  const counted = rules.flatMap((rule) => countedRule(rule) ?? []);
  const score = { ...scoreRules(counted), all: scoreRules(rules).all };
  return { ...concludeOutcome(counted, incomplete), score };
}

const isRequired = ({ level, aspects }: Rule): boolean =>
  level === 'required' || aspects.some((aspect) => aspect.level === 'required');

/** Counts the required rules of all suites that count for the outcome, if only by a critical aspect; `judged` are the rules of the run. */
export function countRequired(profile: Profile, all: readonly Rule[], judged: readonly RuleResult[]): number {
  const countsWhole = profileFilter(profile, judged);
  const counts = (rule: Rule): boolean => countsWhole(rule) || rule.aspects.some(({ critical }) => critical === true);
  return all.filter((rule) => isRequired(rule) && counts(rule)).length;
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
