import { selectSuites } from '../../engine/plan/select.ts';
import { selectShard } from '../../engine/plan/shard.ts';
import { readInterruptedRun } from '../../engine/resume/interrupted-run.ts';
import type { RunOptions } from '../../engine/run-options.ts';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { judgeStaleEntries, knownNames } from '../../verdict/expected.ts';
import { drawSeed } from '../../lib/covering/random.ts';
import { omitUndefined } from '../../lib/json.ts';
import type { ExpectedFailure } from '../../model/expected-failure.ts';
import { type CaseOrder, withSeed } from '../../engine/plan/case-order.ts';
import type { CarrierspecError } from '../../model/problem.ts';
import type { Shard } from '../../model/result.ts';
import { staleWords } from '../../report/shared/notes.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import { readExpected } from '../../setup/read-files.ts';
import { referenceTarget } from '../../setup/reference.ts';
import type { Suites } from '../../suite/suites.ts';
import type { runDefinition } from '../definitions/certify.ts';
import { suggestNames, withoutParts } from '../shared/choose.ts';
import type { CommandInputs, Invocation, Stream } from '../shared/command.ts';
import { chooseHours, renderFlags } from '../shared/flags.ts';
import { usageError } from '../shared/inputs.ts';
import { filesBeside, journalPath, type RunFolder } from '../shared/run-folder.ts';
import type { RequestedReport } from '../shared/reports.ts';
import { idleProgramRun, readMatchingTarget } from '../shared/setup.ts';

/** Choices for a run, from flags or library options. */
export type RunChoice = Pick<
  CommandInputs<typeof runDefinition>,
  | 'what'
  | 'target'
  | 'suites'
  | 'fault'
  | 'without'
  | 'profile'
  | 'resume'
  | 'budget'
  | 'hours'
  | 'order'
  | 'expected'
  | 'keepGoing'
  | 'bail'
  | 'jobs'
>;

/** Context of a run: loaded suites, open folder, stream for notes. */
export interface RunGround extends Pick<Invocation, 'stderr' | 'env'> {
  readonly shipped: Suites;
  readonly place: RunFolder;
  readonly reports: readonly RequestedReport[];
  readonly shard?: Shard | undefined;
  /** Cases and invariants repeated by `--last-failed`. */
  readonly ids?: ReadonlySet<string> | undefined;
}

/** Reports stale entries of expected.yaml at the start: a run may take a day. */
function warnOfStale(entries: readonly ExpectedFailure[], suites: Suites, stderr: Stream): void {
  const today = new Date().toISOString().slice(0, 10);
  for (const entry of judgeStaleEntries(entries, knownNames(suites, today)))
    stderr.write(`${forTerminal(staleWords(entry))}\n`);
}

/** The requested order with its seed, which is printed. */
function resolveOrder({ order: wanted }: RunChoice, stderr: Stream): CaseOrder | undefined {
  const order = wanted && withSeed(wanted, drawSeed);
  if (order !== undefined) stderr.write(`order of cases: ${forTerminal(order)}\n`);
  return order;
}

/** Ids that still exist in the suites and are selected by `what`. */
export function selectRepeated(suites: Suites, ids: ReadonlySet<string>, what: readonly string[]): readonly string[] {
  const chosen = what.length === 0 ? suites : selectSuites(suites, { what, level: 'informational' }, suggestNames);
  return [...chosen.cases, ...chosen.invariants].map(({ id }) => id).filter((id) => ids.has(id));
}

/** Builds run options for the command line and the library: reads the target, expected failures and journal. */
export function resolveRunOptions(given: RunChoice, ground: RunGround): RunOptions {
  const { shipped, place, reports, shard, ids, stderr, env } = ground;
  const suites = withoutParts(shipped, given.without);
  const target = readMatchingTarget(given.target ?? referenceTarget, shipped, env);
  const profile = given.profile ?? target.profile;
  const what = ids === undefined ? given.what : selectRepeated(suites, ids, given.what);
  const selection = { what, level: 'informational' } as const;
  const chosen = selectSuites(suites, selection, suggestNames);
  const expected = given.expected === undefined ? undefined : readExpected(given.expected);
  warnOfStale(expected ?? [], shipped, stderr);
  const order = resolveOrder(given, stderr);
  const journal = journalPath(place.folder);
  const ownTarget = given.target !== undefined;
  // The embedded carrier's registrations are correct: a refusal comes from a requested fault.
  const keepGoing = given.keepGoing || !ownTarget;
  return {
    ...idleProgramRun({ suites, target }),
    outlives: ownTarget,
    resumable: ownTarget,
    keepGoing,
    preflight: !keepGoing,
    selected: shard === undefined ? chosen : selectShard(chosen, shard, { interface: serverInitiated, suites, target }),
    journal,
    selection,
    beside: filesBeside(place.folder, reports),
    jobs: given.jobs,
    bail: given.bail,
    nameable: shipped,
    profile: profile ?? 'interface',
    flags: renderFlags({ ...given, ...omitUndefined({ profile, order }) }),
    ...omitUndefined({
      run: place.run,
      resume: given.resume ? readInterruptedRun(journal, Date.now()) : undefined,
      expected,
      budget: given.budget,
      hours: chooseHours(given.hours, target),
      order,
      shard,
    }),
  };
}

const maxShards = 1000;

const refuseShard = (text: string, why: string): CarrierspecError => usageError(`--shard: "${text}" ${why}`);

const parseShardNumber = (text: string): number | undefined => (/^\d{1,4}$/.test(text) ? Number(text) : undefined);

/** Kubernetes numbers the pods of an Indexed Job from 0, and does not pass them the total. */
function podIndex(text: string, env: Readonly<Record<string, string | undefined>>): number {
  const given = env['JOB_COMPLETION_INDEX'];
  if (given === undefined) throw refuseShard(text, 'needs JOB_COMPLETION_INDEX in the environment');
  const index = parseShardNumber(given);
  if (index === undefined)
    throw refuseShard(text, `needs a whole number from 0 in JOB_COMPLETION_INDEX, not "${given}"`);
  return index + 1;
}

/** Parses `--shard`: `2/4` is the second of four parts; `auto/4` takes the index from JOB_COMPLETION_INDEX. */
export function parseShard(text: string, env: Readonly<Record<string, string | undefined>>): Shard {
  const [first = '', second = '', ...more] = text.split('/');
  const of = parseShardNumber(second);
  const index = first === 'auto' ? podIndex(text, env) : parseShardNumber(first);
  if (index === undefined || of === undefined || more.length > 0)
    throw refuseShard(text, 'is no part such as 2/4 or auto/4');
  if (of < 1 || of > maxShards) throw refuseShard(text, `does not have from 1 to ${maxShards} parts`);
  if (index < 1 || index > of) throw refuseShard(text, `means part ${index} of ${of}: parts are counted from 1`);
  return { index, of };
}
