import type { Finding } from '../model/finding.ts';
import type { InvariantResult } from '../model/result.ts';
import { renderRuleRef } from '../model/rule.ts';
import { type Verdict, worst } from '../model/verdict.ts';
import type { NamedChecks, RunCheckState } from './check.ts';
import { verdictOfFinding } from './rule-book.ts';
import type { Invariant } from '../suite/suites.ts';

/** Of each rule and aspect the first violations in the order of the suites are kept in full; the rest are counted. */
export const keptFindings = 10;

/** What is known of one invariant so far. */
export interface Tally {
  readonly invariant: Invariant;
  judged: number;
  violations: number;
  /** By rule and aspect. */
  readonly kept: Map<string, readonly { readonly order: number; readonly finding: Finding }[]>;
  /** Of the run checks that the invariant names. */
  readonly states: readonly RunCheckState[];
}

export function openTally(invariant: Invariant, checks: NamedChecks): Tally {
  const names = invariant.expectations.flatMap((expectation) => expectation.checks ?? []);
  const states = names.flatMap((name) => {
    const check = checks[name];
    return check?.over === 'run' ? [check.begin()] : [];
  });
  return { invariant, judged: 0, violations: 0, kept: new Map(), states };
}

/** Keeps, of each rule and aspect, the first in the order of the suites. */
export function keepFindings(tally: Tally, found: readonly Finding[], order: number): void {
  for (const finding of found) {
    const ref = renderRuleRef(finding);
    const kept = [...(tally.kept.get(ref) ?? []), { order, finding }].toSorted((a, b) => a.order - b.order);
    tally.kept.set(ref, kept.slice(0, keptFindings));
  }
}

/** The invariant as it came out. */
export function concludeTally({ invariant, judged, violations, kept }: Tally): InvariantResult {
  const findings = [...kept.values()].flatMap((entries) => entries.map(({ finding }) => finding));
  const { id, title, suite, area, position, on } = invariant;
  const found: Verdict[] = findings.map(verdictOfFinding);
  const verdict = judged === 0 ? 'not-run' : (worst(found) ?? 'pass');
  return {
    id,
    title,
    suite,
    area,
    position,
    on,
    rules: invariant.expectations.flatMap((expectation) => expectation.rules),
    verdict,
    ...(judged === 0 ? { reason: 'no message of this kind was seen' } : {}),
    judged,
    violations,
    findings,
  };
}
