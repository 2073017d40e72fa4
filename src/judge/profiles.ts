import { defined } from '../lib/optional.ts';
import { type Conclusion, type Conclusions, countsIn, type Profile } from '../model/profile.ts';
import type { ResultFooter, RuleResult } from '../model/result.ts';
import { scoreByLevel, scores } from './score.ts';
import { concludeOutcome } from './tally.ts';

function concludeOf(rules: readonly RuleResult[], incomplete: string | undefined): Conclusion | undefined {
  return rules.length === 0
    ? undefined
    : { ...concludeOutcome(rules, incomplete), score: scoreByLevel(rules).required };
}

/** A rule counts as a whole, or in its critical aspects: it is marked where its verdict is not the one that counts. */
const isApart = ({ verdict, criticalVerdict }: RuleResult): boolean =>
  criticalVerdict === undefined || (verdict === 'fail' && criticalVerdict !== 'fail');

/** A rule as it counts for the outcome; undefined where it does not. */
function countedOf(rule: RuleResult): RuleResult | undefined {
  const { apart, criticalVerdict: verdict, levels } = rule;
  if (apart !== true) return rule;
  return verdict === undefined
    ? undefined
    : { ...rule, verdict, ...defined({ levels: levels && { ...levels, required: verdict !== 'fail' } }) };
}

/**
 * The rules of a run, those marked whose verdict does not count for its outcome (P8). What was selected decides which do: what
 * was found beside it changes nothing for the others.
 */
export function markApart(
  rules: readonly RuleResult[],
  profile: Profile,
  selected: ReadonlySet<string> = new Set(rules.map(({ id }) => id)),
): readonly RuleResult[] {
  const counts = countsIn(
    profile,
    rules.filter(({ id }) => selected.has(id)),
  );
  return rules.map((rule) => (counts(rule) || !isApart(rule) ? rule : { ...rule, apart: true }));
}

type Concluded = Pick<ResultFooter, 'outcome' | 'reasons' | 'conclusions' | 'score'>;

/** The outcome, from the rules that count for it; the interface and the baseline, each from its own rules. */
export function concludeProfiles(rules: readonly RuleResult[], incomplete: string | undefined): Concluded {
  const counted = rules.flatMap((rule) => countedOf(rule) ?? []);
  const conclusions: Conclusions = defined({
    interface: concludeOf(
      rules.filter(({ baseline }) => baseline !== true),
      incomplete,
    ),
    baseline: concludeOf(
      rules.filter(({ baseline }) => baseline === true),
      incomplete,
    ),
  });
  const score = { ...scores(counted), all: scores(rules).all };
  return { ...concludeOutcome(counted, incomplete), conclusions, score };
}
