import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { Writable } from 'node:stream';
import { runDefinition } from '../cli/definitions/certify.ts';
import { type Ground, type RunChoice, settingsOf } from '../cli/run/settings.ts';
import { type Input, usageError } from '../cli/shared/inputs.ts';
import type { Stream } from '../cli/shared/command.ts';
import { openPlace } from '../cli/shared/kept.ts';
import { beginReporters, type GivenReporter, loadReporters, type Reporters } from '../cli/shared/reporters.ts';
import { parseReports, parseWanted, renderFormat, type WantedReport, writeWanted } from '../cli/shared/reports.ts';
import { run } from '../engine/run.ts';
import { defined } from '../lib/json.ts';
import { formats } from '../report/formats.ts';
import { forLog } from '../report/shared/gate.ts';
import { readSuites } from '../setup/read.ts';
import { type RunningReference, startReference } from '../setup/reference.ts';
import {
  type CertifyOptions,
  type CertifyResult,
  ReporterError,
  type TargetChoice,
  type TargetFile,
} from './options.ts';

const { profile, jobs, order } = runDefinition.flags;

/** Reads an option as its flag does, including the default if absent; callers may be untyped. */
const asFlag = <T>(flag: Input<T>, given: string | number | undefined): T =>
  flag.read(given === undefined ? undefined : String(given));

function budgetOf(seconds: number | undefined): RunChoice['budget'] {
  if (seconds === undefined) return undefined;
  if (!(seconds > 0) || !Number.isFinite(seconds)) throw usageError('budget: it is a number of seconds above 0');
  return { seconds, text: `${seconds}s` };
}

/** Target file, or undefined for the embedded carrier. */
function fileOf(target: TargetChoice): TargetFile | undefined {
  if (typeof target === 'string') return { file: target };
  return 'file' in target ? target : undefined;
}

/** Equivalent flags of `carrierspec run`. Throws CarrierspecError with the flag's own message. */
function choiceOf(target: TargetChoice, options: CertifyOptions): RunChoice {
  return {
    what: options.what ?? [],
    suites: options.suites ?? [],
    without: options.without ?? [],
    fault: typeof target === 'object' && 'faults' in target ? target.faults : [],
    bail: options.bail ?? false,
    keepGoing: options.keepGoing ?? false,
    jobs: asFlag(jobs, options.jobs),
    resume: false,
    ...defined({
      target: fileOf(target)?.file,
      profile: asFlag(profile, options.profile),
      order: asFlag(order, options.order),
      expected: options.expected,
      budget: budgetOf(options.budget),
    }),
  };
}

/** Passes each line that the program would write to stderr to `onNote`. */
function notesTo(onNote: (line: string) => void): Stream {
  return new Writable({
    decodeStrings: false,
    write: (text: unknown, _, done) => {
      for (const line of String(text).split('\n')) if (line.trim() !== '') onNote(forLog(line));
      done();
    },
  });
}

async function givenReporters({ reporters = [] }: CertifyOptions): Promise<readonly GivenReporter[]> {
  const given: GivenReporter[] = [];
  for (const [at, one] of reporters.entries()) {
    if (typeof one === 'string') given.push(...(await loadReporters([one])));
    else given.push({ name: `${at + 1} of the options`, module: one });
  }
  return given;
}

/** Requested reports. Throws if one would go to stdout. */
function reportsOf({ out, reports = {} }: CertifyOptions): readonly WantedReport[] {
  const given = Object.entries(reports).map(([format, path]) => `${format}=${path}`);
  const wanted = out === undefined ? parseWanted(given, formats, []) : parseReports(given, out);
  const stdout = wanted.find(({ path }) => path === '-');
  if (stdout === undefined) return wanted;
  throw usageError(`reports: ${stdout.format} needs a path: nothing is written to stdout`);
}

interface Begun extends Ground {
  readonly choice: RunChoice;
  readonly reporters: Reporters;
}

async function runWith({ choice, reporters, ...ground }: Begun, options: CertifyOptions): Promise<CertifyResult> {
  const { signal, onEvent = () => undefined } = options;
  const { result, close } = await run({
    ...settingsOf(choice, ground),
    progress: (event) => {
      onEvent(event);
      reporters.event(event);
    },
    ...defined({ signal }),
  });
  try {
    const whole = { ...result, cases: [...result.cases] };
    await writeWanted(ground.reports, renderFormat(whole), ground.stderr);
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
  const choice = choiceOf(target, options);
  const given = await givenReporters(options);
  const folder = options.out ?? mkdtempSync(join(tmpdir(), 'carrierspec-'));
  try {
    return await certifyIn(folder, { target, choice, given }, options);
  } finally {
    if (options.out === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

interface Subject {
  readonly target: TargetChoice;
  readonly choice: RunChoice;
  readonly given: readonly GivenReporter[];
}

async function certifyIn(folder: string, subject: Subject, options: CertifyOptions): Promise<CertifyResult> {
  const { target, choice, given } = subject;
  const { onNote = () => undefined } = options;
  const stderr = notesTo(onNote);
  const file = fileOf(target);
  const reports = reportsOf(options);
  const place = { folder };
  const opened = openPlace(place, { argv: ['certify()'], stderr });
  let reference: RunningReference | undefined;
  try {
    const reporters = await beginReporters(given, options.out === undefined ? {} : { folder }, onNote);
    const shipped = await readSuites(choice.suites);
    if (file === undefined) reference = await startReference(choice.fault);
    const env = { ...(file?.env ?? process.env), ...reference?.env };
    const result = await runWith({ choice, reporters, shipped, env, place, reports, stderr }, options);
    requireSound(reporters, result);
    return result;
  } finally {
    opened.close();
    await reference?.close();
  }
}

function requireSound(reporters: Reporters, result: CertifyResult): void {
  try {
    reporters.requireSound();
  } catch (error) {
    throw new ReporterError(error, result);
  }
}
