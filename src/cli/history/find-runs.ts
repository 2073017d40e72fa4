import { existsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isJournalFile, readSummary, type RunSummary } from '../../journal/read-result.ts';
import { causeCode } from '../../lib/errors.ts';
import { CarrierspecError } from '../../model/problem.ts';
import { foldersIn, journalIn } from '../shared/kept.ts';
import { isHeld } from '../shared/lock.ts';

/** A folder of a run. A summary that cannot be read does not keep the others from being listed. */
export type KeptRun = { readonly folder: string; readonly began: number } & (
  | { readonly summary: RunSummary; readonly underWay: boolean }
  | { readonly problem: string }
);

/** The file that says the most of a run for the least: its journal, else its result. */
function sourceIn(folder: string): string | undefined {
  const journal = journalIn(folder);
  if (isJournalFile(journal)) return journal;
  const result = join(folder, 'result.json');
  return [result, journal].find((file) => existsSync(file));
}

function whyOf(error: unknown): string {
  if (error instanceof CarrierspecError) return error.message;
  if (error instanceof Error && 'syscall' in error) return `it cannot be read: ${causeCode(error)}`;
  throw error;
}

/** The time in the name of a folder: by the clock of the machine, whatever the clock of the run. */
function stampIn(folder: string): number | undefined {
  const found = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-/.exec(basename(folder));
  if (found === null) return undefined;
  const [, year, month, day, hour, minute, second] = found;
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time) ? undefined : time;
}

function readRun(folder: string): KeptRun | undefined {
  try {
    const source = sourceIn(folder);
    if (source === undefined) return undefined;
    const summary = readSummary(source);
    return { folder, began: stampIn(folder) ?? summary.began, summary, underWay: isHeld(folder) };
  } catch (error) {
    return { folder, began: statSync(folder).mtimeMs, problem: whyOf(error) };
  }
}

/** A folder below the folder of runs that holds none: it was left by a kill, or is something else. */
function readFolder(folder: string): KeptRun | undefined {
  return readRun(folder) ?? { folder, began: statSync(folder).mtimeMs, problem: 'there is no journal and no result' };
}

/** The folders in which `--out` puts earlier runs aside are no runs themselves. */
const earlier = 'earlier';

/** The newest first. The names of folders tell seconds: of runs that began in the same one, the folder written last is the newer. */
const byNewest = (one: KeptRun, other: KeptRun): number =>
  other.began - one.began || statSync(other.folder).mtimeMs - statSync(one.folder).mtimeMs;

/** The run in a folder, those below it, and those that later ones have put aside. */
function runsIn(root: string): readonly KeptRun[] {
  const own = readRun(root);
  const below = foldersIn(root).filter((folder) => folder !== join(root, earlier));
  const moved = [root, ...below].flatMap((folder) => foldersIn(join(folder, earlier)));
  const runs = [own, ...below.map(own === undefined ? readFolder : readRun), ...moved.map(readFolder)];
  return runs.flatMap((run) => run ?? []);
}

/** The runs of folders, the newest first. */
export const findRuns = (roots: readonly string[]): readonly KeptRun[] => roots.flatMap(runsIn).toSorted(byNewest);
