import { judgeExpected, knownOf } from '../judge/expected.ts';
import { createRuleTallies } from '../judge/tally.ts';
import type { Result, ResultFooter } from '../model/result.ts';
import type { Summary } from './case/case-result.ts';
import type { Planned } from './plan/assign.ts';
import type { RunOptions } from './run-options.ts';
import { rulesOf } from './plan/select.ts';

/** The verdicts of the selected rules. `summaries` are in the order of the plan. */
export function judgeRules(
  plan: readonly Planned[],
  summaries: readonly Summary[],
  invariants: Result['invariants'],
  { suites, selected, target }: RunOptions,
): Result['rules'] {
  const tallies = createRuleTallies(suites.rules, target.attestations);
  for (const [index, summary] of summaries.entries()) {
    const planned = plan[index];
    if (planned !== undefined) tallies.addCase(summary, rulesOf(planned.case));
  }
  for (const invariant of invariants) tallies.addInvariant(invariant);
  return tallies.conclude(selected.rules);
}

/** Entries of expected.yaml may name what was not selected: that is not judged, and no mistake. */
export function expectedOf(
  summaries: readonly Summary[],
  { invariants, rules }: Pick<Result, 'invariants' | 'rules'>,
  { suites, nameable = suites, expected }: RunOptions,
): Pick<ResultFooter, 'expected'> {
  if (expected === undefined) return {};
  const today = new Date().toISOString().slice(0, 10);
  const judges = [...summaries, ...invariants];
  return { expected: judgeExpected(expected, { ...knownOf(nameable, today), judges, rules }) };
}
