import process from 'node:process';
import { Writable } from 'node:stream';
import { runDefinition } from '../cli/definitions/certify.ts';
import { type RunGround, type RunChoice, resolveRunOptions } from '../cli/run/settings.ts';
import { type Input, usageError } from '../cli/shared/inputs.ts';
import type { Stream } from '../cli/shared/command.ts';
import { openRunFolder } from '../cli/shared/run-folder.ts';
import { beginReporters, type ReporterSource, loadReporters, type Reporters } from '../cli/shared/reporters.ts';
import {
  parseReports,
  parseReportFlags,
  renderFormat,
  type RequestedReport,
  writeRequested,
} from '../cli/shared/reports.ts';
import { run } from '../engine/run.ts';
import { makeTemporaryFolder, removeFolder } from '../files/folder.ts';
import { omitUndefined } from '../lib/json.ts';
import { formats } from '../report/formats.ts';
import { forLog } from '../report/shared/gate.ts';
import { readSuites } from '../setup/read-files.ts';
import { type RunningReference, startReference } from '../setup/reference.ts';
import {
  type CertifyOptions,
  type CertifyResult,
  ReporterError,
  type TargetChoice,
  type TargetFile,
} from './options.ts';
import { throwAtCaller } from './throw-at-caller.ts';

const { profile, jobs, order } = runDefinition.flags;

/** Reads an option as its flag does, including the default if absent; callers may be untyped. */
const readOption = <T>(flag: Input<T>, given: string | number | undefined): T =>
  flag.read(given === undefined ? undefined : String(given));

function readBudget(seconds: number | undefined): RunChoice['budget'] {
  if (seconds === undefined) return undefined;
  if (!(seconds > 0) || !Number.isFinite(seconds)) throw usageError('budget: it is a number of seconds above 0');
  return { seconds, text: `${seconds}s` };
}

/** Target file, or undefined for the embedded carrier. */
function pickTargetFile(target: TargetChoice): TargetFile | undefined {
  if (typeof target === 'string') return { file: target };
  return 'file' in target ? target : undefined;
}

/** Equivalent flags of `carrierspec run`. Throws CarrierspecError with the flag's own message. */
function toRunChoice(target: TargetChoice, options: CertifyOptions): RunChoice {
  return {
    what: options.what ?? [],
    suites: options.suites ?? [],
    without: options.without ?? [],
    fault: typeof target === 'object' && 'faults' in target ? target.faults : [],
    bail: options.bail ?? false,
    keepGoing: options.keepGoing ?? false,
    jobs: readOption(jobs, options.jobs),
    resume: false,
    ...omitUndefined({
      target: pickTargetFile(target)?.file,
      profile: readOption(profile, options.profile),
      order: readOption(order, options.order),
      expected: options.expected,
      budget: readBudget(options.budget),
    }),
  };
}

/** Passes each line that the program would write to stderr to `onNote`. */
function createNoteStream(onNote: (line: string) => void): Stream {
  return new Writable({
    decodeStrings: false,
    write: (text: unknown, _, done) => {
      for (const line of String(text).split('\n')) if (line.trim() !== '') onNote(forLog(line));
      done();
    },
  });
}

async function collectReporters({ reporters = [] }: CertifyOptions): Promise<readonly ReporterSource[]> {
  const given: ReporterSource[] = [];
  for (const [at, one] of reporters.entries()) {
    if (typeof one === 'string') given.push(...(await loadReporters([one])));
    else given.push({ name: `${at + 1} of the options`, module: one });
  }
  return given;
}

/** Requested reports. Throws if one would go to stdout. */
function requestedReports({ out, reports = {} }: CertifyOptions): readonly RequestedReport[] {
  const given = Object.entries(reports).map(([format, path]) => `${format}=${path}`);
  const wanted = out === undefined ? parseReportFlags(given, formats, []) : parseReports(given, out);
  const stdout = wanted.find(({ path }) => path === '-');
  if (stdout === undefined) return wanted;
  throw usageError(`reports: ${stdout.format} needs a path: nothing is written to stdout`);
}

interface LibraryRun extends RunGround {
  readonly choice: RunChoice;
  readonly reporters: Reporters;
}

async function runForLibrary(
  { choice, reporters, ...ground }: LibraryRun,
  options: CertifyOptions,
): Promise<CertifyResult> {
  const { signal, onEvent = () => undefined } = options;
  const { result, close } = await run({
    ...resolveRunOptions(choice, ground),
    progress: (event) => {
      onEvent(event);
      reporters.event(event);
    },
    ...omitUndefined({ signal }),
  });
  try {
    const whole = { ...result, cases: [...result.cases] };
    await writeRequested(ground.reports, renderFormat(whole), ground.stderr);
    await reporters.finish(whole);
    return whole;
  } finally {
    close();
  }
}

/**
 * Certifies a carrier as `carrierspec run` does and returns the result, conformant or not. Writes nothing to stdout or stderr, installs no
 * signal handlers and never exits the process. Throws CarrierspecError for a bad target, bad options or a network failure (see `code`), and
 * ReporterError, which carries the result, if a reporter threw.
 */
export async function certify(target: TargetChoice, options: CertifyOptions = {}): Promise<CertifyResult> {
  const result = await throwAtCaller(certify, () => certifyTarget(target, options));
  return result;
}

async function certifyTarget(target: TargetChoice, options: CertifyOptions): Promise<CertifyResult> {
  const choice = toRunChoice(target, options);
  const given = await collectReporters(options);
  const folder = options.out ?? makeTemporaryFolder('carrierspec-');
  try {
    return await certifyInFolder(folder, { target, choice, given }, options);
  } finally {
    if (options.out === undefined) removeFolder(folder);
  }
}

interface CertifyCall {
  readonly target: TargetChoice;
  readonly choice: RunChoice;
  readonly given: readonly ReporterSource[];
}

async function certifyInFolder(folder: string, subject: CertifyCall, options: CertifyOptions): Promise<CertifyResult> {
  const { target, choice, given } = subject;
  const { onNote = () => undefined } = options;
  const stderr = createNoteStream(onNote);
  const file = pickTargetFile(target);
  const reports = requestedReports(options);
  const place = { folder };
  const opened = openRunFolder(place, { argv: ['certify()'], stderr });
  let reference: RunningReference | undefined;
  try {
    const reporters = await beginReporters(given, options.out === undefined ? {} : { folder }, onNote);
    const shipped = await readSuites(choice.suites);
    if (file === undefined) reference = await startReference(choice.fault);
    const env = { ...(file?.env ?? process.env), ...reference?.env };
    const result = await runForLibrary({ choice, reporters, shipped, env, place, reports, stderr }, options);
    requireSoundReporters(reporters, result);
    return result;
  } finally {
    opened.close();
    await reference?.close();
  }
}

function requireSoundReporters(reporters: Reporters, result: CertifyResult): void {
  try {
    reporters.requireSound();
  } catch (error) {
    throw new ReporterError(error, result);
  }
}
