import type { Json } from '../lib/json.ts';

/** How binding the interface makes a rule: must / required / stated; should / generally; may / info / silent. */
export type Level = 'required' | 'recommended' | 'informational';
export const levels: readonly Level[] = ['required', 'recommended', 'informational'];

/** How a rule is judged: by cases, by an invariant, by the operator's statement, or not at all. */
export type JudgingWay = 'cases' | 'invariant' | 'attested' | 'untestable';

/** How binding a rule, or a part of it, is in a run. */
export interface Binding {
  readonly level: Level;
  /** The level that the interface states, where the profile of the run makes the rule required. */
  readonly stated?: Level;
}

/** A part of a rule that carries a level of its own. */
export interface Aspect extends Binding {
  readonly id: string;
  /** Statements of the aspect, if they differ from those of its rule. */
  readonly states?: readonly string[];
  readonly description: string;
  /** Breaking this part of the baseline breaks authentication, so it counts in every profile. */
  readonly critical?: true;
}

/** A deviation from the plain request that the interface allows: a request with it alone must be accepted. */
export interface AcceptedValue {
  /** Differing part: `claims.state`, `header.kid`, `key`. */
  readonly what: string;
  readonly change: 'set' | 'removed' | 'raw';
  /** The values that are allowed; any where neither these nor `like` is given. */
  readonly values?: readonly Json[];
  /** A regular expression that every text allowed matches. */
  readonly like?: string;
}

/** One testable sentence of the interface. */
export interface Rule extends Binding {
  readonly id: string;
  readonly area: string;
  readonly clause: string;
  /** Quotations that make it required: from the interface, word for word, or from a standard with its section. */
  readonly states?: readonly string[];
  readonly description: string;
  readonly interpretation?: string;
  readonly aspects: readonly Aspect[];
  readonly judged: JudgingWay;
  /** The deviations from the plain request by which a carrier must not refuse a request. */
  readonly accepts?: readonly AcceptedValue[];
  /** It comes from good practice, and no clause of the interface states it. */
  readonly baseline?: true;
  /** Breaking this rule of the baseline breaks authentication, so it counts in every profile. */
  readonly critical?: true;
  /** Why no black box can judge it; present for attested and untestable. */
  readonly rationale?: string;
  /** For an attested rule: requirements of the cases that can judge it, in the words of `requires`. */
  readonly requires?: string;
  readonly position: Position;
}

/** A rule, or one aspect of it: `REQ-007`, `REQ-007#near-miss`. */
export interface RuleRef {
  readonly rule: string;
  readonly aspect?: string;
}

export const renderRuleRef = ({ rule, aspect }: RuleRef): string => (aspect === undefined ? rule : `${rule}#${aspect}`);

/** Verdict of a case, an invariant or a rule; `attested` only of a rule: the operator's word, which is no pass. */
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

/** From best to worst. A proven violation outweighs everything; `not-run` and `not-applicable` say nothing beside a verdict. */
export const severity: readonly Verdict[] = [
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

/** The worst of several verdicts, or undefined where there are none. */
export function worst(verdicts: Iterable<Verdict>): Verdict | undefined {
  let found: Verdict | undefined;
  for (const verdict of verdicts) {
    if (found === undefined || severity.indexOf(verdict) > severity.indexOf(found)) found = verdict;
  }
  return found;
}

/** Verdicts that say something about the carrier. */
export const isConclusive = (verdict: Verdict): boolean =>
  verdict === 'pass' || verdict === 'informational' || verdict === 'warn' || verdict === 'fail';

/** `not judged`: nothing was found, and no required rule was among what was judged. */
export type RunOutcome = 'conformant' | 'not conformant' | 'incomplete' | 'not judged';

/** Two fractions that are never folded into one: conforming of judged, judged of applicable. */
export interface Score {
  readonly conforming: number;
  readonly judged: number;
  readonly applicable: number;
}

/** A place in a file the operator or a suite author wrote. Line and column count from 1. */
export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export const renderPosition = ({ file, line, column }: Position): string => `${file}:${line}:${column}`;
