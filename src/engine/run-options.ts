import type { Hours } from '../lib/hours.ts';
import { omitUndefined } from '../lib/json.ts';
import { countNoun, memoizeByObject } from '../lib/lists.ts';
import { createEffectLookup } from '../verdict/effect.ts';
import type { Finding } from '../model/finding.ts';
import type { ExpectedFailure } from '../model/expected-failure.ts';
import type { LimitResult, ProfileEntry } from '../model/limit.ts';
import type { ProgressEvent } from '../model/progress.ts';
import type { CaseOrder } from './plan/case-order.ts';
import type { Profile } from '../model/profile.ts';
import type { Gap, ResultHeader, RootCause, Shard } from '../model/result.ts';
import type { Target } from '../model/target.ts';
import type { FirstRefusal, Narrowed, RequestHold, RunnableInterface, RunServices } from './context/case-context.ts';
import type { Root } from '../verdict/root-cause.ts';
import type { RunState } from './context/run-state.ts';
import type { Operator } from './context/operator.ts';
import type { CaseSummary } from './case/case-result.ts';
import type { JournalEntry } from '../journal/entries.ts';
import type { SelectedSuites, Selection } from './plan/select.ts';
import type { Suites } from '../suite/suites.ts';
import { Interrupted, type Timeline } from './clock/timeline.ts';
import { describeSilence, type SilentEndpoint } from './context/circuit.ts';

/** Finished case of an interrupted run. */
export interface RestoredCase extends CaseSummary {
  readonly exchanges: number;
  readonly deliveries: number;
  /** Clients with an accepted request, and those with an accepted plain request. */
  readonly acceptedFrom: readonly string[];
  readonly plainAcceptedFrom: readonly string[];
}

/** Run to go on with. */
export interface InterruptedRun {
  readonly header: ResultHeader;
  /** Finished cases by id; a case that did not run is decided anew. */
  readonly cases: ReadonlyMap<string, RestoredCase>;
  /** Entries that the resumed run's journal copies: finished cases, and encrypted records. */
  readonly entries: readonly JournalEntry[];
  /** Earlier gaps, and the one that ends now. */
  readonly gaps: readonly Gap[];
}

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
  /** Hours of the local day in which cases may reach phones and people; in real time only. */
  readonly hours?: Hours;
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

interface RefusedClient {
  readonly first: FirstRefusal;
  readonly cases: Set<string>;
  /** Other forms of the request, as the carrier took them; undefined while none was tried. */
  narrowed?: Promise<Narrowed>;
}

export interface RunStop {
  reason: string | undefined;
  /** Set if the carrier refuses the plain request of a client, with the reason: P14. */
  root?: { readonly cause: Omit<RootCause, 'accepted'>; readonly reason: string };
  /** First refusal of the plain request, by client, with the cases that met one. Empty if the run goes on regardless. */
  readonly refused: Map<string, RefusedClient>;
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

export const createRunStop = (): RunStop => ({
  reason: undefined,
  interrupted: false,
  cause: undefined,
  refused: new Map(),
});

type AcceptedClients = Pick<RunState, 'acceptedFrom' | 'plainAcceptedFrom'>;

interface StoppableRun {
  readonly options: Pick<RunOptions, 'bail' | 'keepGoing' | 'progress'>;
  readonly stop: RunStop;
  readonly state: AcceptedClients;
}

const rootReason = (client: string): string =>
  `the carrier refuses the plain request of client ${client}, so no other verdict would mean anything`;

/** The root of a stopped run, with the clients that it says nothing about. */
export const rootOf = (
  { reason }: NonNullable<RunStop['root']>,
  { plainAcceptedFrom }: Pick<RunState, 'plainAcceptedFrom'>,
): Root => ({ reason, accepted: [...plainAcceptedFrom].toSorted() });

const demandWords = ({ words, rule }: Narrowed['accepted'][number]): string =>
  `it is accepted ${words}${rule === undefined ? '' : `, so the carrier demands what is optional (${rule})`}`;

/** Sentences about the other forms of a refused plain request. */
export const narrowedWords = ({ tried, accepted, over }: Narrowed): readonly string[] =>
  over === true
    ? ['it is accepted when it is sent again']
    : accepted.length > 0
      ? accepted.map(demandWords)
      : [`it is refused in ${countNoun(tried, 'other form')} as well, each with one member less or another value`];

/** A run that ends while other forms are tried says nothing of them. */
function unlessInterrupted(error: unknown): undefined {
  if (!(error instanceof Interrupted)) throw error;
}

async function refusedCause({ first, cases, narrowed }: RefusedClient): Promise<Omit<RootCause, 'accepted'>> {
  const { case: _, passing: __, ...refused } = first;
  const found = await narrowed?.catch(unlessInterrupted);
  const tried = found && narrowedWords(found);
  return { ...refused, cases: [...cases].slice(0, 2), ...omitUndefined({ tried }) };
}

/** Refusals that stop a run, each in a case of its own; one may be a hiccup of a proxy in front of the carrier. */
const refusalsThatStop = 2;
/** The same for a client with another request accepted, because a carrier may refuse requests while others wait, and for passing failures. */
const refusalsThatMayPass = 8;

/** Stops the run if the plain request of a client is refused: the target file or the registration is wrong, so all others would fail. */
export function createRefusalStop(
  { stop, options, state }: StoppableRun,
  timeline: Timeline,
): RunServices['onFirstRefused'] {
  if (options.keepGoing !== false) return undefined;
  return async (refusal, narrow) => {
    const { client, case: id, came, passing } = refusal;
    const refused: RefusedClient = stop.refused.get(client) ?? { first: refusal, cases: new Set() };
    stop.refused.set(client, refused);
    refused.cases.add(id);
    if (!passing) refused.narrowed ??= narrow();
    const cause = await refusedCause(refused);
    const needed = passing || state.acceptedFrom.has(client) ? refusalsThatMayPass : refusalsThatStop;
    if (stop.reason !== undefined || refused.cases.size < needed || state.plainAcceptedFrom.has(client)) return;
    stop.reason = `stopped: ${rootReason(client)}`;
    stop.root = { cause, reason: stop.reason };
    options.progress({
      kind: 'note',
      text: `stopped: the carrier refuses the plain request of client ${client}: ${came}`,
    });
    timeline.interrupt();
  };
}

/** Whether each plain request so far was refused: the target file or the registration may be wrong. */
const isRefusedThroughout = ({ stop, state }: Pick<StoppableRun, 'state' | 'stop'>): boolean =>
  stop.refused.size > 0 && state.plainAcceptedFrom.size === 0;

/** Notes the refused plain request of a run that ends without an accepted one, and without two cases that met a refusal. */
export async function noteRootAtEnd(stoppable: Pick<StoppableRun, 'state' | 'stop'>): Promise<void> {
  const { stop } = stoppable;
  const [refused] = stop.refused.values();
  if (refused === undefined || stop.root !== undefined || !isRefusedThroughout(stoppable)) return;
  stop.root = { cause: await refusedCause(refused), reason: rootReason(refused.first.client) };
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

/** Stops because the carrier's settable clock failed during the run: what was judged before it stays. */
export function stopWithoutClock({ message }: Error, stop: RunStop, timeline: Pick<Timeline, 'interrupt'>): void {
  stop.reason ??= `stopped: ${message}`;
  timeline.interrupt();
}

/** `--bail`: stops the cases under way and starts no others. */
export function bailOut(where: string, stoppable: StoppableRun, timeline: Timeline): void {
  const { options, stop } = stoppable;
  // A refused plain request explains other failures, and ends the run itself if it is not the only one.
  if (!options.bail || stop.reason !== undefined || isRefusedThroughout(stoppable)) return;
  stop.reason = `stopped after the first failure, ${where} (--bail)`;
  timeline.interrupt();
}

/** Effect of a finding on this run, as known before its end. */
export const findingEffect = memoizeByObject(({ suites, profile, selection, expected }: RunOptions) =>
  createEffectLookup({
    rules: suites.rules,
    counting: { profile, selection: selection.what },
    expected,
    today: new Date().toISOString().slice(0, 10),
  }),
);

/** The part of it that a progress event tells. */
export function createToldEffect(
  options: RunOptions,
): (finding: Finding, judge: string) => { readonly effect?: 'expected' | 'uncounted' } {
  const effectOf = findingEffect(options);
  return (finding, judge) => {
    const effect = effectOf(finding, judge);
    return effect === 'expected' || effect === 'uncounted' ? { effect } : {};
  };
}
