import { type ErrorCode, errorCodes, type StopKind } from './error-codes.ts';
import type { Position } from './position.ts';

/** Stable codes of what can be wrong with what an operator or a suite author gave us. */
export type ProblemCode =
  | 'file-unreadable'
  | 'yaml-syntax'
  | 'duplicate-key'
  | 'unknown-key'
  | 'missing-key'
  | 'wrong-type'
  | 'bad-value'
  | 'bad-template'
  | 'unknown-name'
  | 'duplicate-id'
  | 'unknown-rule'
  | 'unknown-fault'
  | 'unknown-check'
  | 'verb-count'
  | 'no-control'
  | 'rule-without-case'
  | 'rule-not-judged-so'
  | 'reason-missing'
  | 'key-unusable'
  | 'secret-inline'
  | 'env-missing';

/** One mistake in a file: data, so that all mistakes of all files can be shown at once. */
export interface Problem {
  readonly code: ProblemCode;
  readonly message: string;
  readonly position: Position;
  /** "did you mean" and other advice. */
  readonly hint?: string;
  /** The source line the position is in, for the caret; absent when the file could not be read. */
  readonly sourceLine?: string;
}

/** An error that is ours or the operator's, never the carrier's. */
export class CarrierspecError extends Error {
  readonly kind: StopKind;
  readonly code: ErrorCode;
  readonly problems: readonly Problem[];

  constructor(
    message: string,
    options: { readonly code: ErrorCode; readonly problems?: readonly Problem[]; readonly cause?: unknown },
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'CarrierspecError';
    this.kind = errorCodes[options.code].kind;
    this.code = options.code;
    this.problems = options.problems ?? [];
  }
}
