/** One exploration, or a part of it, of the reference carrier with these defects. */
export interface DeepJob {
  readonly id: number;
  readonly seed: string;
  /** Request objects of the whole exploration. */
  readonly requests: number;
  readonly faults: readonly string[];
  /** Places of the cases that run, in their order; absent: all. */
  readonly cases?: readonly number[];
  /** Of these faults, report the cases in which they would not do the same as this carrier. */
  readonly traced?: readonly string[];
}

/** What showed a defect first. */
export interface DeepShown {
  readonly rule: string;
  readonly kind: string;
  /** Request objects that the exploration had sent by then. */
  readonly requests: number;
}

export interface DeepOutcome {
  readonly shown?: DeepShown;
  /** Places of the cases in which a traced fault differs, by its name. */
  readonly differing: Readonly<Record<string, readonly number[]>>;
  /** Request objects, and cases, of the whole exploration; 0 where it had to stop. */
  readonly requests: number;
  readonly cases: number;
  /** Why the run had to stop. */
  readonly stopped?: string;
}

export interface DeepSettings {
  readonly folder: string;
  /** Milliseconds since the epoch at which the virtual clock starts. */
  readonly startAt: number;
}
