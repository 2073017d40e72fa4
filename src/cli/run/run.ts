import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { join } from 'node:path';
import type { CarrierspecError } from '../../model/problem.ts';
import type { Shard } from '../../model/result.ts';
import { usageError } from '../shared/inputs.ts';
import { select } from '../../engine/plan/select.ts';
import { selectShard } from '../../engine/plan/shard.ts';
import { type InterruptedRun, readInterruptedRun } from '../../engine/resume/interrupted-run.ts';
import { run } from '../../engine/run.ts';
import type { RunOptions } from '../../engine/run-options.ts';
import { judgeBefore, knownOf } from '../../judge/expected.ts';
import { defined } from '../../lib/optional.ts';
import type { ExpectedFailure } from '../../model/expected.ts';
import type { Suites } from '../../suite/suites.ts';
import type { Target } from '../../model/target.ts';
import { createProgress } from '../../report/progress/progress.ts';
import { createQuiet } from '../../report/progress/quiet.ts';
import { staleWords } from '../../report/shared/notes.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import { readExpected, readSuites } from '../../setup/read.ts';
import { referenceTarget, requireOneCarrier, startChosen } from '../../setup/reference.ts';
import { exitCodeOf } from '../exit-codes.ts';
import { measureBefore } from '../measure/measure.ts';
import { requireReady } from '../preflight/preflight.ts';
import { suggestNames, withoutAreas } from '../shared/choose.ts';
import type { Given } from '../shared/command.ts';
import { makeFolder } from '../shared/files.ts';
import { type Invocation, isLive, listenForSignal, type Stream, wantsColour } from '../shared/invocation.ts';
import { findOperator } from '../shared/operator.ts';
import { detailOf, renderFlags } from '../shared/flags.ts';
import { parseReports, writeReports } from '../shared/reports.ts';
import { idleRun, noteRenamed, readMatchingTarget } from '../shared/setup.ts';
import type { runDefinition } from '../definitions.ts';

const most = 1000;

const refuse = (text: string, why: string): CarrierspecError => usageError(`--shard: "${text}" ${why}`);

const wholeNumber = (text: string): number | undefined => (/^\d{1,4}$/.test(text) ? Number(text) : undefined);

/** Kubernetes counts the pods of an Indexed Job from 0, and does not pass them their number. */
function indexOfPod(text: string, env: Readonly<Record<string, string | undefined>>): number {
  const given = env['JOB_COMPLETION_INDEX'];
  if (given === undefined) throw refuse(text, 'needs JOB_COMPLETION_INDEX in the environment');
  const index = wholeNumber(given);
  if (index === undefined) throw refuse(text, `needs a whole number from 0 in JOB_COMPLETION_INDEX, not "${given}"`);
  return index + 1;
}

/**
 * `--shard 2/4`, the second of four parts; `auto/4` takes the index from JOB_COMPLETION_INDEX. Throws where there is no such
 * part.
 */
export function parseShard(text: string, env: Readonly<Record<string, string | undefined>>): Shard {
  const [first = '', second = '', ...more] = text.split('/');
  const of = wholeNumber(second);
  const index = first === 'auto' ? indexOfPod(text, env) : wholeNumber(first);
  if (index === undefined || of === undefined || more.length > 0)
    throw refuse(text, 'is no part such as 2/4 or auto/4');
  if (of < 1 || of > most) throw refuse(text, `has not from 1 to ${most} parts`);
  if (index < 1 || index > of) throw refuse(text, `means part ${index} of ${of}: parts are counted from 1`);
  return { index, of };
}

type RunFlags = Given<typeof runDefinition>;

/** What is left of the run that `--resume` names; undefined without the flag. Throws where no run can be resumed. */
function interruptedRunOf({ resume, target }: RunFlags, journal: string): InterruptedRun | undefined {
  if (!resume) return undefined;
  if (target === undefined) {
    throw usageError('--resume needs --target: the embedded reference carrier ended with its run');
  }
  return readInterruptedRun(journal, Date.now());
}

/** Says at the start which entries of expected.yaml have to be deleted: a run may take a day. */
function warnOfStale(entries: readonly ExpectedFailure[], suites: Suites, stderr: Stream): void {
  const today = new Date().toISOString().slice(0, 10);
  for (const entry of judgeBefore(entries, knownOf(suites, today))) stderr.write(`${forTerminal(staleWords(entry))}\n`);
}

interface Subject {
  /** All suites, and those without the areas that `--without` names. */
  readonly shipped: Suites;
  readonly suites: Suites;
  readonly target: Target;
  readonly shard: Shard | undefined;
}

/** The options of the run that the flags say, but for what a terminal adds. */
async function optionsOf(given: RunFlags, subject: Subject, { stderr }: Invocation): Promise<RunOptions> {
  const { shipped, suites, target, shard } = subject;
  const { what, level, out } = given;
  const chosen = select(suites, { what, level }, suggestNames);
  const expected = given.expected === undefined ? undefined : readExpected(given.expected);
  warnOfStale(expected ?? [], shipped, stderr);
  makeFolder(out, '--out');
  const selected =
    shard === undefined ? chosen : selectShard(chosen, shard, { interface: serverInitiated, suites, target });
  const ownTarget = given.target !== undefined;
  if (ownTarget && given.preflight === 'full') await requireReady({ suites: shipped, target });
  const journal = join(out, 'journal.jsonl');
  return {
    ...idleRun({ suites, target }),
    selected,
    selection: { what, level },
    journal,
    outlives: ownTarget,
    resumable: ownTarget,
    jobs: given.jobs,
    bail: given.bail,
    nameable: shipped,
    preflight: ownTarget && given.preflight !== 'off',
    profile: given.profile,
    flags: renderFlags(given),
    ...defined({ resume: interruptedRunOf(given, journal), expected, budget: given.budget, shard }),
  };
}

/** `carrierspec run [what…]`: a whole run and its reports. Gives the exit code. */
export async function runCommand(given: RunFlags, invocation: Invocation): Promise<number> {
  const { stderr, env } = invocation;
  const shard = given.shard === undefined ? undefined : parseShard(given.shard, env);
  const reports = parseReports(given.report, given.out);
  const detail = detailOf(given);
  requireOneCarrier(given);
  const onRenamed = noteRenamed(stderr);
  const [shipped, reference] = await Promise.all([readSuites(given.suites, { onRenamed }), startChosen(given)]);
  const [tty, colour] = [isLive(stderr, env), wantsColour(stderr, env)];
  const shown = { stream: stderr, tty, colour, now: Date.now };
  const progress = detail === 'quiet' ? createQuiet(shown) : createProgress(shown);
  try {
    const suites = withoutAreas(shipped, given.without);
    const target = readMatchingTarget(given.target ?? referenceTarget, shipped, {
      env: { ...env, ...reference?.env },
      onRenamed,
    });
    const options: RunOptions = {
      ...(await optionsOf(given, { shipped, suites, target, shard }, invocation)),
      ...defined({ operator: findOperator(invocation, progress) }),
      progress: (event) => progress.event(event),
      signal: listenForSignal(invocation, () =>
        stderr.write('\nending with what is finished; once more to stop at once\n'),
      ),
    };
    const measured = given.measure ? await measureBefore(options) : {};
    const { result, close } = await run({ ...options, ...measured });
    progress.close();
    await writeReports(result, { wanted: reports, detail }, invocation);
    close();
    return exitCodeOf(result);
  } finally {
    progress.close();
    await reference?.close();
  }
}
