import type { ProgressEvent } from './progress.ts';
import type { Result } from './result.ts';

/** What is told of a run while it lasts and when it is over. An error that it throws ends the reporter, and never the run. */
export interface Reporter {
  /** Gets everything that the engine says, at once; it should be quick, since the run waits for it. */
  readonly event?: (event: ProgressEvent) => void;
  /** Gets the result when the run is over, and is waited for, 60 s at most. */
  readonly result?: (result: Result) => void | Promise<void>;
}

/** Where a reporter is at work. */
export interface ReporterContext {
  /** The folder of the run; absent where none is kept. */
  readonly folder?: string;
}

/** The default export of a module that `--reporter` names: a reporter, or what makes one for a run. */
export type ReporterModule = Reporter | ((context: ReporterContext) => Reporter | Promise<Reporter>);
