import { isAbsolute, relative } from 'node:path';
import process from 'node:process';
import { isThere } from '../files/look.ts';
import { serverInitiated } from '../interfaces/server-initiated/interface.ts';
import { omitUndefined } from '../lib/json.ts';
import { readOnce } from '../lib/lists.ts';
import type { ExpectedFailure } from '../model/expected-failure.ts';
import type { Limits } from '../model/limit.ts';
import { CarrierspecError, type Problem } from '../model/problem.ts';
import type { Rule } from '../model/rule.ts';
import type { Target } from '../model/target.ts';
import type { Parties } from '../suite/context.ts';
import { loadSuiteFolders, type SuitesWithProblems } from '../suite/load.ts';
import { loadLimits } from '../suite/load-limits.ts';
import { openPrepared } from '../suite/prepared-files.ts';
import { pathLabel } from '../suite/suite-files.ts';
import type { Suites } from '../suite/suites.ts';
import { loadTarget } from '../target/load.ts';
import { loadExpected } from '../target/load-expected.ts';
import { tamperNames } from '../wire/build/tamper.ts';
import { preparedSuites, shippedSuites } from './paths.ts';
import { loadSimulator, type SimulatorFile } from './simulator/simulator-file.ts';

const countMistakes = (problems: readonly Problem[]): string =>
  `${problems.length} ${problems.length === 1 ? 'mistake' : 'mistakes'}`;

const openShipped = readOnce(() => openPrepared(preparedSuites));

interface SuiteReading {
  /** Names from a target file that cases may use; without them, such names are not checked. */
  readonly parties?: Parties;
}

async function loadFresh(dirs: readonly string[], reading: SuiteReading): Promise<Suites> {
  return (await checkSuites(dirs, reading)).suites;
}

/** Reads the shipped suites and those of `dirs`, with their warnings. Throws with every mistake of every file. */
export async function checkSuites(
  dirs: readonly string[],
  { parties }: SuiteReading,
): Promise<Omit<SuitesWithProblems, 'problems'>> {
  const { suites, problems, warnings } = await loadSuiteFolders({
    dirs: [shippedSuites, ...dirs],
    interface: serverInitiated,
    tampers: tamperNames,
    prepared: openShipped(),
    ...omitUndefined({ parties }),
  });
  if (problems.length === 0) return { suites, warnings };
  throw new CarrierspecError(`the suites have ${countMistakes(problems)}`, { code: 'suites-broken', problems });
}

/** Shipped suites that this process has read, by the label of their folder, because positions begin with it. */
const shippedCache = new Map<string, Promise<Suites>>();

/** Reads the shipped suites (once per process) and those of `--suites`. Throws with every mistake of every file. */
export function readSuites(dirs: readonly string[], reading: SuiteReading = {}): Promise<Suites> {
  if (dirs.length > 0 || Object.keys(reading).length > 0) return loadFresh(dirs, reading);
  const label = pathLabel(shippedSuites);
  const suites = shippedCache.get(label) ?? loadFresh([], {});
  shippedCache.set(label, suites);
  return suites;
}

/** Reads the shipped limits and profile. Throws with every mistake of suites/limits.yaml; `rules` also checks the rules it names. */
export function readLimits(rules?: readonly Rule[]): Limits {
  const { limits, problems } = loadLimits({
    dir: shippedSuites,
    tampers: tamperNames,
    difference: serverInitiated.difference,
    parse: openShipped().parse,
    ...omitUndefined({ rules }),
  });
  if (problems.length === 0) return limits;
  throw new CarrierspecError('suites/limits.yaml has mistakes', { code: 'suites-broken', problems });
}

/** File name for messages and results: relative to the working directory if the file is below it, else as given. */
function shortenPath(file: string): string {
  const fromHere = relative(process.cwd(), file);
  return fromHere === '' || fromHere.startsWith('..') || isAbsolute(fromHere) ? file : fromHere;
}

const missingTargetHint =
  '; carrierspec init makes one to fill in, and carrierspec carrier --write-target that of a reference carrier';

/** Reads a target file. Throws with every mistake in it, and with those that `also` finds in the target. */
export function readTarget(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
  also: (target: Target) => readonly Problem[] = () => [],
): Target {
  const { target, problems } = loadTarget({ file: shortenPath(file), env, interface: serverInitiated, also });
  if (target !== undefined) return target;
  const isMissing = !isThere(file);
  const message = isMissing
    ? `there is no target file ${file}${missingTargetHint}`
    : `the target file ${file} has ${countMistakes(problems)}`;
  throw new CarrierspecError(message, { code: 'target-broken', problems });
}

/** Reads a file of expected failures. Throws with every mistake in it. */
export function readExpected(file: string): readonly ExpectedFailure[] {
  const { expected, problems } = loadExpected(shortenPath(file));
  if (problems.length === 0) return expected;
  const message = `the file of expected failures ${file} has ${countMistakes(problems)}`;
  throw new CarrierspecError(message, { code: 'expected-broken', problems });
}

/** Reads a simulator file. Throws with every mistake in it. */
export function readSimulator(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
  faults: ReadonlySet<string>,
): SimulatorFile {
  const { simulator, problems } = loadSimulator(shortenPath(file), env, faults);
  if (simulator !== undefined) return simulator;
  const message = `the simulator file ${file} has ${countMistakes(problems)}`;
  throw new CarrierspecError(message, { code: 'simulator-broken', problems });
}
