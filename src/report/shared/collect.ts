import type { Finding } from '../../model/finding.ts';
import type { CaseResult, InvariantResult, Result } from '../../model/result.ts';
import { type Level, renderRuleRef } from '../../model/rule.ts';
import { isConclusive, type Verdict } from '../../model/verdict.ts';

/** A finding as a case or an invariant came upon it. */
export interface Seen {
  readonly finding: Finding;
  /** Of the case, or of the invariant. */
  readonly id: string;
  readonly title: string;
  readonly invariant?: InvariantResult;
  /** Kept only for the first ones of a group, so that a run in which everything fails still fits in memory. */
  readonly seenIn?: CaseResult;
}

/** Everything found against one rule, or against one aspect of it. */
export interface Group {
  readonly ref: string;
  readonly rule: string;
  readonly level: Level;
  readonly seen: Seen[];
}

/** A case, an invariant or a rule that says nothing about the carrier, and why. */
export interface Silent {
  readonly kind: 'case' | 'invariant' | 'rule';
  readonly id: string;
  readonly verdict: Verdict;
  readonly reason: string;
}

export interface Collected {
  readonly failures: ReadonlyMap<string, Group>;
  readonly warnings: ReadonlyMap<string, Group>;
  /** Cases and invariants that ended without a word. */
  readonly stopped: readonly Silent[];
  /** Every rule without a verdict, and the cases and invariants that were not run. */
  readonly unjudged: readonly Silent[];
}

/** Findings of one rule that are shown with all their evidence. */
export const shownInFull = 10;

const isUnjudged = (verdict: Verdict): boolean => verdict === 'not-run' || verdict === 'not-applicable';
const isStopped = (verdict: Verdict): boolean => verdict === 'inconclusive' || verdict === 'error';

function addTo(groups: Map<string, Group>, seen: Seen): void {
  const { finding } = seen;
  const ref = renderRuleRef(finding);
  const group = groups.get(ref) ?? { ref, rule: finding.rule, level: finding.level, seen: [] };
  groups.set(ref, group);
  const { seenIn, ...light } = seen;
  group.seen.push(group.seen.length < shownInFull && seenIn !== undefined ? { ...light, seenIn } : light);
}

/** Why a case or an invariant says nothing; a failure that kept no finding is told here rather than lost. */
function silentOf(kind: Silent['kind'], { id, verdict, reason, findings }: CaseResult | InvariantResult): Silent[] {
  const unexplained = verdict === 'fail' && !findings.some(({ level }) => level === 'required');
  if (!unexplained && !isStopped(verdict) && !isUnjudged(verdict)) return [];
  const fallback = unexplained ? 'it failed, but no finding was kept' : 'no reason was given';
  return [{ kind, id, verdict, reason: reason ?? fallback }];
}

/** An invariant shows the first finding of each rule it broke; `violations` says how many there were. */
function firstOfEachRule(findings: readonly Finding[]): readonly Finding[] {
  return [...new Map(findings.toReversed().map((finding) => [renderRuleRef(finding), finding])).values()].toReversed();
}

/** Rules without a verdict. No case need tell of them: a rule is inconclusive, too, where half of its cases did not run. */
const silentRules = (rules: Result['rules']): readonly Silent[] =>
  rules.flatMap(({ id, verdict, reason = 'no reason was given' }) =>
    isConclusive(verdict) || verdict === 'attested' ? [] : [{ kind: 'rule', id, verdict, reason }],
  );

/** Walks the result once and keeps what the terminal report shows. */
export function collect({ cases, invariants, rules }: Result): Collected {
  const failures = new Map<string, Group>();
  const warnings = new Map<string, Group>();
  const silent: Silent[] = [];
  const wanted = new Set(invariants.flatMap(({ findings }) => findings.map(({ seenIn }) => seenIn)));
  const firstSeen = new Map<string, CaseResult>();
  const add = (verdict: Verdict, seen: Seen): void => {
    if (verdict === 'fail' && seen.finding.level === 'required') addTo(failures, seen);
    if ((verdict === 'fail' || verdict === 'warn') && seen.finding.level === 'recommended') addTo(warnings, seen);
  };
  for (const seenIn of cases) {
    if (wanted.has(seenIn.id)) firstSeen.set(seenIn.id, seenIn);
    silent.push(...silentOf('case', seenIn));
    for (const finding of seenIn.findings) {
      add(seenIn.verdict, { finding, id: seenIn.id, title: seenIn.title, seenIn });
    }
  }
  for (const invariant of invariants) {
    silent.push(...silentOf('invariant', invariant));
    for (const finding of firstOfEachRule(invariant.findings)) {
      const seenIn = finding.seenIn === undefined ? undefined : firstSeen.get(finding.seenIn);
      const { id, title, verdict } = invariant;
      add(verdict, { finding, id, title, invariant, ...(seenIn === undefined ? {} : { seenIn }) });
    }
  }
  return {
    failures,
    warnings,
    stopped: silent.filter(({ verdict }) => !isUnjudged(verdict)),
    unjudged: [...silent.filter(({ verdict }) => isUnjudged(verdict)), ...silentRules(rules)],
  };
}
