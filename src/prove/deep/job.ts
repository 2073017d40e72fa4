import type { Finding } from '../../model/finding.ts';
import type { Choices } from '../space/draw.ts';

/** One exploration, or a part of it, of the reference carrier, or of one of the space, with these defects. */
export interface DeepJob {
  readonly id: number;
  readonly seed: string;
  /** Request objects of the whole exploration. */
  readonly requests: number;
  readonly faults: readonly string[];
  /** Of a carrier of the space; absent: the reference carrier. */
  readonly choices?: Choices;
  /** How much has to be red for it to end. */
  readonly enough: number;
  /** Places of the cases that run, in their order; absent: all. */
  readonly cases?: readonly number[];
  /** Of these faults, report the cases in which they would not do the same as this carrier. */
  readonly traced?: readonly string[];
}

/** What was red. */
export interface DeepShown {
  readonly rule: string;
  readonly kind: string;
  /** What was tried, and what came of it. */
  readonly title: string;
  readonly finding: Finding;
  /** Request objects that the exploration had sent by then. */
  readonly requests: number;
}

export interface DeepOutcome {
  /** What was red, of each breach the first. */
  readonly shown: readonly DeepShown[];
  /** Places of the cases in which a traced fault differs, by its name. */
  readonly differing: Readonly<Record<string, readonly number[]>>;
  /** Request objects, and cases, of the whole exploration; 0 where it had to stop. */
  readonly requests: number;
  readonly cases: number;
  /** Request objects that stayed without a verdict. */
  readonly unjudged: number;
  /** Why the run had to stop. */
  readonly stopped?: string;
}

export interface DeepSettings {
  readonly folder: string;
  /** Milliseconds since the epoch at which the virtual clock starts. */
  readonly startAt: number;
}
