import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { Writable } from 'node:stream';
import { choiceOf, fileOf } from './choice.ts';
import { type Destination, openDestination } from './destination.ts';
import { optionsOf, type RunChoice } from '../cli/run/options-of.ts';
import { withoutAreas } from '../cli/shared/choose.ts';
import type { Stream } from '../cli/shared/invocation.ts';
import { beginReporters, type GivenReporter, loadReporters, type Reporters } from '../cli/shared/reporters.ts';
import { readMatchingTarget } from '../cli/shared/setup.ts';
import { run } from '../engine/run.ts';
import { defined } from '../lib/optional.ts';
import { forLog } from '../report/shared/gate.ts';
import { readSuites } from '../setup/read.ts';
import { referenceTarget, type RunningReference, startReference } from '../setup/reference.ts';
import type { Suites } from '../suite/suites.ts';
import type { CertifyOptions, CertifyResult } from './options.ts';
import { ReporterError } from './reporter-error.ts';
import type { TargetChoice } from './target.ts';

/** Lines that the program would write to stderr go to who asked for them. */
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

/** What a run is begun with. */
interface Begun {
  readonly choice: RunChoice;
  readonly shipped: Suites;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly destination: Destination;
  readonly reporters: Reporters;
  readonly stderr: Stream;
}

async function runWith(begun: Begun, { signal, onEvent = () => undefined }: CertifyOptions): Promise<CertifyResult> {
  const { choice, shipped, env, destination, reporters, stderr } = begun;
  const suites = withoutAreas(shipped, choice.without);
  const file = choice.target ?? referenceTarget;
  const target = readMatchingTarget(file, shipped, env);
  const { place, reports } = destination;
  const subject = { shipped, suites, target, shard: undefined, place, reports };
  const { result, close } = await run({
    ...optionsOf(choice, subject, { stderr }),
    progress: (event) => {
      onEvent(event);
      reporters.event(event);
    },
    ...defined({ signal }),
  });
  try {
    const whole = { ...result, cases: [...result.cases] };
    await destination.write(whole);
    await reporters.finish(whole);
    return whole;
  } finally {
    close();
  }
}

/**
 * Certifies a carrier as `carrierspec run` does, and gives the result, whatever it says. Nothing is written to stdout or
 * stderr, no signal is listened for, and the process goes on. Throws CarrierspecError, whose `code` says what is wrong with
 * the target, the options or the network; and ReporterError, which has the result, where a reporter threw.
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
  const destination = openDestination(folder, options, stderr);
  let reference: RunningReference | undefined;
  try {
    const reporters = await beginReporters(given, options.out === undefined ? {} : { folder }, onNote);
    const shipped = await readSuites(choice.suites);
    if (file === undefined) reference = await startReference(choice.fault);
    const env = { ...(file?.env ?? process.env), ...reference?.env };
    const result = await runWith({ choice, shipped, env, destination, reporters, stderr }, options);
    requireSound(reporters, result);
    return result;
  } finally {
    destination.close();
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
