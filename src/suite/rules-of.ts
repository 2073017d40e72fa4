import type { Case } from './suites.ts';

const found = new WeakMap<Case, ReadonlySet<string>>();

/** The rules whose expectations stand outside a control, and the case's own. */
export function rulesOf(given: Case): ReadonlySet<string> {
  const rules = found.get(given) ?? findRules(given);
  found.set(given, rules);
  return rules;
}

/** Remembers what a build has found, so that the steps need not be looked at. */
export function rememberRules(given: Case, rules: readonly string[]): Case {
  found.set(given, new Set(rules));
  return given;
}

function findRules({ steps, rules }: Case): ReadonlySet<string> {
  const judged = steps
    .filter(({ control }) => !control)
    .flatMap(({ expectations }) => expectations.flatMap((one) => one.rules));
  const own = judged.length === 0 || steps.some(({ record }) => record.length > 0) ? rules : [];
  return new Set([...judged, ...own].map(({ rule }) => rule));
}
