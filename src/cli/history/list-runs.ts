import { forJson } from '../../lib/json.ts';
import { basename, join } from 'node:path';
import { isJournalFile, type RunSummary, readSummary } from '../../journal/read-result.ts';
import { isFolder, isThere, modifiedAt } from '../../files/look.ts';
import { flagValues } from '../../model/flags.ts';
import { CarrierspecError } from '../../model/problem.ts';
import type { ResultHeader } from '../../model/result.ts';
import { renderScore } from '../../report/shared/run-prose.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import { renderSpan } from '../../report/shared/time.ts';
import { exitCodes } from '../exit-codes.ts';
import { renderColumns } from '../shared/columns.ts';
import { defaultRunsFolder } from '../shared/flags.ts';
import { usageError } from '../shared/inputs.ts';
import { type Invocation, wantsWholeRows } from '../shared/command.ts';
import { createTerminalPage } from '../shared/page.ts';
import { runFolders, journalPath } from '../shared/run-folder.ts';
import { isFolderLocked } from '../shared/lock.ts';

/** A run folder; an unreadable summary becomes a `problem`, so that the other runs are still listed. */
type KeptRun = { readonly folder: string; readonly began: number } & (
  | { readonly summary: RunSummary; readonly underWay: boolean }
  | { readonly problem: string }
);

/** The cheapest file to summarise: the journal, else the result. */
function findSummarySource(folder: string): string | undefined {
  const journal = journalPath(folder);
  if (isJournalFile(journal)) return journal;
  const result = join(folder, 'result.json');
  return [result, journal].find(isThere);
}

function describeProblem(error: unknown): string {
  if (error instanceof CarrierspecError) return error.message;
  throw error;
}

/** Time in a folder name, from the machine's clock even if the run's clock is virtual. */
function parseFolderTime(folder: string): number | undefined {
  const found = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-/.exec(basename(folder));
  if (found === null) return undefined;
  const [, year, month, day, hour, minute, second] = found;
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time) ? undefined : time;
}

function readRun(folder: string): KeptRun | undefined {
  try {
    const source = findSummarySource(folder);
    if (source === undefined) return undefined;
    const summary = readSummary(source);
    return { folder, began: parseFolderTime(folder) ?? summary.began, summary, underWay: isFolderLocked(folder) };
  } catch (error) {
    return { folder, began: modifiedAt(folder), problem: describeProblem(error) };
  }
}

/** Reads a subfolder of the runs folder; one without a run is a problem, because a kill may have left it. */
const readFolder = (folder: string): KeptRun | undefined =>
  readRun(folder) ?? { folder, began: modifiedAt(folder), problem: 'there is no journal and no result' };

/** Subfolder for earlier runs with the same `--out`; not a run itself. */
const archiveFolder = 'earlier';

/** Newest first. Folder names have whole seconds: within one, the folder written last is newer. */
const compareNewest = (one: KeptRun, other: KeptRun): number =>
  other.began - one.began || modifiedAt(other.folder) - modifiedAt(one.folder);

/** Runs in a folder, directly below it, and in `archiveFolder` folders. */
function collectRuns(root: string): readonly KeptRun[] {
  const own = readRun(root);
  const below = runFolders(root).filter((folder) => folder !== join(root, archiveFolder));
  const moved = [root, ...below].flatMap((folder) => runFolders(join(folder, archiveFolder)));
  const runs = [own, ...below.map(own === undefined ? readFolder : readRun), ...moved.map(readFolder)];
  return runs.flatMap((run) => run ?? []);
}

const findRuns = (roots: readonly string[]): readonly KeptRun[] => roots.flatMap(collectRuns).toSorted(compareNewest);

const runColumns = ['began', 'run', 'target', 'selection', 'outcome', 'required', 'took', 'folder'].map((name) => ({
  name,
}));

/** Most names shown in a row; --json has all. */
const maxShownNames = 3;

function shortenNames(names: readonly string[]): string {
  const more = names.length - maxShownNames;
  return more > 0 ? `${names.slice(0, maxShownNames).join(' ')} and ${more} more` : names.join(' ');
}

function describeSelection({ selection, flags }: ResultHeader): string {
  const without = flagValues(flags, '--without');
  const chosen = selection.length === 0 ? 'everything' : shortenNames(selection);
  return without.length === 0 ? chosen : `${chosen} without ${shortenNames(without)}`;
}

function describeState(run: KeptRun): string {
  if ('problem' in run) return 'unreadable';
  const { footer } = run.summary;
  if (footer === undefined) return run.underWay ? 'under way' : 'cut off';
  return footer.ending === 'interrupted' ? `${footer.outcome} (interrupted)` : footer.headline.words;
}

const formatBegan = (milliseconds: number): string => `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;

function runRow(run: KeptRun): readonly string[] {
  const began = formatBegan(run.began);
  if ('problem' in run) return [began, '', '', '', describeState(run), '', '', `${run.folder}: ${run.problem}`];
  const { header, footer } = run.summary;
  const score = footer === undefined ? '' : renderScore(footer.score.required);
  const took = footer === undefined ? '' : renderSpan(footer.wallMilliseconds);
  return [
    began,
    header.run,
    header.target.name,
    describeSelection(header),
    describeState(run),
    score,
    took,
    run.folder,
  ];
}

function runJson(run: KeptRun): object {
  const { folder } = run;
  const common = { folder, began: new Date(run.began).toISOString(), state: describeState(run) };
  if ('problem' in run) return { ...common, problem: run.problem };
  const { header, footer } = run.summary;
  const { run: id, target, selection, startedAt, clock } = header;
  return {
    ...common,
    run: id,
    target: target.name,
    selection,
    clock: clock.kind,
    startedAt,
    ...(footer === undefined
      ? {}
      : {
          outcome: footer.outcome,
          required: footer.score.required,
          endedAt: footer.endedAt,
          wallMilliseconds: footer.wallMilliseconds,
        }),
  };
}

/** `carrierspec history [dir…]` without `--out`: lists the runs, newest first. Always returns 0. */
export function listRuns(dirs: readonly string[], json: boolean, invocation: Invocation): number {
  const { stdout } = invocation;
  const wrong = dirs.find((dir) => !isFolder(dir) && dir !== defaultRunsFolder);
  if (wrong !== undefined) throw usageError(`${wrong} is no folder`);
  const runs = findRuns(dirs);
  if (json) stdout.write(`${forJson({ runs: runs.map(runJson) })}\n`);
  else if (runs.length === 0) stdout.write(`there are no runs in ${forTerminal(dirs.join(', '))}\n`);
  else {
    const table = { columns: runColumns, rows: runs.map(runRow), whole: wantsWholeRows(invocation) };
    stdout.write(`${renderColumns(createTerminalPage(invocation), table).join('\n')}\n`);
  }
  return exitCodes.conformant;
}
