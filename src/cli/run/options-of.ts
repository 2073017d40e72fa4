import { select } from '../../engine/plan/select.ts';
import { selectShard } from '../../engine/plan/shard.ts';
import { type InterruptedRun, readInterruptedRun } from '../../engine/resume/interrupted-run.ts';
import type { RunOptions } from '../../engine/run-options.ts';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { judgeBefore, knownOf } from '../../judge/expected.ts';
import { anySeed } from '../../lib/covering/random.ts';
import { defined } from '../../lib/optional.ts';
import type { ExpectedFailure } from '../../model/expected.ts';
import { type CaseOrder, withSeed } from '../../model/order.ts';
import type { Shard } from '../../model/result.ts';
import type { Target } from '../../model/target.ts';
import { staleWords } from '../../report/shared/notes.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import { readExpected } from '../../setup/read.ts';
import type { Suites } from '../../suite/suites.ts';
import type { runDefinition } from '../definitions/certify.ts';
import { suggestNames } from '../shared/choose.ts';
import type { Given } from '../shared/command.ts';
import { renderFlags } from '../shared/flags.ts';
import type { Invocation, Stream } from '../shared/invocation.ts';
import { filesBeside, journalIn, type Place } from '../shared/kept.ts';
import type { WantedReport } from '../shared/reports.ts';
import { idleRun } from '../shared/setup.ts';

type RunFlags = Given<typeof runDefinition>;

/** What is left of the run that `--resume` names; undefined without the flag. Throws where no run can be resumed. */
function interruptedRunOf({ resume }: RunChoice, journal: string): InterruptedRun | undefined {
  return resume ? readInterruptedRun(journal, Date.now()) : undefined;
}

/** Says at the start which entries of expected.yaml have to be deleted: a run may take a day. */
function warnOfStale(entries: readonly ExpectedFailure[], suites: Suites, stderr: Stream): void {
  const today = new Date().toISOString().slice(0, 10);
  for (const entry of judgeBefore(entries, knownOf(suites, today))) stderr.write(`${forTerminal(staleWords(entry))}\n`);
}

/** The order that was asked for, with its seed, which is printed. */
function orderOf({ order: wanted }: RunChoice, stderr: Stream): CaseOrder | undefined {
  const order = wanted && withSeed(wanted, anySeed);
  if (order !== undefined) stderr.write(`order of cases: ${forTerminal(order)}\n`);
  return order;
}

/** What a run is of, and where it is kept. */
export interface Subject {
  /** All suites, and those without the areas that `--without` names. */
  readonly shipped: Suites;
  readonly suites: Suites;
  readonly target: Target;
  readonly shard: Shard | undefined;
  readonly place: Place;
  readonly reports: readonly WantedReport[];
}

/** What the flags of a run say of its options. */
export type RunChoice = Pick<
  RunFlags,
  | 'what'
  | 'target'
  | 'suites'
  | 'fault'
  | 'without'
  | 'profile'
  | 'resume'
  | 'budget'
  | 'order'
  | 'expected'
  | 'keepGoing'
  | 'bail'
  | 'jobs'
>;

/** Settings of a carrier from a target file that differ from the embedded one's. */
function optionsFor({ target, keepGoing }: RunChoice) {
  const ownTarget = target !== undefined;
  return {
    outlives: ownTarget,
    resumable: ownTarget,
    // The registrations of the embedded carrier are right: a refusal is a fault that was asked for.
    keepGoing: keepGoing || !ownTarget,
    preflight: ownTarget && !keepGoing,
  };
}

/** The options of the run that the flags say, but for what a terminal adds. */
export function optionsOf(given: RunChoice, subject: Subject, { stderr }: Pick<Invocation, 'stderr'>): RunOptions {
  const { shipped, suites, target, shard, place, reports } = subject;
  const { what, profile = target.profile } = given;
  const selection = { what, level: 'informational' } as const;
  const chosen = select(suites, selection, suggestNames);
  const expected = given.expected === undefined ? undefined : readExpected(given.expected);
  warnOfStale(expected ?? [], shipped, stderr);
  const selected =
    shard === undefined ? chosen : selectShard(chosen, shard, { interface: serverInitiated, suites, target });
  const order = orderOf(given, stderr);
  const journal = journalIn(place.folder);
  return {
    ...idleRun({ suites, target }),
    ...optionsFor(given),
    selected,
    journal,
    selection,
    beside: filesBeside(place.folder, reports),
    jobs: given.jobs,
    bail: given.bail,
    nameable: shipped,
    profile: profile ?? 'interface',
    flags: renderFlags({ ...given, ...defined({ profile, order }) }),
    ...defined({
      run: place.run,
      resume: interruptedRunOf(given, journal),
      expected,
      budget: given.budget,
      order,
      shard,
    }),
  };
}
