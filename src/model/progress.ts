import type { Message } from './exchange.ts';
import type { Finding } from './finding.ts';
import type { Verdict } from './rule.ts';
import type { Result } from './result.ts';

/** One case that stands still until something happens or a moment comes. */
export interface Waiting {
  readonly case: string;
  /** In words: `a callback`, `the moment of step replay`. */
  readonly for: string;
  /** Milliseconds since the epoch, on the run's clock. */
  readonly until: number;
}

/** How long a run in real time is planned to take. Seconds from its beginning. */
export interface PlannedLength {
  readonly seconds: number;
  /** The cases that keep the run from being shorter, each waiting for the one before it, and when each ends. */
  readonly path: readonly { readonly case: string; readonly ends: number }[];
}

/** Progress of a run; no part of its result. */
export type ProgressEvent =
  | {
      readonly kind: 'started';
      readonly cases: number;
      /** Absent on a virtual clock, which is advanced over every wait. */
      readonly planned?: PlannedLength;
    }
  /** It has its locks, and begins. */
  | { readonly kind: 'case-started'; readonly id: string }
  /** Seen in case `id`: what its steps found, as it ends, or the first violation of an invariant, at once. */
  | { readonly kind: 'finding'; readonly id: string; readonly invariant?: string; readonly finding: Finding }
  /** `undone`: the run stopped before it had a verdict. */
  | {
      readonly kind: 'case-finished';
      readonly id: string;
      readonly verdict: Verdict;
      readonly reason?: string;
      readonly undone?: true;
    }
  /** A recorded message, without secrets. `id` of its case; `took`: milliseconds of wall time. */
  | { readonly kind: 'message'; readonly id?: string; readonly message: Message; readonly took: number }
  | { readonly kind: 'waiting'; readonly waiting: readonly Waiting[]; readonly now: number }
  /** Manual tasks that wait for the operator, beside the one that is shown. */
  | { readonly kind: 'tasks'; readonly waiting: number }
  | { readonly kind: 'advanced'; readonly to: number }
  /** `disturbs`: the machine of the run did what leaves cases without a verdict. */
  | { readonly kind: 'note'; readonly text: string; readonly disturbs?: true };

/** Receives the progress and the result of a run. An error that it throws ends the reporter, never the run. */
export interface Reporter {
  /** Gets everything that the engine says, at once; it should be quick, since the run waits for it. */
  readonly event?: (event: ProgressEvent) => void;
  /** Gets the result when the run is over, and is waited for, 60 s at most. */
  readonly result?: (result: Result) => void | Promise<void>;
}

export interface ReporterContext {
  /** The folder of the run; absent where none is kept. */
  readonly folder?: string;
}

/** The default export of a module that `--reporter` names: a reporter, or what makes one for a run. */
export type ReporterModule = Reporter | ((context: ReporterContext) => Reporter | Promise<Reporter>);
