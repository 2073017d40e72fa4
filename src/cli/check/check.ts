import { misspeltScopes } from '../../engine/plan/check-target.ts';
import { warnOfOpenUris } from '../../engine/preflight/receiver.ts';
import { isFile } from '../../files/look.ts';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { clientRoles } from '../../interfaces/server-initiated/registration.ts';
import { omitUndefined } from '../../lib/json.ts';
import { CarrierspecError, type Problem } from '../../model/problem.ts';
import type { Target } from '../../model/target.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import { checkSuites, readLimits, readSuites, readTarget } from '../../setup/read-files.ts';
import type { Parties } from '../../suite/context.ts';
import type { checkDefinition } from '../definitions/certify.ts';
import { exitCodes } from '../exit-codes.ts';
import type { CommandInputs, Invocation } from '../shared/command.ts';
import { usageError } from '../shared/inputs.ts';
import { readMatchingTarget } from '../shared/setup.ts';
import { countNoun } from '../../lib/lists.ts';
import { shippedSuites } from '../../setup/paths.ts';
import { pathLabel } from '../../suite/suite-files.ts';
import { renderStderrProblems } from '../shared/problems.ts';

/**
 * Clients, subscriber tags and requirements known to the shipped cases or the target file. Ignores a faulty target file: the check reports
 * it later.
 */
async function collectParties(
  { target }: CommandInputs<typeof checkDefinition>,
  env: Invocation['env'],
): Promise<Parties> {
  const needs = (await readSuites([])).cases.flatMap(({ requires }) => requires);
  const of = (word: string): readonly string[] =>
    needs.flatMap((need) => (need.startsWith(`${word}:`) ? [need.slice(word.length + 1)] : []));
  const own = target === undefined ? undefined : tryReadTarget(target, env);
  return {
    client: new Set([...Object.keys(clientRoles), ...of('client'), ...(own?.clients ?? []).map(({ name }) => name)]),
    subscriber: new Set([...of('subscriber'), ...(own?.subscribers ?? []).flatMap(({ tags }) => tags)]),
    requires: new Set([...needs.filter((need) => !need.includes(':')), ...Object.keys(own?.supports ?? {})]),
  };
}

function tryReadTarget(file: string, env: Invocation['env']): Target | undefined {
  try {
    return readTarget(file, env);
  } catch (error) {
    if (error instanceof CarrierspecError) return undefined;
    throw error;
  }
}

/** Throws for a file: it is probably a target file. */
function requireFolders(dirs: readonly string[]): void {
  const file = dirs.find(isFile);
  if (file !== undefined)
    throw usageError(`${file} is a file, not a folder of suites; a target file is named as --target ${file}`);
}

/** Throws for warnings of the suites that ship: they have an answer to each. */
function requireNoneShipped(warnings: readonly Problem[]): void {
  const folder = pathLabel(shippedSuites);
  const problems = warnings.filter(({ position }) => position.file.startsWith(`${folder}/`));
  if (problems.length === 0) return;
  const message = `the suites that ship have ${countNoun(problems.length, 'warning')}`;
  throw new CarrierspecError(message, { code: 'suites-broken', problems });
}

/** Runs `--preflight`. */
async function runPreflightFlag(
  { dirs, target: file, json }: CommandInputs<typeof checkDefinition>,
  invocation: Invocation,
): Promise<number> {
  if (file === undefined) throw usageError('--preflight: needs --target');
  const { preflightTarget: tryTarget } = await import('./preflight.ts');
  return tryTarget({ file, dirs, json }, invocation);
}

/** `carrierspec check`: reads and checks everything; sends nothing without `--preflight`. */
export async function checkCommand(
  given: CommandInputs<typeof checkDefinition>,
  invocation: Invocation,
): Promise<number> {
  const { dirs, target, preflight, json } = given;
  const { stdout, env } = invocation;
  requireFolders(dirs);
  if (json && !preflight) throw usageError('--json: needs --preflight');
  if (preflight) return runPreflightFlag(given, invocation);
  const parties = dirs.length === 0 ? undefined : await collectParties(given, env);
  const { suites, warnings: found } = await checkSuites(dirs, omitUndefined({ parties }));
  requireNoneShipped(found);
  const { rules, cases, invariants, files } = suites;
  const { limits, profile } = readLimits(rules);
  const read = target === undefined ? undefined : readMatchingTarget(target, suites, env);
  const warnings = [...found, ...(read === undefined ? [] : misspeltScopes(read, serverInitiated))];
  const also = target === undefined ? '' : ', and the target file';
  stdout.write(
    `${files.length + 1} files: ${rules.length} rules, ${cases.length} cases, ${invariants.length} invariants, ${limits.length} limits, a profile of ${profile.length}${also}: no mistakes\n`,
  );
  if (warnings.length > 0) {
    invocation.stderr.write(`${renderStderrProblems(warnings, invocation)}\n`);
    stdout.write(`${countNoun(warnings.length, 'warning')}\n`);
  }
  const unlocked = read && warnOfOpenUris(read);
  if (unlocked !== undefined) stdout.write(`note: ${forTerminal(unlocked)}\n`);
  return exitCodes.conformant;
}
