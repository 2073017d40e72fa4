import { statSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { historyOf } from '../../compare/history/history.ts';
import { judgesOf, type History, type HistoryEntry, type HistoryRun } from '../../compare/history/lines.ts';
import { type News, newsSince } from '../../compare/history/turns.ts';
import { readResult } from '../../journal/read-result.ts';
import { countOf } from '../../lib/lists.ts';
import { defined } from '../../lib/optional.ts';
import { CarrierspecError } from '../../model/problem.ts';
import { renderHistoryJson, renderHistoryText, renderNews } from '../../report/history/text.ts';
import { renderHistory } from '../../report/history/page.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import type { historyDefinition } from '../definitions/results.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Given } from '../shared/command.ts';
import { makeFolder, writeBelow } from '../shared/files.ts';
import { usualFolder } from '../shared/flags.ts';
import { usageError } from '../shared/inputs.ts';
import type { Invocation } from '../shared/invocation.ts';
import { type FoundResults, findResults } from './find-results.ts';
import { listRuns } from './list-runs.ts';

/** What goes into a history of a result; its exchanges are dropped. */
function readEntry(file: string, say: (text: string) => void): HistoryEntry | undefined {
  try {
    const { result, notes } = readResult(file);
    for (const note of notes) say(note);
    const { header, footer, rules } = result;
    return defined({ file, header, footer, rules, judges: judgesOf(result) });
  } catch (error) {
    if (!(error instanceof CarrierspecError)) throw error;
    say(`left out: ${error.message}`);
    return undefined;
  }
}

function readEntries({ files }: FoundResults, say: (text: string) => void): readonly HistoryEntry[] {
  return files.flatMap(({ file, otherwise }) => {
    const entry = readEntry(file, say) ?? (otherwise === undefined ? undefined : readEntry(otherwise, say));
    return entry === undefined ? [] : [entry];
  });
}

/** Where results are as seen from the page: the same wherever both stand. */
const withPathsFrom = (history: History, out: string): History => ({
  ...history,
  carriers: history.carriers.map((carrier) => ({
    ...carrier,
    runs: carrier.runs.map((run) => ({ ...run, file: relative(out, run.file).split(sep).join('/') })),
  })),
});

/** The report that a run left beside its result, as a path from the page; undefined where there is none. */
const reportFrom =
  (out: string) =>
  ({ file }: HistoryRun): string | undefined => {
    const path = posix.join(posix.dirname(file), 'report.html');
    const isThere = statSync(join(out, path), { throwIfNoEntry: false })?.isFile() === true;
    return isThere ? path.split('/').map(encodeURIComponent).join('/') : undefined;
  };

function writeHistory(history: History, out: string): History {
  makeFolder(out, '--out');
  const shown = withPathsFrom(history, out);
  const write = (path: string, chunks: Iterable<string>): void =>
    writeBelow({ folder: out, flag: '--out' }, path, chunks);
  write('index.html', [renderHistory(shown, reportFrom(out))]);
  write('history.json', renderHistoryJson(shown));
  return shown;
}

/** What turned since a moment: 1 where a rule became worse, 4 where a carrier has no run since then. */
function exitCodeOf({ turned, silent }: News): number {
  if (turned.some(({ worse }) => worse)) return exitCodes['not conformant'];
  return silent.length > 0 ? exitCodes.incomplete : exitCodes.conformant;
}

/** With `--turned-since` stdout has what is new and nothing else, so that it can be sent to somebody. */
function* linesOf(history: History, news: News | undefined): Iterable<string> {
  for (const line of news === undefined ? renderHistoryText(history) : renderNews(news)) yield `${line}\n`;
}

interface Wanted extends Pick<Given<typeof historyDefinition>, 'out' | 'newest' | 'json' | 'turnedSince'> {
  readonly dirs: readonly string[];
}

/** Reads all results below the folders; what is left out is said on stderr. */
function readHistory({ dirs, out, newest }: Wanted, say: (text: string) => void) {
  const found = findResults(dirs, out);
  for (const note of found.notes) say(note);
  const entries = readEntries(found, say);
  if (entries.length === 0) throw usageError(`there is no result in ${dirs.join(', ')}`);
  const history = historyOf(entries, newest);
  for (const { file, same } of history.doubled) say(`${file} says the same as ${same}, and counts once`);
  for (const { file, whole } of history.parts) say(`${file} is a part of ${whole}, which counts in its place`);
  return { history, count: entries.length };
}

function tellHistory(wanted: Wanted, { stdout, stderr }: Invocation): number {
  const { out, json, turnedSince } = wanted;
  const say = (text: string): void => void stderr.write(`carrierspec: ${forTerminal(text)}\n`);
  const { history, count } = readHistory(wanted, say);
  const shown = out === undefined ? history : writeHistory(history, out);
  const news = turnedSince === undefined ? undefined : newsSince(history, turnedSince.milliseconds);
  for (const chunk of json ? renderHistoryJson(shown) : linesOf(history, news)) stdout.write(chunk);
  if (!json) {
    const told = news === undefined ? stdout : stderr;
    told.write(
      `${countOf(count, 'result')} read${out === undefined ? '' : `; the history is in ${forTerminal(out)}`}\n`,
    );
    if (out !== undefined) told.write(`open in a browser: ${pathToFileURL(join(out, 'index.html')).href}\n`);
  }
  return news === undefined ? exitCodes.conformant : exitCodeOf(news);
}

/**
 * `carrierspec history [dir…]`: the runs that are kept, or with `--out` all results on one page. Gives 0 once it is done, whatever
 * it shows; with `--turned-since` what is new decides.
 */
export function historyCommand(given: Given<typeof historyDefinition>, invocation: Invocation): Promise<number> {
  const dirs = given.dirs.length === 0 ? [usualFolder] : given.dirs;
  const isList = given.out === undefined && given.turnedSince === undefined;
  const code = isList ? listRuns(dirs, given.json, invocation) : tellHistory({ ...given, dirs }, invocation);
  return Promise.resolve(code);
}
