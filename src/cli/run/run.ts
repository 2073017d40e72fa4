import { resolve } from 'node:path';
import { warnOfOpenUris } from '../../engine/preflight/receiver.ts';
import { run } from '../../engine/run.ts';
import type { RunOptions } from '../../engine/run-options.ts';
import { isFile } from '../../files/look.ts';
import { omitUndefined } from '../../lib/json.ts';
import type { Live } from '../../live/live.ts';
import { resultHeadlineLine } from '../../verdict/headline.ts';
import type { Result } from '../../model/result.ts';
import { createProgress } from '../../report/progress/display.ts';
import { createQuiet } from '../../report/progress/lines.ts';
import type { Progress } from '../../report/progress/state.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import type { DetailLevel } from '../../report/terminal/findings.ts';
import { keepMemoryFlat } from '../../setup/flat-memory.ts';
import { readSuites } from '../../setup/read-files.ts';
import { requireOneCarrier, startChosenCarrier } from '../../setup/reference.ts';
import { pathLabel } from '../../suite/suite-files.ts';
import type { runDefinition } from '../definitions/certify.ts';
import { runExitCode, exitCodes } from '../exit-codes.ts';
import { type CommandInputs, type Invocation, isLive, listenForSignal, wantsColour } from '../shared/command.ts';
import { chooseDetail, withSafe } from '../shared/flags.ts';
import { usageError } from '../shared/inputs.ts';
import {
  journalPath,
  type OpenRunFolder,
  openRunFolder,
  type RunFolder,
  chooseRunFolder,
} from '../shared/run-folder.ts';
import { forwardEvents, createNotePrinter, openLivePage, joinOperators } from '../shared/live.ts';
import { findOperator, type PausableOutput } from '../shared/operator.ts';
import { beginReporters, loadReporters, type Reporters } from '../shared/reporters.ts';
import { parseReports, type RequestedReport, writeReports } from '../shared/reports.ts';
import {
  completeFromJournal,
  findLastFailed,
  noteDifferences,
  placeToResume,
  repeatFlags,
  reportFinished,
  requireNamed,
  requireOwnCarrier,
  resumeCommand,
  withResumeCommand,
} from './earlier-run.ts';
import { parseShard, resolveRunOptions } from './settings.ts';

type RunFlags = CommandInputs<typeof runDefinition>;

/** Applies `--last-failed` to the command line; undefined if there is nothing to repeat. */
function withLastFailed(
  given: RunFlags,
  invocation: Invocation,
): ({ readonly given: RunFlags } & Pick<Destination, 'ids' | 'earlier' | 'left'>) | undefined {
  if (given.resume) throw usageError('--last-failed does not go with --resume, which has a selection already');
  const failed = findLastFailed(given.out);
  const nothing = failed.ids.size === 0 ? ': there is nothing to run again' : '';
  invocation.stderr.write(`${forTerminal(`--last-failed: ${failed.words}${nothing}`)}\n`);
  if (failed.ids.size === 0) return undefined;
  requireNamed(given, failed.header.flags, invocation);
  return {
    given: repeatFlags(given, failed),
    ids: failed.ids,
    earlier: failed.header,
    ...omitUndefined({ left: failed.left }),
  };
}

interface Destination {
  readonly place: RunFolder;
  readonly reports: readonly RequestedReport[];
  /** Cases and invariants of `--last-failed`. */
  readonly ids?: ReadonlySet<string>;
  /** Header of the repeated run; differences from it are noted. */
  readonly earlier?: Result['header'];
  /** Names the cases of an interrupted run that its rest leaves out. */
  readonly left?: string;
}

function openProgress(detail: DetailLevel, { stderr, env }: Invocation): Progress {
  const shown = { stream: stderr, tty: isLive(stderr, env), colour: wantsColour(stderr, env), now: Date.now };
  return detail === 'quiet' ? createQuiet(shown) : createProgress(shown);
}

interface RunDisplay {
  readonly invocation: Invocation;
  readonly progress: Progress;
  /** Output to pause while the operator is asked. */
  readonly quiet: PausableOutput;
  readonly live: Live | undefined;
  readonly reporters: Reporters;
}

const interruptNote = 'ending with what is finished; once more to stop at once';

async function runWithDisplay(settings: RunOptions, { invocation, progress, quiet, live, reporters }: RunDisplay) {
  const signal = listenForSignal(invocation, () => {
    invocation.stderr.write(`\n${interruptNote}\n`);
    live?.stop('The run was interrupted: it ends with what is finished.');
  });
  const show = forwardEvents(live, (event) => progress.event(event));
  return run({
    ...settings,
    ...omitUndefined({ operator: joinOperators(live, findOperator(invocation, quiet)) }),
    progress: (event) => {
      reporters.event(event);
      show(event);
    },
    signal,
  });
}

function describeEnd(result: Result): string {
  const { footer } = result;
  const how = footer?.interrupted === true ? 'was interrupted' : footer?.stopped === true ? 'was stopped' : 'is over';
  return `The run ${how}: ${footer === undefined ? 'it has no outcome' : resultHeadlineLine(result)}.`;
}

/** Says how an interrupted run goes on, or what a run of its rest leaves out. */
function noteResume(
  { footer }: Result,
  given: RunFlags,
  { place, left, stderr }: Pick<Destination, 'place' | 'left'> & Pick<Invocation, 'stderr'>,
): void {
  if (left !== undefined) stderr.write(`${forTerminal(left, Number.POSITIVE_INFINITY)}\n`);
  const command = footer?.interrupted === true ? resumeCommand(given, place) : undefined;
  if (command !== undefined) stderr.write(`go on with: ${forTerminal(command, Number.POSITIVE_INFINITY)}\n`);
}

async function certifyCarrier(
  given: RunFlags,
  { place, reports, ids, earlier, left }: Destination,
  invocation: Invocation,
): Promise<number> {
  const { stderr, env } = invocation;
  const shard = given.shard === undefined ? undefined : parseShard(given.shard, env);
  const detail = chooseDetail(given);
  requireOneCarrier(given);
  const loaded = await loadReporters(given.reporter);
  const [shipped, reference] = await Promise.all([readSuites(given.suites), startChosenCarrier(given)]);
  const progress = openProgress(detail, invocation);
  let [opened, live]: [OpenRunFolder?, Live?] = [];
  try {
    opened = openRunFolder(place, invocation);
    const ground = { shipped, place, reports, shard, ids, stderr, env: { ...env, ...reference?.env } };
    const settings = resolveRunOptions(given, ground);
    const { target } = settings;
    if (earlier !== undefined) noteDifferences(earlier, { target, suites: shipped }, { stderr });
    const { say, quiet } = createNotePrinter(progress, stderr);
    const unlocked = warnOfOpenUris(target);
    if (unlocked !== undefined) say(unlocked);
    const reporters = await beginReporters(loaded, { folder: place.folder }, say);
    live = await openLivePage(given.live, { subject: target.name, onTaken: say, stderr });
    const ran = await runWithDisplay(settings, { invocation, progress, quiet, live, reporters });
    progress.close();
    live?.end(describeEnd(ran.result));
    await writeReports(ran.result, { wanted: reports, detail, journal: journalPath(place.folder) }, invocation);
    await reporters.finish(ran.result);
    ran.close();
    opened.finish();
    noteResume(ran.result, given, { place, stderr, ...omitUndefined({ left }) });
    reporters.requireSound();
    return runExitCode(ran.result);
  } finally {
    progress.close();
    await live?.close();
    opened?.close();
    await reference?.close();
  }
}

/** Runs; a journal write error says how to continue. */
async function certifyOrAdvise(given: RunFlags, destination: Destination, invocation: Invocation): Promise<number> {
  try {
    return await certifyCarrier(given, destination, invocation);
  } catch (error) {
    throw withResumeCommand(error, given, destination.place);
  }
}

/** Treats a suite file given as a selector as an additional suite, and selects its cases. */
function withSuiteFiles<Given extends { readonly what: readonly string[]; readonly suites: readonly string[] }>(
  given: Given,
): Given {
  const files = given.what.filter((one) => one.endsWith('.suite.yaml') && isFile(one));
  if (files.length === 0) return given;
  return {
    ...given,
    what: given.what.map((one) => (files.includes(one) ? pathLabel(resolve(one)) : one)),
    suites: [...given.suites, ...files],
  };
}

/** `carrierspec run [what…]`: runs the cases and writes the reports. Returns the exit code. */
export async function runCommand(typed: RunFlags, invocation: Invocation): Promise<number> {
  const given = withSafe(withSuiteFiles(typed));
  const again = given.lastFailed ? withLastFailed(given, invocation) : { given };
  if (again === undefined) return exitCodes.conformant;
  const place = given.resume ? placeToResume(given.out, invocation) : chooseRunFolder(given.out);
  const reports = parseReports(given.report, place.folder);
  const finished = given.resume
    ? await reportFinished(place, { wanted: reports, detail: chooseDetail(given) }, invocation)
    : undefined;
  if (finished !== undefined) return finished;
  const flags = given.resume ? completeFromJournal(given, place, invocation) : again.given;
  if (given.resume) requireOwnCarrier(place);
  keepMemoryFlat();
  const { given: _, ...repeated } = again;
  return certifyOrAdvise(flags, { place, reports, ...repeated }, invocation);
}
