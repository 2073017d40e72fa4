import { listFolded } from '../../lib/lists.ts';
import { quoteWord } from '../../lib/shell.ts';
import type { ExecDriver, ModuleDriver, Target } from '../../model/target.ts';
import { usageError } from './inputs.ts';

/** A module runs in our own process, and may do all that a program may. */
const isProgram = (given: unknown): given is ExecDriver | ModuleDriver =>
  typeof given === 'object' && given !== null && 'kind' in given && (given.kind === 'exec' || given.kind === 'module');

/** What a target file has programs for, by its names. */
function programsOf({ drivers, clock, proof }: Target): readonly string[] {
  return [
    ...Object.entries(drivers).flatMap(([action, driver]) => (isProgram(driver) ? [action] : [])),
    ...(isProgram(clock?.read) || isProgram(clock?.advance) ? ['clock'] : []),
    ...(isProgram(proof) ? ['proof'] : []),
  ];
}

/**
 * A result names the target file that it was made with, and may come from anybody: programs of a target file run only where
 * the user names that file. `typed` is the file of the command line.
 */
export function requireTyped(target: Target, file: string, typed: string | undefined): void {
  const programs = programsOf(target);
  if (file === typed || programs.length === 0) return;
  throw usageError(
    `the earlier run was made with the target file ${file}, which runs programs (${listFolded(programs, 4)}): name it with --target ${quoteWord(file)} to run them`,
  );
}
