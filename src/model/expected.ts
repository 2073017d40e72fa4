import type { Position, Verdict } from './rule.ts';

/** An entry of expected.yaml: a rule, a case or an invariant that is known to fail, and until when that is tolerated. */
export interface ExpectedFailure {
  /** `case` names a case or an invariant, by its whole id. */
  readonly what: 'rule' | 'case';
  readonly name: string;
  readonly reason: string;
  readonly owner: string;
  /** The last day it holds: `2026-12-31`. */
  readonly expires: string;
  readonly position: Position;
}

/** State of an entry after a run. It holds only if it failed; if it was not judged, nothing is known. */
export type EntryState = 'failed' | 'no longer fails' | 'expired' | 'matches nothing' | 'not judged';

export interface ExpectedResult extends ExpectedFailure {
  readonly became: EntryState;
  /** Ids of the broken rules that it accounts for, alone or together with other entries. */
  readonly explains: readonly string[];
}

const holding: ReadonlySet<EntryState> = new Set(['failed', 'not judged']);

export const isStale = ({ became }: Pick<ExpectedResult, 'became'>): boolean => !holding.has(became);

interface Broken {
  readonly id: string;
  readonly verdict: Verdict;
  readonly apart?: true;
  readonly followsFrom?: string;
}

/** The broken rules that no entry accounts for; what only follows from a rule is accounted for with it. */
export function unexpectedFailures<Rule extends Broken>(
  rules: readonly Rule[],
  expected: readonly ExpectedResult[],
): readonly Rule[] {
  const explained = new Set(expected.flatMap(({ explains }) => explains));
  return rules.filter(({ id, verdict, apart, followsFrom = id }) => {
    return verdict === 'fail' && apart !== true && !explained.has(id) && !explained.has(followsFrom);
  });
}
