import { groupBy } from '../../lib/lists.ts';
import type { Result } from '../../model/result.ts';
import { type UnjudgedItem, unjudgedRules } from './model.ts';

/** A cause for which rules have no verdict, and the rules, each under its first cause only. */
export interface UnjudgedCause {
  /** `needs a driver for deny`. */
  readonly words: string;
  readonly rules: readonly string[];
  /** Number of them that count as required. */
  readonly required: number;
}

/** Reasons that go on with words of their own for each rule. */
const openings = ['not testable from outside', 'only the operator can attest it'];

/** The first reason of a rule, without the number of its cases. */
function firstCause({ reason }: UnjudgedItem): string {
  const opening = openings.find((words) => reason.startsWith(words));
  return opening ?? (reason.split('; ')[0] ?? reason).replace(/ \(\d+ cases\)$/, '');
}

/** Causes for which rules have no verdict, the most frequent first. */
export function unjudgedCauses(result: Pick<Result, 'rules' | 'footer'>): readonly UnjudgedCause[] {
  const counted = new Set(
    result.rules.flatMap(({ id, level, apart, verdict }) =>
      level === 'required' && apart !== true && verdict !== 'not-applicable' ? [id] : [],
    ),
  );
  return [...groupBy(unjudgedRules(result), firstCause)]
    .map(([words, rules]) => ({
      words,
      rules: rules.map(({ id }) => id),
      required: rules.filter(({ id }) => counted.has(id)).length,
    }))
    .toSorted((one, other) => other.rules.length - one.rules.length);
}
