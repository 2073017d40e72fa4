/** What was tried beside the suites before a run: requests that no suite lists. What it found is cases of the run. */
export interface ExplorationSummary {
  /** The same seed brings the same requests. */
  readonly seed: string;
  /** Request objects that were sent, by their kind. */
  readonly requests: Readonly<Record<string, number>>;
  /** Ids of the cases that show what was found. */
  readonly findings: readonly string[];
  /** What was seen once and not again. */
  readonly unconfirmed: number;
  /** Probes that brought no verdict. */
  readonly unjudged: number;
  /** Why it ended before its requests were sent; absent where it did not. */
  readonly stopped?: string;
}
