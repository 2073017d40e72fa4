import type { Problem } from './problem.ts';

/** What the operator says of a rule that no black box can see. */
export interface Attested {
  readonly by: string;
  /** `2026-11-01`. */
  readonly on: string;
  readonly description: string;
  /** What shows it: the name of a file, or a text. */
  readonly evidence: string;
  /** Of the file: `sha256:...`. */
  readonly sha256?: string;
}

/** An attestation of the target file, with its place there. */
export interface Attestation extends Attested {
  readonly rule: string;
  readonly place: Pick<Problem, 'position' | 'sourceLine'>;
}
