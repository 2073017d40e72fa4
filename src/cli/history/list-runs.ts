import { countOf } from '../../lib/lists.ts';
import { isStale } from '../../model/expected.ts';
import { valuesOf } from '../../model/flags.ts';
import { headlineCell } from '../../model/headline.ts';
import type { ResultHeader } from '../../model/result.ts';
import { renderScore } from '../../report/shared/run-prose.ts';
import { forJson, forTerminal } from '../../report/shared/sanitize.ts';
import { renderSpan } from '../../report/shared/time.ts';
import { exitCodes } from '../exit-codes.ts';
import { renderColumns } from '../shared/columns.ts';
import { isFolder } from '../shared/files.ts';
import { usualFolder } from '../shared/flags.ts';
import { usageError } from '../shared/inputs.ts';
import { type Invocation, pageOf, wantsWholeRows } from '../shared/invocation.ts';
import { findRuns, type KeptRun } from './find-runs.ts';

const columns = ['began', 'run', 'target', 'selection', 'outcome', 'required', 'took', 'folder'].map((name) => ({
  name,
}));

/** Longest list of names in a row; --json has all of them. */
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

/** The outcome, or why there is none. */
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

/** `carrierspec history [dir…]` without `--out`: the runs that were kept, the newest first. Gives 0, whatever they say. */
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
