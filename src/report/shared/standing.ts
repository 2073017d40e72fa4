import { type ExpectedResult, isStale, unexpectedFailures } from '../../model/expected-failure.ts';
import type { Finding } from '../../model/finding.ts';
import type { Result, RuleResult } from '../../model/result.ts';
import { countNoun, listRanges } from '../../lib/lists.ts';

/**
 * Effect of a finding on a run. `broken` turns it red; `expected` would, but an entry of expected.yaml tolerates it. `follows` is shown
 * under its cause; `uncounted` breaks a rule that does not count or was not selected. `warning` breaks no rule.
 */
export type FindingStanding =
  | { readonly kind: 'broken' | 'follows' | 'uncounted' | 'warning' }
  | { readonly kind: 'expected'; readonly entry: ExpectedResult };

export type StandingLookup = (finding: Finding, judge: string) => FindingStanding;

const countsForOutcome = (rule: RuleResult | undefined): boolean => rule !== undefined && rule.apart !== true;

/** Whether a finding is shown under its cause: only if the cause itself is shown, and is as severe. */
function isFolded({ rule, level, followsFrom }: Finding, rules: ReadonlyMap<string, RuleResult>): boolean {
  if (followsFrom === undefined || followsFrom === rule) return false;
  const cause = rules.get(followsFrom);
  if (level !== 'required' || !countsForOutcome(rules.get(rule))) return cause !== undefined;
  return countsForOutcome(cause) && cause?.verdict === 'fail';
}

/** Decides for all formats which findings are red: exactly those that make the exit code other than 0. */
export function createStandingLookup({ rules, footer }: Pick<Result, 'rules' | 'footer'>): StandingLookup {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const holding = (footer?.expected ?? []).filter((entry) => !isStale(entry));
  return (finding, judge) => {
    if (isFolded(finding, byId)) return { kind: 'follows' };
    if (finding.level !== 'required' || finding.unstable === true) return { kind: 'warning' };
    if (!countsForOutcome(byId.get(finding.rule))) return { kind: 'uncounted' };
    const entry = holding.find(
      ({ what, name, explains }) => explains.includes(finding.rule) && (what === 'rule' || name === judge),
    );
    return entry === undefined ? { kind: 'broken' } : { kind: 'expected', entry };
  };
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

/** Ids of the broken rules that entries of expected.yaml account for. */
export function toleratedRules({ rules, footer }: Pick<Result, 'rules' | 'footer'>): ReadonlySet<string> {
  const unexpected = new Set(unexpectedFailures(rules, footer?.expected ?? []));
  const tolerated = rules.filter((rule) => rule.verdict === 'fail' && rule.apart !== true && !unexpected.has(rule));
  return new Set(tolerated.map(({ id }) => id));
}

/** Names the cause of a consequence: `follows from REQ-015: the reason`. */
export const followsWords = (cause: string, reason?: string): string =>
  `follows from ${cause}${reason === undefined ? '' : `: ${reason}`}`;

/** `expected failure: signatures come later (platform team, until 2026-12-31)`. */
export const expectedWords = ({ reason, owner, expires }: ExpectedResult): string =>
  `expected failure: ${reason} (${owner}, until ${expires})`;

/** Consequences of one rule's findings, shown folded under them (P2). */
export interface Consequences {
  /** Rules with findings of the same fact; `findings` is their number. */
  readonly broken: Set<string>;
  findings: number;
  /** Rules and cases without a verdict because of it. */
  readonly unjudged: Set<string>;
  readonly cases: Set<string>;
}

/** Collects consequences by cause; `under` returns those of one rule. */
export function collectConsequences() {
  const all = new Map<string, Consequences>();
  const under = (cause: string): Consequences => {
    const known = all.get(cause) ?? { broken: new Set(), findings: 0, unjudged: new Set(), cases: new Set() };
    all.set(cause, known);
    return known;
  };
  return { all, under };
}

const idLimit = 12;
const foldIds = (ids: ReadonlySet<string>): string => listRanges(ids, idLimit);

/** `3 findings of CB-019 and CB-020; no verdict for 26 rules: …`; undefined where nothing follows. */
export function consequenceWords(following: Consequences | undefined): string | undefined {
  if (following === undefined) return undefined;
  const { broken, findings, unjudged, cases } = following;
  const parts = [
    ...(broken.size === 0 ? [] : [`${countNoun(findings, 'finding')} of ${foldIds(broken)}`]),
    ...(unjudged.size === 0 ? [] : [`no verdict on ${countNoun(unjudged.size, 'rule')}: ${foldIds(unjudged)}`]),
    ...(cases.size === 0 ? [] : [`${countNoun(cases.size, 'case')} without a verdict: ${foldIds(cases)}`]),
  ];
  return parts.length === 0 ? undefined : parts.join('; ');
}
