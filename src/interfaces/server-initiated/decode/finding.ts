import type { RuleBook } from '../../../judge/rule-book.ts';
import { type Json, omitUndefined } from '../../../lib/json.ts';
import type { Finding } from '../../../model/finding.ts';

/** Rules that were not judged, because the message does not show what they need. */
export interface UnjudgedRules {
  /** In words: `its HTTP header fields`. */
  readonly without: string;
  readonly rules: readonly string[];
}

export interface JudgedMessage {
  readonly judged: readonly string[];
  readonly findings: readonly Finding[];
  readonly notJudged: readonly UnjudgedRules[];
}

export interface RuleBreach {
  /** With its aspect: `REQ-036#other-separators`. */
  readonly rule: string;
  readonly path: string;
  readonly expected: string;
  readonly actual: Json;
}

/** Finding of a broken rule; none if the suites lack the rule. */
export function breachFinding(
  { rule: named, path, expected, actual }: RuleBreach,
  rules: RuleBook,
): readonly Finding[] {
  const [rule = '', aspect] = named.split('#');
  const known = rules.find(rule);
  if (known === undefined) return [];
  const level = rules.levelOf({ rule, ...omitUndefined({ aspect }) });
  return [
    { rule, ...omitUndefined({ aspect }), level, code: 'check', path, expected, actual, position: known.position },
  ];
}
