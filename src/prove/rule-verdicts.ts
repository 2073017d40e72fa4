import { rulesOf } from '../journal/conclude.ts';
import { createRuleTallies } from '../judge/tally.ts';
import type { InvariantResult } from '../model/result.ts';
import type { Suites } from '../model/suite.ts';
import type { Verdict } from '../model/verdict.ts';
import type { CaseOutcome } from './job.ts';

/** What judged a carrier: its cases and invariants by id. */
export interface Judgement {
  readonly cases: ReadonlyMap<string, CaseOutcome>;
  readonly invariants: ReadonlyMap<string, InvariantResult>;
}

const byId = <T extends { readonly id: string }>(list: readonly T[]): Map<string, T> =>
  new Map(list.map((one) => [one.id, one]));

export function judgementOf(cases: readonly CaseOutcome[], invariants: readonly InvariantResult[]): Judgement {
  return { cases: byId(cases), invariants: byId(invariants) };
}

/**
 * The clean carrier's judgement with what ran again in its place. An invariant that saw nothing of its kind in the cases
 * that ran again stands as on the clean carrier.
 */
export function overlay(clean: Judgement, again: Judgement): Judgement {
  const judged = [...again.invariants].filter(([, { judged: seen }]) => seen > 0);
  return {
    cases: new Map([...clean.cases, ...again.cases]),
    invariants: new Map([...clean.invariants, ...judged]),
  };
}

/** Verdict of every rule, by the same tally that a run uses. */
export function ruleVerdicts({ rules, cases }: Suites, judgement: Judgement): ReadonlyMap<string, Verdict> {
  const tallies = createRuleTallies(rules);
  for (const one of cases) {
    const outcome = judgement.cases.get(one.id);
    if (outcome !== undefined) tallies.addCase(outcome, rulesOf(one));
  }
  for (const invariant of judgement.invariants.values()) tallies.addInvariant(invariant);
  const all = new Set(rules.map(({ id }) => id));
  return new Map(tallies.conclude(all).map(({ id, verdict }) => [id, verdict]));
}
