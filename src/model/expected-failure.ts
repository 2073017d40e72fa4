import type { Position } from './rule.ts';

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
