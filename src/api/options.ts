import type { ProgressEvent, ReporterModule } from '../model/progress.ts';
import { CarrierspecError } from '../model/problem.ts';
import type { WantedOrder } from '../engine/plan/case-order.ts';
import type { Profile } from '../model/profile.ts';
import type { CaseResult, Result } from '../model/result.ts';
import type { FormatName } from '../report/formats.ts';

/** Formats of `reports`. */
export type ReportName = FormatName;

/** A target file and the environment for its variables; default: the environment of the process. */
export interface TargetFile {
  readonly file: string;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The embedded reference carrier with these faults, on a virtual clock: a full run takes seconds and uses no network. */
export interface EmbeddedTarget {
  readonly faults: readonly string[];
}

/** Carrier to certify: the path of a target file, a target file with its environment, or the embedded reference carrier. */
export type TargetChoice = string | TargetFile | EmbeddedTarget;

/** Options of a run; each means the same as the flag of `carrierspec run` with its name. */
export interface CertifyOptions {
  /** Ids or globs of rules, cases, suites or areas; default: all. */
  readonly what?: readonly string[];
  /** Additional suite folders. */
  readonly suites?: readonly string[];
  /** Areas to leave out. */
  readonly without?: readonly string[];
  /** Rules that count; default: the target file's profile, else interface. */
  readonly profile?: Profile;
  /** File of expected failures. */
  readonly expected?: string;
  /** Run only cases planned to finish within this time, in seconds. */
  readonly budget?: number;
  /** Order in which cases start; default: the planned one. `shuffled` draws a seed and passes it to `onNote`. */
  readonly order?: WantedOrder;
  /** Stop at the first failure; default: false. */
  readonly bail?: boolean;
  /** Never end the run early; default: false. */
  readonly keepGoing?: boolean;
  /** Maximum concurrent exchanges; default: 16. */
  readonly jobs?: number;
  /** Folder for the journal, the result and the usual reports; default: nothing is kept. */
  readonly out?: string;
  /** Additional reports: the path for each format. */
  readonly reports?: Readonly<Partial<Record<ReportName, string>>>;
  /** Reporters: module paths or objects. */
  readonly reporters?: readonly (string | ReporterModule)[];
  /** Receives every engine event, like the `event` function of a reporter. */
  readonly onEvent?: (event: ProgressEvent) => void;
  /** Receives each line that the program would write to stderr; default: discarded. */
  readonly onNote?: (line: string) => void;
  /** On abort, the run undoes its changes and ends with the finished cases; the result says that it was interrupted. */
  readonly signal?: AbortSignal;
}

/** A result with all of its cases in memory. */
export interface CertifyResult extends Omit<Result, 'cases'> {
  readonly cases: readonly CaseResult[];
}

/** Thrown after the run if a reporter threw; `result` is complete. */
export class ReporterError extends CarrierspecError {
  readonly result: CertifyResult;

  constructor(cause: unknown, result: CertifyResult) {
    super(cause instanceof Error ? cause.message : String(cause), { code: 'reporter-failed', cause });
    this.result = result;
  }
}
