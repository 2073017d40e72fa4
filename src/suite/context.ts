import { type Cursor, keyPlace, place, type Mistake } from './yaml/document.ts';
import type { Problem } from '../model/problem.ts';
import type { Rule } from '../model/rule.ts';

/** Near misses: expressions by name, in which `right` and `among` stand for values, and names by group. */
export interface NearMisses {
  readonly groups: ReadonlyMap<string, readonly string[]>;
  readonly expressions: ReadonlyMap<string, string>;
}

/** Names that a suite may use and that are defined elsewhere; undefined if they cannot be checked. */
export interface CompileKnowledge {
  readonly rules: ReadonlyMap<string, Rule> | undefined;
  readonly checks: ReadonlySet<string>;
  readonly tampers: ReadonlySet<string>;
  /** Names that `near` of a step may use; absent if there are none. */
  readonly nearMisses?: NearMisses;
  /** Attributes that `requires` may name; absent if not checked. */
  readonly attributes?: readonly string[];
  /** Absent if not checked. */
  readonly parties?: Parties;
  /** Receives names that are probably misspelt; absent for the shipped suites, which misspell on purpose. */
  readonly warn?: (problem: Problem) => void;
}

/** Names from a target file that a case may use. */
export interface Parties {
  readonly client: ReadonlySet<string>;
  /** Tags of subscribers. */
  readonly subscriber: ReadonlySet<string>;
  /** Words of `requires` without a colon. */
  readonly requires: ReadonlySet<string>;
}

/** Facts about a case that are known without compiling its steps. */
export interface CaseFacts {
  readonly requires: readonly string[];
  readonly exclusive: boolean;
  readonly judges: readonly string[];
}

export type FactsByCase = ReadonlyMap<string, CaseFacts>;

export interface CompileContext {
  readonly area: string;
  readonly suite: string;
  readonly known: CompileKnowledge;
  readonly report: (problem: Problem) => void;
  /** Receives every judged rule, and what judges it. */
  readonly judged: (rule: string, by: 'case' | 'record' | 'invariant') => void;
  /** Facts about cases that a build compiled without a mistake; the steps of these compile on demand. */
  readonly facts?: FactsByCase | undefined;
}

type UnplacedMistake = Omit<Mistake, 'position'>;

export function reportAt(cursor: Cursor, context: Pick<CompileContext, 'report'>, wrong: UnplacedMistake): void {
  context.report(cursor.document.problem({ ...wrong, position: place(cursor) }));
}

export function reportAtKey(cursor: Cursor, context: Pick<CompileContext, 'report'>, wrong: UnplacedMistake): void {
  context.report(cursor.document.problem({ ...wrong, position: keyPlace(cursor) }));
}
