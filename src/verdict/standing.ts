import type { ExpectedResult } from '../model/expected-failure.ts';
import type { Finding } from '../model/finding.ts';
import type { Result, RuleResult } from '../model/result.ts';
import { isConclusive, type Level, type RuleStanding, type Verdict } from '../model/rule.ts';
import { isStale } from './expected.ts';

/** fail only from required, warn only from recommended, informational only from informational. */
export const verdictByLevel: Readonly<Record<Level, Verdict>> = {
  required: 'fail',
  recommended: 'warn',
  informational: 'informational',
};

/** Verdict of a finding; one that showed in only one of two tries is a warning at most. */
export function countedVerdict({ level, unstable }: Pick<Finding, 'level' | 'unstable'>): Verdict {
  const verdict = verdictByLevel[level];
  return unstable === true && verdict === 'fail' ? 'warn' : verdict;
}

/**
 * Whether a finding is part of what its rule comes to: of a case or invariant without a verdict, only a violation at the rule's own level.
 */
export function isDecisive(finding: Finding, judge: Verdict, { level }: Pick<RuleResult, 'level'>): boolean {
  const verdict = countedVerdict(finding);
  if (judge === 'not-run' || judge === 'not-applicable') return false;
  return isConclusive(judge) || verdict === 'fail' || (verdict === 'warn' && level === 'recommended');
}

/** A rule with its verdict, before it is known what it comes to. */
export interface FoldedRule extends Omit<RuleResult, 'standing'> {
  /** Rules that its decisive findings follow from; undefined stands for a finding of its own. */
  readonly causes: ReadonlySet<string | undefined>;
  /** A finding against it at its own or another level showed in every try. */
  readonly isStable: boolean;
}

/** What a rule without a finding comes to. */
export const quietStandings: Readonly<Partial<Record<Verdict, RuleStanding>>> = {
  pass: 'kept',
  informational: 'kept',
  attested: 'attested',
  'not-applicable': 'not applicable',
  inconclusive: 'open',
  error: 'open',
};

const counts = ({ apart }: Pick<RuleResult, 'apart'>): boolean => apart !== true;

/**
 * Rules of which every decisive finding follows from another rule that is broken and shown. Two rules that follow from each other both stand.
 */
function followers(broken: readonly FoldedRule[]): ReadonlySet<string> {
  const own = ({ id, causes }: FoldedRule): boolean => causes.size === 0 || causes.has(undefined) || causes.has(id);
  const reached = new Set(broken.filter(own).map(({ id }) => id));
  const following = new Set<string>();
  for (let before = -1; before !== following.size; ) {
    before = following.size;
    for (const { id, causes } of broken) {
      if (reached.has(id) || ![...causes].every((cause) => cause !== undefined && reached.has(cause))) continue;
      following.add(id);
    }
    for (const id of following) reached.add(id);
  }
  return following;
}

/** What each rule comes to, by its id. `explained` are the broken rules that entries of expected.yaml account for. */
export function rateRules(
  rules: readonly FoldedRule[],
  explained: ReadonlySet<string>,
): ReadonlyMap<string, RuleStanding> {
  const failed = rules.filter(({ verdict }) => verdict === 'fail');
  const folded = followers(failed.filter(counts));
  const quieter = followers([...failed, ...rules.filter(({ verdict }) => verdict === 'warn')]);
  const rate = (rule: FoldedRule): RuleStanding => {
    const { id, verdict, judged } = rule;
    const quiet = quietStandings[verdict];
    if (quiet !== undefined) return quiet;
    if (verdict === 'not-run') return judged === 'cases' || judged === 'invariant' ? 'open' : 'unjudgeable';
    if (verdict === 'warn') return quieter.has(id) ? 'follows' : rule.isStable ? 'not followed' : 'unstable';
    if (!counts(rule)) return 'uncounted';
    if (folded.has(id)) return 'follows';
    return explained.has(id) ? 'expected' : 'broken';
  };
  return new Map(rules.map((rule) => [rule.id, rate(rule)]));
}

/**
 * Effect of a finding on a run. `broken` turns it red; `expected` would, but an entry of expected.yaml tolerates it. `follows` is shown
 * under its cause; `uncounted` breaks a rule that does not count or was not selected. `warning` breaks no rule.
 */
export type FindingStanding =
  | { readonly kind: 'broken' | 'follows' | 'uncounted' | 'warning' }
  | { readonly kind: 'expected'; readonly entry: ExpectedResult };

export type StandingLookup = (finding: Finding, judge: string) => FindingStanding;

/** Standings of rules that break the run unless all of them are expected. */
const brokenStandings: ReadonlySet<RuleStanding | undefined> = new Set(['broken', 'expected', 'follows']);

/** Whether a finding is shown under its cause: only if the cause itself is shown, and is as severe. */
function isFolded({ rule, level, followsFrom }: Finding, rules: ReadonlyMap<string, RuleResult>): boolean {
  const own = rules.get(rule);
  // Two rules that follow from each other are both shown.
  if (
    followsFrom === undefined ||
    followsFrom === rule ||
    (own?.standing === 'broken' && own.followsFrom !== undefined)
  )
    return false;
  const cause = rules.get(followsFrom);
  if (level !== 'required' || own === undefined || own.standing === 'uncounted') return cause !== undefined;
  return cause?.verdict === 'fail' && brokenStandings.has(cause.standing);
}

/** Returns the entry of expected.yaml that tolerates a finding, or undefined. */
export function createEntryLookup(
  result: Pick<Result, 'rules' | 'footer'>,
): (finding: Finding, judge: string) => ExpectedResult | undefined {
  const standingOf = createStandingLookup(result);
  return (finding, judge) => {
    const standing = standingOf(finding, judge);
    return standing.kind === 'expected' ? standing.entry : undefined;
  };
}

/** Broken rules that count, expected or not, without those that follow from others. */
export const brokenCauses = (rules: readonly RuleResult[]): readonly RuleResult[] =>
  rules.filter(({ standing }) => standing === 'broken' || standing === 'expected');

/** Ids of the broken rules that entries of expected.yaml account for, with those that follow from them. */
export function toleratedRules({ rules }: Pick<Result, 'rules'>): ReadonlySet<string> {
  const expected = new Set(rules.flatMap(({ id, standing }) => (standing === 'expected' ? [id] : [])));
  const tolerated = rules.filter(({ id, followsFrom = id }) => expected.has(id) || expected.has(followsFrom));
  return new Set(tolerated.map(({ id }) => id));
}

/** Decides for all formats which findings are red: exactly those that make the exit code other than 0. */
export function createStandingLookup({ rules, footer }: Pick<Result, 'rules' | 'footer'>): StandingLookup {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const holding = (footer?.expected ?? []).filter((entry) => !isStale(entry));
  return (finding, judge) => {
    if (isFolded(finding, byId)) return { kind: 'follows' };
    if (finding.level !== 'required' || finding.unstable === true) return { kind: 'warning' };
    const own = byId.get(finding.rule);
    if (own === undefined || own.standing === 'uncounted') return { kind: 'uncounted' };
    const entry = holding.find(
      ({ what, name, explains }) => explains.includes(finding.rule) && (what === 'rule' || name === judge),
    );
    return entry === undefined ? { kind: 'broken' } : { kind: 'expected', entry };
  };
}
