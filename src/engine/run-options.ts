import type { ExpectedFailure } from '../model/expected-failure.ts';
import type { LimitResult, ProfileEntry } from '../model/limit.ts';
import type { ProgressEvent } from '../model/progress.ts';
import type { CaseOrder } from './plan/case-order.ts';
import type { Profile } from '../model/profile.ts';
import type { ResultHeader, RootCause, Shard } from '../model/result.ts';
import type { Target } from '../model/target.ts';
import type { RequestHold, RunnableInterface, RunServices } from './context/case-context.ts';
import type { Operator } from './context/operator.ts';
import type { InterruptedRun } from './resume/interrupted-run.ts';
import type { SelectedSuites, Selection } from './plan/select.ts';
import type { Suites } from '../suite/suites.ts';
import type { Timeline } from './clock/timeline.ts';
import { describeSilence, type SilentEndpoint } from './context/circuit.ts';

interface CarrierUnderTest {
  readonly interface: RunnableInterface;
  readonly suites: Suites;
  readonly target: Target;
  /** Credentials in addition to those of the target file, each with its name: no record shows them. */
  readonly secrets?: readonly (readonly [what: string, secret: string])[];
  /** Profile that decides the verdict on the carrier. */
  readonly profile: Profile;
}

interface SelectionOptions {
  readonly selected: SelectedSuites;
  readonly selection: Selection;
  readonly shard?: Shard;
  /** Only cases planned to end within so many seconds run; `text` as typed. */
  readonly budget?: { readonly seconds: number; readonly text: string };
  /** Start order of the cases; default: the planned one. */
  readonly order?: CaseOrder;
}

interface ExecutionOptions {
  /** Most concurrent exchanges. */
  readonly jobs: number;
  /** Most cases open at the same time; default 250. */
  readonly open?: number;
  /** False: findings are not confirmed by a second run of the case. */
  readonly confirm?: boolean;
  readonly hold?: RequestHold;
  /** False: the run ends if a client's plain request is refused, or an endpoint never answers. Default: the run goes on. */
  readonly keepGoing?: boolean;
  readonly bail: boolean;
  /** Answers `ask` drivers; without an operator they count as missing. */
  readonly operator?: Operator;
  /** Checks before the first case that the request endpoint and the receiver can be reached. */
  readonly preflight?: boolean;
  /** The carrier outlives the run: the result lists what the run leaves behind. */
  readonly outlives?: boolean;
  readonly progress: (event: ProgressEvent) => void;
  /** Aborted: the run ends cleanly with the finished cases. */
  readonly signal: AbortSignal;
}

interface RecordOptions {
  readonly journal: string;
  /** Files that accompany the journal, the result first. The run moves those of an earlier run away before it begins. */
  readonly beside?: readonly string[];
  /** Id of the run; default: a new one. */
  readonly run?: string;
  readonly tool: ResultHeader['tool'];
  /** Flags repeated in the command that runs a case again. */
  readonly flags: readonly string[];
  /** The journal keeps what `--resume` needs, encrypted with the target's private keys. */
  readonly resumable?: boolean;
  readonly resume?: InterruptedRun;
  /** Expected failures; the footer has the outcome of each. */
  readonly expected?: readonly ExpectedFailure[];
  /** Suites whose cases an expected failure may name, if `suites` is narrowed to some areas. */
  readonly nameable?: Suites;
  /** Limits and profile entries measured before the cases. */
  readonly measured?: { readonly limits: readonly LimitResult[]; readonly profile: readonly ProfileEntry[] };
  /** Start of that measurement, which belongs to the run: milliseconds since the epoch on the clock of the run. */
  readonly begunAt?: number;
}

export interface RunOptions extends CarrierUnderTest, SelectionOptions, ExecutionOptions, RecordOptions {}

export interface RunStop {
  reason: string | undefined;
  /** Set if the carrier refuses the plain request of a client: P14. */
  root?: RootCause;
  interrupted: boolean;
  cause: unknown;
}

/** Options of a run that selects no case and reports no progress. */
export const createIdleOptions = (of: CarrierUnderTest & Pick<RecordOptions, 'tool'>): RunOptions => ({
  ...of,
  selected: { cases: [], invariants: [], rules: new Set() },
  selection: { what: [], level: 'informational' },
  journal: '',
  jobs: 16,
  bail: false,
  progress: () => undefined,
  signal: new AbortController().signal,
  flags: [],
});

interface StoppableRun {
  readonly options: Pick<RunOptions, 'bail' | 'keepGoing' | 'progress'>;
  readonly stop: RunStop;
}

/** Stops at the second case with a refused plain request: the target file or the registration is wrong, so all others would fail. */
export function createRefusalStop({ stop, options }: StoppableRun, timeline: Timeline): RunServices['onFirstRefused'] {
  if (options.keepGoing !== false) return undefined;
  const before = new Map<string, string>();
  return ({ client, case: id, sent, came, causes }) => {
    const first = before.get(client);
    before.set(client, first ?? id);
    // One refusal may be a hiccup of a proxy in front of the carrier.
    if (stop.reason !== undefined || first === undefined || first === id) return;
    stop.reason = `stopped: the carrier refuses the plain request of client ${client}, so no other verdict would mean anything`;
    stop.root = { client, cases: [first, id], sent, came, causes };
    options.progress({
      kind: 'note',
      text: `stopped: the carrier refuses the plain request of client ${client}: ${came}`,
    });
    timeline.interrupt();
  };
}

/** Stops at an endpoint that has never answered: each request to it would take the whole time limit. */
export function createSilenceStop(
  { stop, options }: StoppableRun,
  timeline: Timeline,
): (endpoint: SilentEndpoint) => void {
  return (endpoint) => {
    if (options.keepGoing !== false || !endpoint.never || stop.reason !== undefined) return;
    stop.reason = `stopped: ${describeSilence(endpoint)}. Look at carrierspec check --preflight; --keep-going runs on`;
    options.progress({ kind: 'note', text: stop.reason });
    timeline.interrupt();
  };
}

/**
 * Stops because the clock of the machine was set. Nothing tells whether its old or its new time is right, nor which of them a
 * carrier on the same machine has, so dates that are sent or come can no longer be judged.
 */
export function stopWithoutTime(words: string, stop: RunStop, timeline: Pick<Timeline, 'interrupt'>): void {
  stop.reason ??= `stopped: ${words}, so the run no longer knows the time. See that the clock is right, then run again`;
  timeline.interrupt();
}

/** `--bail`: stops the cases under way and starts no others. */
export function bailOut(where: string, { options, stop }: StoppableRun, timeline: Timeline): void {
  if (!options.bail || stop.reason !== undefined) return;
  stop.reason = `stopped after the first failure, ${where} (--bail)`;
  timeline.interrupt();
}
