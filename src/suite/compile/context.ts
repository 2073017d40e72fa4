import { type Cursor, keyPlace, place, type Mistake } from '../yaml/document.ts';
import type { Problem } from '../../model/problem.ts';
import type { Rule } from '../../model/rule.ts';

/** Expressions of near misses by name, and the names of each group; `right` and `among` stand for values in them. */
export interface NearMisses {
  readonly groups: ReadonlyMap<string, readonly string[]>;
  readonly expressions: ReadonlyMap<string, string>;
}

/** Names a suite may use that are defined outside it; undefined where they cannot be checked. */
export interface CompileKnowledge {
  readonly rules: ReadonlyMap<string, Rule> | undefined;
  readonly checks: ReadonlySet<string>;
  readonly tampers: ReadonlySet<string>;
  readonly faults: ReadonlySet<string> | undefined;
  /** Names that `near` of a step may use; absent if there are none. */
  readonly nearMisses?: NearMisses;
  /** Attributes that `requires` may name; absent where they are not checked. */
  readonly attributes?: readonly string[];
  /** Absent where they are not checked. */
  readonly parties?: Parties;
}

/** Names that a case may use of what a target file has. */
export interface Parties {
  /** Names of clients. */
  readonly client: ReadonlySet<string>;
  /** Tags of subscribers. */
  readonly subscriber: ReadonlySet<string>;
  /** Words of `requires`, without those that have a colon. */
  readonly requires: ReadonlySet<string>;
}

/** Facts about a case that are known before its steps are compiled. */
export interface CaseFacts {
  readonly requires: readonly string[];
  readonly exclusive: boolean;
  readonly judges: readonly string[];
}

export type Facts = ReadonlyMap<string, CaseFacts>;

export interface CompileContext {
  readonly area: string;
  readonly suite: string;
  readonly known: CompileKnowledge;
  readonly report: (problem: Problem) => void;
  /** Gets every rule that is judged, and by what. */
  readonly judged: (rule: string, by: 'case' | 'record' | 'invariant') => void;
  /** Facts of cases that a build compiled without a mistake: their steps are compiled on demand. */
  readonly facts?: Facts | undefined;
}

type Wrong = Omit<Mistake, 'position'>;

export function reportAt(cursor: Cursor, context: Pick<CompileContext, 'report'>, wrong: Wrong): void {
  context.report(cursor.document.problem({ ...wrong, position: place(cursor) }));
}

export function reportAtKey(cursor: Cursor, context: Pick<CompileContext, 'report'>, wrong: Wrong): void {
  context.report(cursor.document.problem({ ...wrong, position: keyPlace(cursor) }));
}
