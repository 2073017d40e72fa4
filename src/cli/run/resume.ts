import { existsSync, statSync } from 'node:fs';
import { endsComplete } from '../../journal/read-entries.ts';
import { isJournalFile, readResult, readSummary } from '../../journal/read-result.ts';
import { JournalUnwritable } from '../../journal/writer.ts';
import { defined } from '../../lib/optional.ts';
import { quoteWord } from '../../lib/shell.ts';
import { valuesOf } from '../../model/flags.ts';
import { CarrierspecError } from '../../model/problem.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import { exitCodeOf } from '../exit-codes.ts';
import { flagsToRepeat, type RepeatedFlags, renderFlags, usualFolder } from '../shared/flags.ts';
import type { Invocation } from '../shared/invocation.ts';
import { foldersIn, journalIn, openPlace, type Place } from '../shared/kept.ts';
import { isHeld } from '../shared/lock.ts';
import { requireNamed } from '../shared/named-again.ts';
import { filesOf, parseReports, type WantedReport, type Writing, writeReports } from '../shared/reports.ts';

/** The run ended, and was killed before it had written all of its reports: one is missing, or older than the journal. */
function lacksReports(journal: string, reports: readonly WantedReport[]): boolean {
  if (!isJournalFile(journal) || !endsComplete(journal)) return false;
  const { mtimeMs } = statSync(journal);
  return filesOf(reports).some((path) => (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) < mtimeMs);
}

/** A run against a carrier that is still there, and that did not come to its end or not to its reports. */
function canGoOn(folder: string): boolean {
  const journal = journalIn(folder);
  if (!isJournalFile(journal) || isHeld(folder)) return false;
  if (endsComplete(journal)) return lacksReports(journal, parseReports([], folder));
  try {
    return valuesOf(readSummary(journal).header.flags, '--target').length > 0;
  } catch (error) {
    if (error instanceof CarrierspecError) return false;
    throw error;
  }
}

/** A run whose journal took no more, with the line that goes on with it. */
export function withWayOn(error: unknown, given: Pick<RepeatedFlags, 'target' | 'suites'>, { folder }: Place): unknown {
  if (!(error instanceof JournalUnwritable)) return error;
  const { target, suites } = given;
  const words = ['--out', folder, ...renderFlags({ ...defined({ target }), suites, without: [], fault: [] })];
  const ofItsOwn = given.target !== undefined && existsSync(journalIn(folder));
  const way = ofItsOwn
    ? `make room there, then go on with: carrierspec run --resume ${words.map(quoteWord).join(' ')}`
    : 'make room there, then run again';
  return new CarrierspecError(`${error.message}; ${way}`, { code: error.code, cause: error });
}

/** The command line with what it leaves out of the run that was cut off: areas, profile and selection. Throws where a file is left out. */
export function asBefore<G extends RepeatedFlags & { readonly what: readonly string[] }>(
  given: G,
  { folder }: Place,
  invocation: Pick<Invocation, 'argv'>,
): G {
  const journal = journalIn(folder);
  if (!isJournalFile(journal)) return given;
  const { header } = readSummary(journal);
  requireNamed(given, header.flags, invocation);
  const what = given.what.length > 0 ? given.what : header.selection;
  return { ...given, ...flagsToRepeat(given, header.flags), what };
}

/** Where `--resume` goes on: in `--out`, else in the folder of the newest run that has not ended, which is said. */
export function placeToResume(out: string | undefined, { stderr }: Pick<Invocation, 'stderr'>): Place {
  if (out !== undefined) return { folder: out };
  const folder = foldersIn(usualFolder).find(canGoOn);
  if (folder === undefined) {
    const message = `--resume: no run in ${usualFolder} can be resumed; --out names the folder of another`;
    throw new CarrierspecError(message, { code: 'nothing-to-resume' });
  }
  stderr.write(`${forTerminal(`--resume: ${folder}`)}\n`);
  return { folder, root: usualFolder };
}

/**
 * Writes the reports of a run whose journal has its footer, where a kill came before them; sends nothing. Gives the exit code of
 * that run, or undefined where this is no such run.
 */
export async function reportFinished(
  place: Place,
  { wanted: reports, detail }: Writing,
  invocation: Invocation,
): Promise<number | undefined> {
  const journal = journalIn(place.folder);
  if (!lacksReports(journal, reports)) return undefined;
  const opened = openPlace(place, invocation);
  try {
    invocation.stderr.write(`${forTerminal(`--resume: the run of ${journal} had ended; its reports are written`)}\n`);
    const { result } = readResult(journal);
    await writeReports(result, { wanted: reports, detail, journal }, invocation);
    opened.finish();
    return exitCodeOf(result);
  } finally {
    opened.close();
  }
}
