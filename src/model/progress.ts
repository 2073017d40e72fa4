import type { Message } from './exchange.ts';
import type { Finding } from './finding.ts';
import type { Verdict } from './rule.ts';
import type { Result } from './result.ts';

/** Case that waits for an event or a moment. */
export interface WaitingCase {
  readonly case: string;
  /** In words: `a callback`, `the moment of step replay`. */
  readonly for: string;
  /** Milliseconds since the epoch, on the run's clock. */
  readonly until: number;
  /** Nothing ends the wait before that moment. */
  readonly fixed?: true;
}

/** Act of a person that the plan of a run has; `at` in seconds from the beginning. */
export interface PlannedAct {
  readonly case: string;
  readonly step: string;
  readonly action: string;
  readonly at: number;
}

/** Planned length of a run in real time. Seconds from its beginning. */
export interface PlannedLength {
  readonly seconds: number;
  /** Critical path: the cases that determine the length, each waiting for the previous one, with their ends. */
  readonly path: readonly { readonly case: string; readonly ends: number }[];
}

/** Progress of a run; no part of its result. */
export type ProgressEvent =
  | {
      readonly kind: 'started';
      readonly cases: number;
      /** Absent on a virtual clock, which skips every wait. */
      readonly planned?: PlannedLength;
    }
  /** The case has its locks and begins. */
  | { readonly kind: 'case-started'; readonly id: string }
  /** Finding in case `id`: sent when the case ends, or at once for the first violation of an invariant. */
  | {
      readonly kind: 'finding';
      readonly id: string;
      readonly invariant?: string;
      readonly finding: Finding;
      /** Why a required finding does not make the run red; absent if it does. */
      readonly effect?: 'expected' | 'uncounted';
    }
  /** `undone`: the run stopped before the case had a verdict. */
  | {
      readonly kind: 'case-finished';
      readonly id: string;
      readonly verdict: Verdict;
      readonly reason?: string;
      readonly undone?: true;
    }
  /** Recorded message without secrets. `id` is its case; `took` is wall time in milliseconds. */
  | { readonly kind: 'message'; readonly id?: string; readonly message: Message; readonly took: number }
  | { readonly kind: 'waiting'; readonly waiting: readonly WaitingCase[]; readonly now: number }
  /** Number of manual tasks behind the one on display. */
  | { readonly kind: 'tasks'; readonly waiting: number }
  /** Acts of people: begun and in all, answered before a run was cut off, and the next of the plan. */
  | {
      readonly kind: 'acts';
      readonly begun: number;
      readonly of: number;
      readonly before: number;
      readonly next?: PlannedAct;
    }
  | { readonly kind: 'advanced'; readonly to: number }
  /** `disturbs`: a problem on the run's machine leaves cases without a verdict. */
  | { readonly kind: 'note'; readonly text: string; readonly disturbs?: true };

/** Receives progress and result of a run. If it throws, the reporter ends and the run goes on. */
export interface Reporter {
  /** Called at once for every event of the engine. The run waits for it, so it should be quick. */
  readonly event?: (event: ProgressEvent) => void;
  /** Called with the result when the run is over; awaited for at most 60 s. */
  readonly result?: (result: Result) => void | Promise<void>;
}

export interface ReporterContext {
  /** Folder of the run, if one is kept. */
  readonly folder?: string;
}

/** Default export of a `--reporter` module: a reporter, or a function that makes one for a run. */
export type ReporterModule = Reporter | ((context: ReporterContext) => Reporter | Promise<Reporter>);
