import { glob, rulesOfInvariant } from '../../engine/plan/select.ts';
import { hintOf, nearNames } from '../../lib/suggest.ts';
import { type ErrorCode, CarrierspecError } from '../../model/problem.ts';
import type { Rule } from '../../model/rule.ts';
import { rulesOf, type Case, type Invariant, type Suites } from '../../suite/suites.ts';
import { usageError } from './inputs.ts';

/** What a selector or a name that matches nothing may have meant; case does not count, as in selectors. */
export const suggestNames = (wrong: string, names: readonly string[]): string[] => [...nearNames(wrong, names)];

/** `did you mean X?`, or `otherwise` where no name is near. */
export const hintFor = (wrong: string, names: readonly string[], otherwise: string): string =>
  hintOf(nearNames(wrong, names)) ?? otherwise;

/** Throws for the first name or glob that is none of the names; `nothing` says what there is not. */
export function requireNames(
  patterns: readonly string[],
  names: readonly string[],
  { nothing, otherwise, code }: { readonly nothing: string; readonly otherwise: string; readonly code: ErrorCode },
): void {
  const wrong = patterns.find((pattern) => !names.some((name) => glob(pattern).test(name)));
  if (wrong === undefined) return;
  throw new CarrierspecError(`${nothing} ${wrong}; ${hintFor(wrong, names, otherwise)}`, { code });
}

/** The suites without whole areas, such as the baseline: `run --without baseline`. Throws for an area there is not. */
export function withoutAreas(suites: Suites, areas: readonly string[]): Suites {
  const known = new Set(suites.rules.map(({ area }) => area));
  for (const area of areas) {
    if (known.has(area)) continue;
    const hint = hintFor(area, [...known], `the areas are ${[...known].join(', ')}`);
    throw usageError(`--without: there is no area ${area}; ${hint}`);
  }
  const stays = ({ area }: { readonly area: string }): boolean => !areas.includes(area);
  return {
    ...suites,
    rules: suites.rules.filter(stays),
    cases: suites.cases.filter(stays),
    invariants: suites.invariants.filter(stays),
  };
}

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

interface Family {
  /** `REQ` of REQ-015. */
  readonly name: string;
  /** Folders of the suites that have rules of it, in order. */
  readonly areas: readonly string[];
  readonly rules: readonly Rule[];
}

export const familyOf = ({ id }: Pick<Rule, 'id'>): string => id.split('-')[0] ?? id;

/** Every family, in the order of the rules: the suites say which area each is in. */
export function familiesOf(rules: readonly Rule[]): readonly Family[] {
  const names = [...new Set(rules.map(familyOf))];
  return names.map((name) => {
    const own = rules.filter((rule) => familyOf(rule) === name);
    return { name, areas: [...new Set(own.map(({ area }) => area))], rules: own };
  });
}
