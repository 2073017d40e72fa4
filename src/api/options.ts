import type { ProgressEvent, ReporterModule } from '../model/progress.ts';
import { CarrierspecError } from '../model/problem.ts';
import type { WantedOrder } from '../model/order.ts';
import type { Profile } from '../model/profile.ts';
import type { CaseResult, Result } from '../model/result.ts';
import type { FormatName } from '../report/formats.ts';

/** The formats of `reports`. */
export type ReportName = FormatName;

/** A carrier by its target file, which `env` fills in; without `env`, the environment of the process does. */
export interface TargetFile {
  readonly file: string;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The embedded reference carrier with these faults, on a virtual clock: a whole run takes seconds, and reaches no network. */
export interface EmbeddedTarget {
  readonly faults: readonly string[];
}

/** Who is certified: the path of a target file, a target file with its environment, or the embedded reference carrier. */
export type TargetChoice = string | TargetFile | EmbeddedTarget;

/** How a carrier is certified; each means what the flag of `carrierspec run` with its name means. */
export interface CertifyOptions {
  /** Ids or globs of rules, cases, suites or areas; default: everything. */
  readonly what?: readonly string[];
  /** Further folders of suites. */
  readonly suites?: readonly string[];
  /** Areas to leave out. */
  readonly without?: readonly string[];
  /** The rules that count; default: those that the target file says, else interface. */
  readonly profile?: Profile;
  /** A file of failures that are known. */
  readonly expected?: string;
  /** Run only what is planned to be over in so many seconds. */
  readonly budget?: number;
  /** The order in which cases begin; default: the planned one. `shuffled` draws a seed, which `onNote` gets. */
  readonly order?: WantedOrder;
  /** Stop at the first failure; default: false. */
  readonly bail?: boolean;
  /** Let nothing end the run early; default: false. */
  readonly keepGoing?: boolean;
  /** Exchanges under way at the same time; default: 16. */
  readonly jobs?: number;
  /** The folder where journal, result and the usual reports are kept; default: nothing is kept. */
  readonly out?: string;
  /** Further reports, by their paths. */
  readonly reports?: Readonly<Partial<Record<ReportName, string>>>;
  /** Modules or objects that are told of the run; a text is the path of a module. */
  readonly reporters?: readonly (string | ReporterModule)[];
  /** Gets everything that the engine says, as the `event` of a reporter. */
  readonly onEvent?: (event: ProgressEvent) => void;
  /** Gets what the program would write to stderr, a line at a time; default: nobody does. */
  readonly onNote?: (line: string) => void;
  /** Aborted: the run undoes what it changed, and ends with what is finished; its result says that it was interrupted. */
  readonly signal?: AbortSignal;
}

/** A result with all of its cases in memory. */
export interface CertifyResult extends Omit<Result, 'cases'> {
  readonly cases: readonly CaseResult[];
}

/** A reporter threw. The run came to its end all the same. */
export class ReporterError extends CarrierspecError {
  readonly result: CertifyResult;

  constructor(cause: unknown, result: CertifyResult) {
    super(cause instanceof Error ? cause.message : String(cause), { code: 'reporter-failed', cause });
    this.result = result;
  }
}
