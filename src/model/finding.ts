import type { Json } from '../lib/json.ts';
import type { Position, Binding } from './rule.ts';

/** Something a carrier did that a rule does not allow. Data only: English is added by the reports, from `code`. */
export interface Finding extends Binding {
  readonly rule: string;
  readonly aspect?: string;
  readonly code: FindingCode;
  /** Part of the observation: `body.state`, `headers.content-type`, `spacing.2`. */
  readonly path?: string;
  readonly expected: Json;
  readonly actual: Json;
  readonly step?: string;
  /** The exchange or delivery it was seen in. */
  readonly message?: string;
  /** The case it was seen in; set on findings of invariants. */
  readonly seenIn?: string;
  /** Other cases whose messages it was compared with; set on findings over several cases. */
  readonly comparedWith?: readonly string[];
  /** Header fields of the message that the expectation read, in lower case: they are evidence. */
  readonly headers?: readonly string[];
  /** Window for a delivery at the wrong time, in seconds after the one before it. */
  readonly window?: Window;
  /** It was seen in one of two tries: it counts as a warning. */
  readonly unstable?: true;
  /** The rule whose finding is the cause of this one: reports fold it under that. */
  readonly followsFrom?: string;
  /** The plain request of the client was refused, and no request of it was ever accepted: the target file may be wrong. */
  readonly root?: true;
  readonly position: Position;
}

export interface Window {
  readonly from: number;
  readonly to: number;
}

/** The kinds of finding, as `reports/result.schema.json` lists them. */
export const findingCodes = [
  'outcome',
  'refused',
  'dropped',
  'error-code',
  'status',
  'schema',
  'not-equal',
  'not-absent',
  'not-echoed',
  'count',
  'spacing',
  'late-delivery',
  'not-seen',
  'check',
] as const;
export type FindingCode = (typeof findingCodes)[number];
