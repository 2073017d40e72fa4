import type { ExpectedResult } from '../model/expected-failure.ts';
import type { Finding } from '../model/finding.ts';
import type { Result, RuleResult } from '../model/result.ts';
import type { RuleStanding } from '../model/rule.ts';
import { isStale } from './expected.ts';

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
