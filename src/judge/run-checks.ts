import type { Finding } from '../model/finding.ts';
import { renderRuleRef } from '../model/rule.ts';
import type { Invariant } from '../suite/suites.ts';
import type { RunMessage, RunMismatch } from './check.ts';
import { keepFindings, type InvariantTally } from './invariant-tally.ts';
import { asFindings, type RuleBook } from './rule-book.ts';
import { countedVerdict } from '../verdict/standing.ts';

export type OnViolation = (invariant: Invariant, finding: Finding) => void;

export interface RunJudging {
  readonly rules: RuleBook;
  /** Keyed by the kind of message that the invariant judges. */
  readonly tallies: ReadonlyMap<string, readonly InvariantTally[]>;
  readonly reported: (tally: InvariantTally, found: readonly Finding[]) => void;
}

function runFindings({ invariant }: InvariantTally, found: RunMismatch, rules: RuleBook): readonly Finding[] {
  const { message, seenIn, ...mismatch } = found;
  const refs = invariant.expectations.flatMap((expectation) => expectation.rules);
  return asFindings({ code: 'check', ...mismatch }, refs, { message, seenIn, position: invariant.position, rules });
}

export function showRunChecks(message: RunMessage, { tallies, rules, reported }: RunJudging): void {
  for (const tally of tallies.get('run') ?? []) {
    const found = tally.states.flatMap((state) => state.observe(message));
    for (const mismatch of found) {
      const findings = runFindings(tally, mismatch, rules);
      if (findings.some((one) => countedVerdict(one) === 'fail')) tally.shown ??= mismatch.seenIn;
      reported(tally, findings);
    }
  }
}

/** Endpoints that must be read before the messages so far can be judged. */
export const lackedEndpoints = ({ tallies }: Pick<RunJudging, 'tallies'>): readonly string[] => [
  ...new Set((tallies.get('run') ?? []).flatMap(({ states }) => states.flatMap((state) => state.lacks?.() ?? []))),
];

export async function concludeRunChecks(
  tally: InvariantTally,
  { rules, reported }: Pick<RunJudging, 'rules' | 'reported'>,
): Promise<void> {
  for (const state of tally.states) {
    await state.prepare?.();
    const { mismatches, judged, unjudged = 0 } = state.conclude();
    tally.judged += judged;
    tally.unjudged += unjudged;
    for (const mismatch of mismatches) {
      const found = runFindings(tally, mismatch, rules);
      tally.violations += 1;
      reported(tally, found);
      keepFindings(tally, found, tally.violations);
    }
  }
}

/** Reports the first finding of each rule and aspect of an invariant. */
export function reportFirst(onViolation: OnViolation | undefined): RunJudging['reported'] {
  if (onViolation === undefined) return () => undefined;
  const known = new Set<string>();
  return ({ invariant }, found) => {
    for (const finding of found) {
      const key = JSON.stringify([invariant.id, renderRuleRef(finding)]);
      if (known.has(key)) continue;
      known.add(key);
      onViolation(invariant, finding);
    }
  };
}
