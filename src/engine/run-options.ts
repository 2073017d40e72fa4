import type { ProgressEvent } from '../model/progress.ts';
import type { ResultHeader } from '../model/result.ts';
import type { Suites } from '../model/suite.ts';
import type { Target } from '../model/target.ts';
import type { Operator } from './operator.ts';
import type { Selected, Selection } from './select.ts';

export interface RunOptions {
  readonly suites: Suites;
  readonly selected: Selected;
  readonly selection: Selection;
  readonly target: Target;
  readonly journal: string;
  /** Exchanges under way at the same time. */
  readonly jobs: number;
  /** Stop at the first failure. */
  readonly bail: boolean;
  readonly progress: (event: ProgressEvent) => void;
  /** Aborted: end cleanly with what is finished. */
  readonly signal: AbortSignal;
  /** Who answers `ask` drivers; without one they count as no driver. */
  readonly operator?: Operator;
  readonly tool: ResultHeader['tool'];
  /** Repeated in the command that runs a case again. */
  readonly flags: readonly string[];
}

/** Why a run ended before its cases did. */
export interface Stop {
  reason: string | undefined;
  interrupted: boolean;
  cause: unknown;
}
