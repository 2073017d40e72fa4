import type { TriedCases } from '../../explore/try-cases.ts';
import type { JsonObject } from '../../lib/json.ts';

/** Made cases that are tried together. */
export interface TrialJob {
  readonly id: number;
  readonly cases: readonly JsonObject[];
}

/** What came of them, or what of ours went wrong. */
export type Trial = TriedCases | { readonly fault: string };

/** The reference carrier that each thread has for itself. */
export interface TrialSettings {
  /** For journals; it goes with the threads. */
  readonly folder: string;
  /** Further folders of suites. */
  readonly suites: readonly string[];
  readonly faults: readonly string[];
}
