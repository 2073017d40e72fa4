import type { Json } from '../lib/json.ts';

/** Level of a rule: must / required / stated; should / generally; may / info / silent. */
export type Level = 'required' | 'recommended' | 'informational';
export const levels: readonly Level[] = ['required', 'recommended', 'informational'];

/** How a rule is judged: by cases, by an invariant, by the operator's statement, or not at all. */
export type JudgingMethod = 'cases' | 'invariant' | 'attested' | 'untestable';

/** Level of a rule or aspect in a run. */
export interface Binding {
  readonly level: Level;
  /** Level in the interface, if the run's profile raises the rule to required. */
  readonly stated?: Level;
}

/** How cases cover a class that a rule speaks of, such as every status but 200: whole, or by a sample. */
export interface Cover {
  readonly class: string;
  /** Cases, matrices and invariants that send or see the whole class. */
  readonly by?: readonly string[];
  /** Why a part of the class is enough. */
  readonly sample?: string;
}

/** Part of a rule with its own level. */
export interface Aspect extends Binding {
  readonly id: string;
  /** Statements of the aspect, if they differ from those of its rule. */
  readonly states?: readonly string[];
  readonly description: string;
  readonly covers?: readonly Cover[];
  /** A breach of this baseline aspect breaks authentication, so it counts in every profile. */
  readonly critical?: true;
}

/** Allowed deviation from the plain request: a request with only this deviation must be accepted. */
export interface AcceptedValue {
  /** Differing part: `claims.state`, `header.kid`, `key`. */
  readonly what: string;
  readonly change: 'set' | 'removed' | 'raw';
  /** Allowed values; any value if neither these nor `like` are given. */
  readonly values?: readonly Json[];
  /** Regular expression for allowed texts. */
  readonly like?: string;
}

/** One testable sentence of the interface. */
export interface Rule extends Binding {
  readonly id: string;
  readonly area: string;
  readonly clause: string;
  /** Quotations that require it: from the interface, word for word, or from a standard with its section. */
  readonly states?: readonly string[];
  readonly description: string;
  readonly interpretation?: string;
  readonly aspects: readonly Aspect[];
  readonly judged: JudgingMethod;
  /** Deviations for which a carrier must not refuse a request. */
  readonly accepts?: readonly AcceptedValue[];
  readonly covers?: readonly Cover[];
  /** Good practice that no clause of the interface states. */
  readonly baseline?: true;
  /** A breach of this baseline rule breaks authentication, so it counts in every profile. */
  readonly critical?: true;
  /** Why no black box can judge it; present for attested and untestable. */
  readonly rationale?: string;
  /** For an attested rule: requirements under which cases can judge it, in the words of `requires`. */
  readonly requires?: string;
  readonly position: Position;
}

/** Reference to a rule or an aspect: `REQ-007`, `REQ-007#near-miss`. */
export interface RuleRef {
  readonly rule: string;
  readonly aspect?: string;
}

export const renderRuleRef = ({ rule, aspect }: RuleRef): string => (aspect === undefined ? rule : `${rule}#${aspect}`);

/** Verdict of a case, invariant or rule. `attested` is only for rules: the operator's word, not a pass. */
export type Verdict =
  | 'pass'
  | 'informational'
  | 'warn'
  | 'inconclusive'
  | 'error'
  | 'fail'
  | 'not-applicable'
  | 'not-run'
  | 'attested';

/** Order from best to worst. A proven violation outweighs everything; `not-run` and `not-applicable` yield to any other verdict. */
export const verdictOrder: readonly Verdict[] = [
  'not-applicable',
  'not-run',
  'attested',
  'pass',
  'informational',
  'warn',
  'inconclusive',
  'error',
  'fail',
];

/** Returns the worst verdict, or undefined if there is none. */
export function worstVerdict(verdicts: Iterable<Verdict>): Verdict | undefined {
  let found: Verdict | undefined;
  for (const verdict of verdicts) {
    if (found === undefined || verdictOrder.indexOf(verdict) > verdictOrder.indexOf(found)) found = verdict;
  }
  return found;
}

/** Whether a verdict says something about the carrier. */
export const isConclusive = (verdict: Verdict): boolean =>
  verdict === 'pass' || verdict === 'informational' || verdict === 'warn' || verdict === 'fail';

/**
 * Meaning of a rule's verdict for a run; every report counts it. `broken`: it makes the run red. `follows`: what was found against it follows
 * from a rule that is broken. `expected`: broken, and an entry of expected.yaml accounts for it. `uncounted`: broken, and it does not count
 * in this profile. `not followed`: recommended, and the carrier does otherwise. `unstable`: seen in one of two tries. `open`: it could be
 * judged and was not. `unjudgeable`: it cannot be judged from outside.
 */
export type RuleStanding =
  | 'kept'
  | 'broken'
  | 'follows'
  | 'expected'
  | 'uncounted'
  | 'not followed'
  | 'unstable'
  | 'attested'
  | 'open'
  | 'unjudgeable'
  | 'not applicable';

/** `not judged`: no finding, and no required rule was judged. */
export type RunOutcome = 'conformant' | 'not conformant' | 'incomplete' | 'not judged';

/** Two fractions that are never combined: conforming of judged, judged of applicable. */
export interface Score {
  readonly conforming: number;
  readonly judged: number;
  readonly applicable: number;
}

/** Position in a file that the operator or a suite author wrote. Line and column count from 1. */
export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export const renderPosition = ({ file, line, column }: Position): string => `${file}:${line}:${column}`;
