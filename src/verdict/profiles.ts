import { omitUndefined } from '../lib/json.ts';
import { type Profile, profiles } from '../model/profile.ts';
import type { ResultFooter, RuleResult } from '../model/result.ts';
import type { Binding, Rule, Verdict } from '../model/rule.ts';
import type { Suites } from '../suite/suites.ts';
import { scoreRules } from './counts.ts';
import { concludeOutcome } from './rules.ts';
import { quietStandings } from './standing.ts';

/** Choice of the rules that count for the outcome: by the profile, and by their names (P20). */
export interface Counting {
  readonly profile: Profile;
  /** Selectors as typed. A rule that one of them names by its id counts whatever its level. */
  readonly selection: readonly string[];
}

type CountedRule = Pick<Rule, 'id' | 'baseline' | 'critical'>;
type ConcludedRule = Omit<RuleResult, 'standing'>;

const isNamed = ({ id }: Pick<Rule, 'id'>, { selection }: Counting): boolean =>
  selection.some((name) => name.toUpperCase() === id.toUpperCase());

/** Whether a rule counts for the outcome as a whole. */
export const countsWhole = (rule: CountedRule, counting: Counting): boolean =>
  counting.profile !== 'interface' || rule.baseline !== true || rule.critical === true || isNamed(rule, counting);

/** A rule counts as a whole, or by its critical aspects; it is set apart if its verdict is not the one that counts. */
const isApart = ({ verdict, criticalVerdict }: ConcludedRule): boolean =>
  criticalVerdict === undefined || (verdict === 'fail' && criticalVerdict !== 'fail');

/** The rule as it counts for the outcome; undefined if it does not. */
function countedRule(rule: RuleResult): RuleResult | undefined {
  const { apart, ...counted } = rule;
  const { criticalVerdict: verdict, levels } = rule;
  if (apart !== true) return rule;
  return verdict === undefined
    ? undefined
    : {
        ...counted,
        verdict,
        standing: quietStandings[verdict] ?? rule.standing,
        ...omitUndefined({ levels: levels && { ...levels, required: verdict !== 'fail' } }),
      };
}

const raiseLevel = <T extends Binding>(one: T): T =>
  one.level === 'recommended' ? { ...one, level: 'required', stated: one.level } : one;

/** Suites as a run judges them: `strict` makes every recommended rule and aspect required, a name a recommended rule. */
export function judgedSuites(suites: Suites, counting: Counting): Suites {
  const raises = (rule: Rule): boolean =>
    counting.profile === 'strict' || (rule.level === 'recommended' && isNamed(rule, counting));
  if (!suites.rules.some(raises)) return suites;
  const rules = suites.rules.map((rule) =>
    raises(rule) ? { ...raiseLevel(rule), aspects: rule.aspects.map(raiseLevel) } : rule,
  );
  return { ...suites, rules };
}

/** Ids of the rules that count only because they were named. */
export const namedRules = (rules: readonly (CountedRule & Binding)[], counting: Counting): readonly string[] =>
  rules
    .filter((rule) => {
      const isRaised = rule.stated !== undefined && counting.profile !== 'strict';
      return isNamed(rule, counting) && (isRaised || !countsWhole(rule, { ...counting, selection: [] }));
    })
    .map(({ id }) => id);

/** Marks rules whose own verdict does not decide the outcome (P8). */
export const markApart = <T extends ConcludedRule>(rules: readonly T[], counting: Counting): readonly T[] =>
  rules.map((rule) => (countsWhole(rule, counting) || !isApart(rule) ? rule : { ...rule, apart: true }));

/** Outcome and score from the rules that count. */
export function concludeProfile(
  rules: readonly RuleResult[],
  incomplete: string | undefined,
): Pick<ResultFooter, 'outcome' | 'reasons' | 'score'> {
  const counted = rules.flatMap((rule) => countedRule(rule) ?? []);
  const score = { ...scoreRules(counted), all: scoreRules(rules).all };
  return { ...concludeOutcome(counted, incomplete, rules), score };
}

const isRequired = ({ level, aspects }: Rule): boolean =>
  level === 'required' || aspects.some((aspect) => aspect.level === 'required');

/** Counts the required rules of all suites that count for the outcome, if only by a critical aspect. */
export function countRequired(all: readonly Rule[], counting: Counting): number {
  const counts = (rule: Rule): boolean =>
    countsWhole(rule, counting) || rule.aspects.some(({ critical }) => critical === true);
  return all.filter((rule) => isRequired(rule) && counts(rule)).length;
}

/** Profiles in which a carrier with these verdicts is not conformant. */
export function profilesBrokenBy(
  verdicts: Readonly<Record<string, Verdict>>,
  rules: readonly Rule[],
): readonly Profile[] {
  return profiles.filter((profile) => {
    const broken: ReadonlySet<Verdict | undefined> = new Set(profile === 'strict' ? ['fail', 'warn'] : ['fail']);
    return rules.some((rule) => countsWhole(rule, { profile, selection: [] }) && broken.has(verdicts[rule.id]));
  });
}
