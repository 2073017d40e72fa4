import type { ExpectedFailure } from '../model/expected.ts';
import type { LimitResult, ProfileEntry } from '../model/limit.ts';
import type { ProgressEvent } from '../model/progress.ts';
import type { CaseOrder } from '../model/order.ts';
import type { Profile } from '../model/profile.ts';
import type { ResultHeader, RootCause, Shard } from '../model/result.ts';
import type { Target } from '../model/target.ts';
import type { Hold, RunnableInterface, World } from './context/case-context.ts';
import type { Operator } from './context/operator.ts';
import type { InterruptedRun } from './resume/interrupted-run.ts';
import type { Selected, Selection } from './plan/select.ts';
import type { Suites } from '../suite/suites.ts';
import type { Timeline } from './clock/timeline.ts';
import { describeSilence, type SilentEndpoint } from './context/circuit.ts';

interface CarrierOptions {
  readonly interface: RunnableInterface;
  readonly suites: Suites;
  readonly target: Target;
  /** Credentials beside those of the target file, by what they are: no record shows them. */
  readonly secrets?: readonly (readonly [what: string, secret: string])[];
  /** By what the carrier is measured. */
  readonly profile: Profile;
}

interface SelectionOptions {
  readonly selected: Selected;
  readonly selection: Selection;
  readonly shard?: Shard;
  /** Only what is planned to be over in so many seconds runs; `text` as it was typed. */
  readonly budget?: { readonly seconds: number; readonly text: string };
  /** The order in which cases begin; without it, the planned one. */
  readonly order?: CaseOrder;
}

interface ExecutionOptions {
  /** Exchanges under way at the same time. */
  readonly jobs: number;
  /** Cases that are open at the same time; 250 unless said. */
  readonly open?: number;
  /** False: no case is run a second time to confirm what it found. */
  readonly confirm?: boolean;
  readonly hold?: Hold;
  /** False: a client whose first plain request is refused ends the run. Default: the run goes on. */
  readonly keepGoing?: boolean;
  readonly bail: boolean;
  /** Answers `ask` drivers; without an operator they count as no driver. */
  readonly operator?: Operator;
  /** Endpoints and receiver are tried before the first case. */
  readonly preflight?: boolean;
  /** The carrier is there when the run has ended: what the run leaves behind is reported. */
  readonly outlives?: boolean;
  readonly progress: (event: ProgressEvent) => void;
  /** Aborted: end cleanly with what is finished. */
  readonly signal: AbortSignal;
}

interface RecordOptions {
  readonly journal: string;
  /** Files that go with the journal, the result first: those of an earlier run are moved before this one begins. */
  readonly beside?: readonly string[];
  /** Id of the run; without it, the run takes one. */
  readonly run?: string;
  readonly tool: ResultHeader['tool'];
  /** Repeated in the command that runs a case again. */
  readonly flags: readonly string[];
  /** The journal keeps, encrypted with the private keys of the target, what `--resume` needs. */
  readonly resumable?: boolean;
  readonly resume?: InterruptedRun;
  /** Failures that are known; what became of each is in the footer. */
  readonly expected?: readonly ExpectedFailure[];
  /** What an expected failure may name, where areas are left out of `suites`. */
  readonly nameable?: Suites;
  /** What was measured before, and what the cases are to say of the carrier's profile. */
  readonly measured?: { readonly limits: readonly LimitResult[]; readonly profile: readonly ProfileEntry[] };
  /** When what was measured before began, in milliseconds since the epoch on the clock of the run: it belongs to the run. */
  readonly begunAt?: number;
}

export interface RunOptions extends CarrierOptions, SelectionOptions, ExecutionOptions, RecordOptions {}

export interface Stop {
  reason: string | undefined;
  /** The carrier refuses the plain request of a client: P14. */
  root?: RootCause;
  interrupted: boolean;
  cause: unknown;
}

/** Settings of a run that selects no case and reports no progress. */
export const idleRun = (of: CarrierOptions & Pick<RecordOptions, 'tool'>): RunOptions => ({
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

interface Stopping {
  readonly options: Pick<RunOptions, 'bail' | 'keepGoing' | 'progress'>;
  readonly stop: Stop;
}

/** A client whose plain request is refused would be refused all day: the target file or the registration is not right. */
export function stopRefused({ stop, options }: Stopping, timeline: Timeline): World['onFirstRefused'] {
  if (options.keepGoing !== false) return undefined;
  const before = new Map<string, string>();
  return ({ client, case: id, sent, came, causes }) => {
    const first = before.get(client);
    before.set(client, first ?? id);
    // One refusal may be a hiccup of what stands in front of the carrier.
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

/** An endpoint that answered nothing yet would take the whole time limit of each request. */
export function stopSilent({ stop, options }: Stopping, timeline: Timeline): (endpoint: SilentEndpoint) => void {
  return (endpoint) => {
    if (options.keepGoing !== false || !endpoint.never || stop.reason !== undefined) return;
    stop.reason = `stopped: ${describeSilence(endpoint)}. Look at carrierspec check --preflight; --keep-going runs on`;
    options.progress({ kind: 'note', text: stop.reason });
    timeline.interrupt();
  };
}

/** `--bail`: what is under way is stopped, and what has not begun does not run. */
export function bailOut(where: string, { options, stop }: Stopping, timeline: Timeline): void {
  if (!options.bail || stop.reason !== undefined) return;
  stop.reason = `stopped after the first failure, ${where} (--bail)`;
  timeline.interrupt();
}
