import type { Position } from '../model/position.ts';
import type { Rule, RuleRef } from '../model/rule.ts';
import type { BaseRequest, MessageKind, ScriptedResponse, TemplateMap } from '../model/suite.ts';
import type { Moment } from '../model/template.ts';
import type { Expectation } from './expectations/expectation.ts';
import type { AnyAct } from './verbs/define.ts';

export interface Step {
  readonly name: string;
  readonly position: Position;
  readonly at?: Moment;
  /** The latest moment to be sent at. */
  readonly by?: Moment;
  readonly act: AnyAct;
  /** The step must succeed for the case to mean anything: no `expect`, or `control: true`. */
  readonly control: boolean;
  /** How often an exchange is repeated; once unless said. */
  readonly times?: number;
  /** The repetitions are sent all at once. */
  readonly together?: boolean;
  /** It is done at the same time as the step before it. */
  readonly parallel?: true;
  /** The earlier step whose exchange is repeated as often, in random order with this one's. */
  readonly interleave?: string;
  /** It sends what an earlier step made or got, such as a signed object or a code: sent a second time that is not new any more. */
  readonly sendsEarlier?: true;
  readonly expectations: readonly Expectation[];
  readonly record: TemplateMap;
}

/** One scenario; a row of a matrix is a case of its own, called `id/row`. */
export interface Case {
  readonly id: string;
  readonly title: string;
  readonly suite: string;
  readonly area: string;
  readonly position: Position;
  readonly rules: readonly RuleRef[];
  readonly client: string | Readonly<Record<string, boolean>>;
  readonly subscriber: string;
  readonly exclusive: boolean;
  /** Everything the target must have: `action:approve`, `client:second`, `subscriber:second`, or a declared support. */
  readonly requires: readonly string[];
  readonly receiver: readonly ScriptedResponse[];
  /** What the event endpoint responds. */
  readonly eventReceiver?: readonly ScriptedResponse[];
  readonly detects: readonly string[];
  /** The outcome that this case shows plainly, for cases that build on it: accepted, completed, denied. */
  readonly establishes?: string;
  /** The row's `with:` values. */
  readonly each: TemplateMap;
  readonly steps: readonly Step[];
  /** False: the run does not watch what comes after the last step, and what is pending then stays so. */
  readonly watched?: false;
  /** No case comes after it: what is pending stays so, the cool-down is left out, and the run reports what is left behind. */
  readonly alone?: true;
}

/** An expectation on every message of a kind, over the whole run. */
export interface Invariant {
  readonly id: string;
  readonly title: string;
  readonly suite: string;
  readonly area: string;
  readonly position: Position;
  readonly on: MessageKind;
  readonly expectations: readonly Expectation[];
  readonly seenIn: readonly string[];
  readonly detects: readonly string[];
}

/** Everything read from the suite folders, checked. */
export interface Suites {
  readonly rules: readonly Rule[];
  readonly cases: readonly Case[];
  readonly invariants: readonly Invariant[];
  /** What requests begin with, by the names that the interface gives them. */
  readonly bases: Readonly<Record<string, BaseRequest>>;
  /** SHA-256 over the files' bytes, in the order of their names: `sha256:...`. */
  readonly digests: { readonly rules: string; readonly suites: string };
  readonly files: readonly string[];
}
