import { existsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isJournalFile, type RunSummary, readSummary } from '../../journal/read-result.ts';
import { causeCode } from '../../lib/errors.ts';
import { countOf } from '../../lib/lists.ts';
import { isStale } from '../../model/expected.ts';
import { valuesOf } from '../../model/flags.ts';
import { headlineCell } from '../../model/headline.ts';
import { CarrierspecError } from '../../model/problem.ts';
import type { ResultHeader } from '../../model/result.ts';
import { renderScore } from '../../report/shared/run-prose.ts';
import { forJson, forTerminal } from '../../report/shared/sanitize.ts';
import { renderSpan } from '../../report/shared/time.ts';
import { exitCodes } from '../exit-codes.ts';
import { renderColumns } from '../shared/columns.ts';
import { isFolder } from '../shared/files.ts';
import { usualFolder } from '../shared/flags.ts';
import { usageError } from '../shared/inputs.ts';
import { type Invocation, wantsWholeRows } from '../shared/command.ts';
import { pageOf } from '../shared/page.ts';
import { foldersIn, journalIn } from '../shared/kept.ts';
import { isHeld } from '../shared/lock.ts';

/** A run folder; an unreadable summary becomes a `problem`, so that the other runs are still listed. */
type KeptRun = { readonly folder: string; readonly began: number } & (
  | { readonly summary: RunSummary; readonly underWay: boolean }
  | { readonly problem: string }
);

/** The cheapest file to summarise: the journal, else the result. */
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

/** Time in a folder name, from the machine's clock even if the run's clock is virtual. */
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

/** Reads a subfolder of the runs folder; one without a run is a problem, because a kill may have left it. */
const readFolder = (folder: string): KeptRun | undefined =>
  readRun(folder) ?? { folder, began: statSync(folder).mtimeMs, problem: 'there is no journal and no result' };

/** Subfolder for earlier runs with the same `--out`; not a run itself. */
const earlier = 'earlier';

/** Newest first. Folder names have whole seconds: within one, the folder written last is newer. */
const byNewest = (one: KeptRun, other: KeptRun): number =>
  other.began - one.began || statSync(other.folder).mtimeMs - statSync(one.folder).mtimeMs;

/** Runs in a folder, directly below it, and in `earlier` folders. */
function runsIn(root: string): readonly KeptRun[] {
  const own = readRun(root);
  const below = foldersIn(root).filter((folder) => folder !== join(root, earlier));
  const moved = [root, ...below].flatMap((folder) => foldersIn(join(folder, earlier)));
  const runs = [own, ...below.map(own === undefined ? readFolder : readRun), ...moved.map(readFolder)];
  return runs.flatMap((run) => run ?? []);
}

const findRuns = (roots: readonly string[]): readonly KeptRun[] => roots.flatMap(runsIn).toSorted(byNewest);

const columns = ['began', 'run', 'target', 'selection', 'outcome', 'required', 'took', 'folder'].map((name) => ({
  name,
}));

/** Most names shown in a row; --json has all. */
const shownNames = 3;

function shorten(names: readonly string[]): string {
  const more = names.length - shownNames;
  return more > 0 ? `${names.slice(0, shownNames).join(' ')} and ${more} more` : names.join(' ');
}

function selectionOf({ selection, flags }: ResultHeader): string {
  const without = valuesOf(flags, '--without');
  const chosen = selection.length === 0 ? 'everything' : shorten(selection);
  return without.length === 0 ? chosen : `${chosen} without ${shorten(without)}`;
}

function stateOf(run: KeptRun): string {
  if ('problem' in run) return 'unreadable';
  const { header, footer } = run.summary;
  if (footer === undefined) return run.underWay ? 'under way' : 'cut off';
  const { outcome, interrupted, expected = [] } = footer;
  if (interrupted) return `${outcome} (interrupted)`;
  const stale = expected.filter(isStale).length;
  if (stale > 0) return `${outcome} (${countOf(stale, 'expected entry', 'expected entries')} to delete)`;
  return expected.length > 0 && outcome === 'not conformant'
    ? `${outcome} (with expected failures)`
    : headlineCell(header, footer);
}

const momentOf = (milliseconds: number): string => `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;

function rowOf(run: KeptRun): readonly string[] {
  const began = momentOf(run.began);
  if ('problem' in run) return [began, '', '', '', stateOf(run), '', '', `${run.folder}: ${run.problem}`];
  const { header, footer } = run.summary;
  const score = footer === undefined ? '' : renderScore(footer.score.required);
  const took = footer === undefined ? '' : renderSpan(footer.wallMilliseconds);
  return [began, header.run, header.target.name, selectionOf(header), stateOf(run), score, took, run.folder];
}

function toJson(run: KeptRun): object {
  const { folder } = run;
  const common = { folder, began: new Date(run.began).toISOString(), state: stateOf(run) };
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
  const wrong = dirs.find((dir) => !isFolder(dir) && dir !== usualFolder);
  if (wrong !== undefined) throw usageError(`${wrong} is no folder`);
  const runs = findRuns(dirs);
  if (json) stdout.write(`${forJson({ runs: runs.map(toJson) })}\n`);
  else if (runs.length === 0) stdout.write(`there are no runs in ${forTerminal(dirs.join(', '))}\n`);
  else {
    const table = { columns, rows: runs.map(rowOf), whole: wantsWholeRows(invocation) };
    stdout.write(`${renderColumns(pageOf(invocation), table).join('\n')}\n`);
  }
  return exitCodes.conformant;
}
