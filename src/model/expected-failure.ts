import type { Position, Verdict } from './rule.ts';

/** Entry of expected.yaml: a rule, case or invariant with a known failure, tolerated until a date. */
export interface ExpectedFailure {
  /** `case` stands for a case or an invariant; `name` is its whole id. */
  readonly what: 'rule' | 'case';
  readonly name: string;
  readonly reason: string;
  readonly owner: string;
  /** Last valid day: `2026-12-31`. */
  readonly expires: string;
  readonly position: Position;
}

/** State of an entry after a run. Only `failed` confirms it; `not judged` says nothing. */
export type EntryState = 'failed' | 'no longer fails' | 'expired' | 'matches nothing' | 'not judged';

export interface ExpectedResult extends ExpectedFailure {
  readonly became: EntryState;
  /** Ids of the broken rules that it explains, alone or with other entries. */
  readonly explains: readonly string[];
}

const holdingStates: ReadonlySet<EntryState> = new Set(['failed', 'not judged']);

export const isStale = ({ became }: Pick<ExpectedResult, 'became'>): boolean => !holdingStates.has(became);

interface FailedRule {
  readonly id: string;
  readonly verdict: Verdict;
  readonly apart?: true;
  readonly followsFrom?: string;
}

/** Broken rules that no entry explains. A rule that only follows from another is explained with it. */
export function unexpectedFailures<Rule extends FailedRule>(
  rules: readonly Rule[],
  expected: readonly ExpectedResult[],
): readonly Rule[] {
  const explained = new Set(expected.flatMap(({ explains }) => explains));
  return rules.filter(({ id, verdict, apart, followsFrom = id }) => {
    return verdict === 'fail' && apart !== true && !explained.has(id) && !explained.has(followsFrom);
  });
}
