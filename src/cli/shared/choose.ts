import { compileGlob, invariantRules } from '../../engine/plan/select.ts';
import { caseRisks } from '../../engine/plan/risks.ts';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { suggestionHint, findNearNames } from '../../lib/suggestion.ts';
import { type ErrorCode, CarrierspecError } from '../../model/problem.ts';
import { generatedWord, isRiskWord, type Risk, risks, risksOf, riskTable, unsafe } from '../../model/risk.ts';
import type { Rule } from '../../model/rule.ts';
import { caseRuleIds, type Case, type Invariant, type Suites } from '../../suite/suites.ts';
import { usageError } from './inputs.ts';

/** Names similar to an unmatched selector, ignoring case as selectors do. */
export const suggestNames = (wrong: string, names: readonly string[]): string[] => [...findNearNames(wrong, names)];

/** `did you mean X?`, or `otherwise` if no name is similar. */
export const hintFor = (wrong: string, names: readonly string[], otherwise: string): string =>
  suggestionHint(findNearNames(wrong, names)) ?? otherwise;

/** Throws for the first pattern that matches no name; `nothing` begins the message. */
export function requireNames(
  patterns: readonly string[],
  names: readonly string[],
  { nothing, otherwise, code }: { readonly nothing: string; readonly otherwise: string; readonly code: ErrorCode },
): void {
  const wrong = patterns.find((pattern) => !names.some((name) => compileGlob(pattern).test(name)));
  if (wrong === undefined) return;
  throw new CarrierspecError(`${nothing} ${wrong}; ${hintFor(wrong, names, otherwise)}`, { code });
}

const risksOfCase = caseRisks(serverInitiated.verbs);

/** Cases with one of these risks, each with why it is left out. */
export function riskyCases({ cases }: Pick<Suites, 'cases'>, left: ReadonlySet<Risk>): ReadonlyMap<Case, string> {
  return new Map(
    cases.flatMap((given) => {
      const [risk] = risksOfCase(given).filter((one) => left.has(one));
      return risk === undefined
        ? []
        : [[given, `left out by --without ${risk} (or --safe): it ${riskTable[risk].does}`] as const];
    }),
  );
}

/** The suites without what `--without` names: areas (`baseline`), cases with a risk, or generated cases. Throws for an unknown word. */
export function withoutParts(suites: Suites, words: readonly string[]): Suites {
  const known = new Set(suites.rules.map(({ area }) => area));
  const areas = words.filter((word) => !isRiskWord(word) && word !== generatedWord);
  for (const area of areas) {
    if (known.has(area)) continue;
    const others = [generatedWord, unsafe, ...risks];
    const hint = hintFor(
      area,
      [...known, ...others],
      `the areas are ${[...known].join(', ')}; or ${others.join(', ')}`,
    );
    throw usageError(`--without: there is no area ${area}; ${hint}`);
  }
  const left = new Set(words.flatMap(risksOf));
  const stays = ({ area }: { readonly area: string }): boolean => !areas.includes(area);
  const keepsGenerated = !words.includes(generatedWord);
  return {
    ...suites,
    rules: suites.rules.filter(stays),
    cases: suites.cases.filter((given) => stays(given) && (keepsGenerated || given.generated !== true)),
    invariants: suites.invariants.filter(stays),
    ...(left.size === 0 ? {} : { leftOut: riskyCases(suites, left) }),
  };
}

export interface RuleJudges {
  readonly cases: readonly Case[];
  readonly invariants: readonly Invariant[];
}

function indexByRule<T>(
  tests: readonly T[],
  rulesOfOne: (test: T) => Iterable<string>,
): ReadonlyMap<string, readonly T[]> {
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

/** Finds the cases and invariants that judge a rule; coverage is always computed from them. */
export function joinJudges({ cases, invariants }: Pick<Suites, 'cases' | 'invariants'>): (rule: string) => RuleJudges {
  const byCase = indexByRule(cases, caseRuleIds);
  const byInvariant = indexByRule(invariants, invariantRules);
  return (rule) => ({ cases: byCase.get(rule) ?? [], invariants: byInvariant.get(rule) ?? [] });
}

interface Family {
  /** `REQ` of REQ-015. */
  readonly name: string;
  /** Areas with rules of this family, in order. */
  readonly areas: readonly string[];
  readonly rules: readonly Rule[];
}

export const ruleFamily = ({ id }: Pick<Rule, 'id'>): string => id.split('-')[0] ?? id;

/** Every family, in rule order, with the areas of its rules. */
export function ruleFamilies(rules: readonly Rule[]): readonly Family[] {
  const names = [...new Set(rules.map(ruleFamily))];
  return names.map((name) => {
    const own = rules.filter((rule) => ruleFamily(rule) === name);
    return { name, areas: [...new Set(own.map(({ area }) => area))], rules: own };
  });
}
