import type { Json } from '../lib/json.ts';
import type { Position, Binding } from './rule.ts';

/** Breach of a rule by the carrier. It is data only: reports make the English text from `code`. */
export interface Finding extends Binding {
  readonly rule: string;
  readonly aspect?: string;
  readonly code: FindingCode;
  /** Path in the observation: `body.state`, `headers.content-type`, `spacing.2`. */
  readonly path?: string;
  readonly expected: Json;
  readonly actual: Json;
  readonly step?: string;
  /** Id of the exchange or delivery that shows it. */
  readonly message?: string;
  /** Case that shows it; only for findings of invariants. */
  readonly seenIn?: string;
  /** Other cases whose messages were compared; only for findings over several cases. */
  readonly comparedWith?: readonly string[];
  /** Header fields that the expectation read, in lower case. They are evidence. */
  readonly headers?: readonly string[];
  /** Allowed window of a mistimed delivery, in seconds after the previous one. */
  readonly window?: Window;
  /** Seen in only one of two tries, so it counts as a warning. */
  readonly unstable?: true;
  /** Number of acts of people in its case before it, on which it may rest (P22); absent if none. */
  readonly afterActs?: number;
  /** Rule whose finding causes this one; reports fold it under that rule. */
  readonly followsFrom?: string;
  /** Tokens, or data of a person, came that must not have come: no wrong target file explains that (P21). */
  readonly carries?: 'tokens' | 'data';
  /** Its message failed so that the failure may be gone when the request is sent again (P26). */
  readonly mayPass?: true;
  /** The plain request of the client was refused, and never accepted before. */
  readonly root?: true;
  readonly position: Position;
}

export interface Window {
  readonly from: number;
  readonly to: number;
}

/** Kinds of findings, also listed in `reports/result.schema.json`. */
export const findingCodes = [
  'outcome',
  'refused',
  'dropped',
  'demanded',
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
