import { rulesOf, rulesOfInvariant } from '../../engine/plan/select.ts';
import type { Case, Invariant, Suites } from '../../model/suite.ts';

/** Everything that judges one rule. */
export interface Judges {
  readonly cases: readonly Case[];
  readonly invariants: readonly Invariant[];
}

function index<T>(tests: readonly T[], rulesOfOne: (test: T) => Iterable<string>): ReadonlyMap<string, readonly T[]> {
  const found = new Map<string, T[]>();
  for (const test of tests) {
    for (const rule of rulesOfOne(test)) {
      const list = found.get(rule);
      if (list === undefined) found.set(rule, [test]);
      else list.push(test);
    }
  }
  return found;
}

/** Joins rules with what judges them: coverage is computed, never written down. */
export function joinJudges({ cases, invariants }: Pick<Suites, 'cases' | 'invariants'>): (rule: string) => Judges {
  const byCase = index(cases, rulesOf);
  const byInvariant = index(invariants, rulesOfInvariant);
  return (rule) => ({ cases: byCase.get(rule) ?? [], invariants: byInvariant.get(rule) ?? [] });
}
