import { groupBy } from '../lib/lists.ts';
import type { Finding } from '../model/finding.ts';
import type { CaseResult, RuleResult } from '../model/result.ts';
import {
  isConclusive,
  renderRuleRef,
  type Level,
  type RuleStanding,
  type Verdict,
  worstVerdict,
} from '../model/rule.ts';

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

/** Verdict of a case with these findings; `reason` says why it did not reach its end. */
export function confirmedVerdict(findings: readonly Finding[], reason: string | undefined): Verdict {
  const found: Verdict[] = findings.map(countedVerdict);
  return worstVerdict(reason === undefined ? found : [...found, 'inconclusive']) ?? 'pass';
}

/** Cases that must show a violation of an invariant, so that it is more than one odd message, even if it comes by chance (P21). */
const casesOfChance = 3;

/** Rules and aspects, as `REQ-015#form`, that so many cases broke. A failure that may pass says nothing by its number (P26). */
export function seenOften(findings: readonly Finding[]): ReadonlySet<string> {
  const byRef = groupBy(
    findings.filter((one) => countedVerdict(one) === 'fail' && one.mayPass !== true),
    renderRuleRef,
  );
  const casesOf = (all: readonly Finding[]): number => new Set(all.map(({ seenIn }) => seenIn)).size;
  return new Set([...byRef].flatMap(([ref, all]) => (casesOf(all) >= casesOfChance ? [ref] : [])));
}

/** A case or invariant, as far as it says what was judged. */
export type Judge = Pick<CaseResult, 'verdict' | 'reason' | 'open'>;

/** Verdict of a case or invariant on a rule that it did not judge to its end; undefined if it did. */
export function unjudgedVerdict({ verdict, reason, open }: Judge, rule: string): Verdict | undefined {
  if (open !== undefined && !open.includes(rule)) return undefined;
  if (!isConclusive(verdict)) return verdict;
  return reason === undefined ? undefined : 'inconclusive';
}

/**
 * Whether a finding is part of what its rule comes to: where the rule was not judged to its end, only a violation at its own level.
 */
export function isDecisive(finding: Finding, judge: Judge, { level }: Pick<RuleResult, 'level'>): boolean {
  const verdict = countedVerdict(finding);
  const unjudged = unjudgedVerdict(judge, finding.rule);
  if (unjudged === 'not-run' || unjudged === 'not-applicable') return false;
  return unjudged === undefined || verdict === 'fail' || (verdict === 'warn' && level === 'recommended');
}

/** A rule with its verdict, before it is known what it comes to. */
export interface FoldedRule extends Omit<RuleResult, 'standing'> {
  /** Rules that its decisive findings follow from; undefined stands for a finding of its own. */
  readonly causes: ReadonlySet<string | undefined>;
  /** A finding against it at its own or another level showed in every try. */
  readonly isStable: boolean;
}

/** Standings of rules without a finding. */
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
 * Rules whose decisive findings all follow from other rules that are broken and shown. Two rules that follow from each other both stand.
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

/** Standing of each rule, by its id. `explained` are the broken rules that entries of expected.yaml account for. */
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

/** Broken rules that count, expected or not, without those that follow from others. */
export const brokenCauses = (rules: readonly RuleResult[]): readonly RuleResult[] =>
  rules.filter(({ standing }) => standing === 'broken' || standing === 'expected');
