import { createHistory } from '../../compare/history/history.ts';
import { indexJudges, type History, type HistoryEntry, type HistoryRun } from '../../compare/history/history-model.ts';
import { type HistoryNews, newsSince } from '../../compare/history/turns.ts';
import { readResult } from '../../journal/read-result.ts';
import { FileError } from '../../files/file-error.ts';
import { isFile, isFolder, isSameFile, isThere, listFolder } from '../../files/look.ts';
import { countNoun } from '../../lib/lists.ts';
import { omitUndefined } from '../../lib/json.ts';
import { CarrierspecError } from '../../model/problem.ts';
import { renderHistory } from '../../report/history/page.ts';
import { renderHistoryJson, renderHistoryText, renderNews } from '../../report/history/text.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import type { historyDefinition } from '../definitions/results.ts';
import { exitCodes } from '../exit-codes.ts';
import type { CommandInputs, Invocation } from '../shared/command.ts';
import { makeFolder, requireOwnNames, writeBelow } from '../shared/files.ts';
import { defaultRunsFolder } from '../shared/flags.ts';
import { usageError } from '../shared/inputs.ts';
import { listRuns } from './list-runs.ts';
import { basename, dirname, join, posix, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

const maxFolderDepth = 16;
const maxFileNames = 200_000;
const maxResultFiles = 5000;

const isResultName = (name: string): boolean =>
  name === 'result.json' || name.endsWith('.result.json') || name.endsWith('.jsonl');

interface ResultFiles {
  /** Each with its fallback: the journal beside a result.json. */
  readonly files: readonly { readonly file: string; readonly otherwise?: string }[];
  /** One sentence for each part that was skipped. */
  readonly notes: readonly string[];
}

interface FolderSearch {
  readonly files: string[];
  readonly notes: string[];
  readonly skip: string | undefined;
  names: number;
}

/** Sorted folder entries; empty if it cannot be read. */
function listNames(folder: string, search: FolderSearch) {
  try {
    return listFolder(folder);
  } catch (cause) {
    if (!(cause instanceof FileError)) throw cause;
    search.notes.push(cause.message);
    return [];
  }
}

/** Does not follow links: `latest` leads to a run that is found under its own name. */
function walkFolder(folder: string, depth: number, search: FolderSearch): void {
  for (const entry of listNames(folder, search)) {
    search.names += 1;
    if (search.names > maxFileNames) return;
    const path = join(folder, entry.name);
    if (entry.isFile() && isResultName(entry.name)) search.files.push(path);
    if (!entry.isDirectory() || isSkipped(path, search)) continue;
    if (depth === maxFolderDepth) search.notes.push(`${path} is too deep: what is in it was not looked at`);
    else walkFolder(path, depth + 1, search);
  }
}

const isSkipped = (path: string, { skip }: FolderSearch): boolean => skip !== undefined && isSameFile(path, skip);

/** Keeps a journal beside a result.json only as the fallback for an unreadable result. */
function pairJournals(files: readonly string[]): ResultFiles['files'] {
  const all = new Set(files);
  return files.flatMap((file) => {
    const beside = (name: string): string => join(dirname(file), name);
    if (basename(file) === 'journal.jsonl' && all.has(beside('result.json'))) return [];
    const journal = beside('journal.jsonl');
    return basename(file) === 'result.json' && all.has(journal) ? [{ file, otherwise: journal }] : [{ file }];
  });
}

/** Finds result files below folders, and takes named files as they are. `skip` is a folder to leave out. */
function findResults(dirs: readonly string[], skip: string | undefined): ResultFiles {
  const search: FolderSearch = { files: [], notes: [], skip, names: 0 };
  for (const dir of dirs) {
    if (isFolder(dir)) walkFolder(dir, 1, search);
    else if (!isThere(dir)) throw usageError(`there is no ${dir}`);
    else search.files.push(dir);
  }
  if (search.names > maxFileNames)
    search.notes.push(`there are more than ${maxFileNames} files: the rest was not looked at`);
  const files = pairJournals([...new Set(search.files)]);
  const left = files.length - maxResultFiles;
  if (left > 0) search.notes.push(`there are more than ${maxResultFiles} results: ${left} were not read`);
  return { files: files.slice(0, maxResultFiles), notes: search.notes };
}

/** Reads the parts of a result that a history needs; drops its exchanges. */
function readHistoryEntry(file: string, say: (text: string) => void): HistoryEntry | undefined {
  try {
    const { result, notes } = readResult(file);
    for (const note of notes) say(note);
    const { header, footer, rules } = result;
    return omitUndefined({ file, header, footer, rules, judges: indexJudges(result) });
  } catch (error) {
    if (!(error instanceof CarrierspecError)) throw error;
    say(`left out: ${error.message}`);
    return undefined;
  }
}

function readEntries({ files }: ResultFiles, say: (text: string) => void): readonly HistoryEntry[] {
  return files.flatMap(({ file, otherwise }) => {
    const entry =
      readHistoryEntry(file, say) ?? (otherwise === undefined ? undefined : readHistoryEntry(otherwise, say));
    return entry === undefined ? [] : [entry];
  });
}

/** Makes paths relative to the page, so that both can move together. */
const relativizePaths = (history: History, out: string): History => ({
  ...history,
  carriers: history.carriers.map((carrier) => ({
    ...carrier,
    runs: carrier.runs.map((run) => ({ ...run, file: relative(out, run.file).split(sep).join('/') })),
  })),
});

/** Path from the page to the report beside a result; undefined if there is none. */
const createReportLinker =
  (out: string) =>
  ({ file }: HistoryRun): string | undefined => {
    const path = posix.join(posix.dirname(file), 'report.html');
    return isFile(join(out, path)) ? path.split('/').map(encodeURIComponent).join('/') : undefined;
  };

function writeHistory(history: History, out: string): History {
  const shown = relativizePaths(history, out);
  const write = (path: string, chunks: Iterable<string>): void =>
    writeBelow({ folder: out, flag: '--out' }, path, chunks);
  makeFolder(out, '--out');
  write('index.html', [renderHistory(shown, createReportLinker(out))]);
  write('history.json', renderHistoryJson(shown));
  return shown;
}

/** 1 if a rule became worse, 4 if a carrier has no new run. */
function newsExitCode({ turned, silent }: HistoryNews): number {
  if (turned.some(({ worse }) => worse)) return exitCodes['not conformant'];
  return silent.length > 0 ? exitCodes.incomplete : exitCodes.conformant;
}

/** With `--turned-since`, stdout has only the news, ready to be sent on. */
function* renderHistoryLines(history: History, news: HistoryNews | undefined): Iterable<string> {
  for (const line of news === undefined ? renderHistoryText(history) : renderNews(news)) yield `${line}\n`;
}

interface HistoryRequest
  extends Pick<CommandInputs<typeof historyDefinition>, 'out' | 'newest' | 'json' | 'turnedSince'> {
  readonly dirs: readonly string[];
}

/** Reads all results below the folders; notes on skipped files go to `say`. */
function readHistory({ dirs, out, newest }: HistoryRequest, say: (text: string) => void) {
  const found = findResults(dirs, out);
  for (const note of found.notes) say(note);
  const entries = readEntries(found, say);
  if (entries.length === 0) throw usageError(`there is no result in ${dirs.join(', ')}`);
  const history = createHistory(entries, newest);
  for (const { file, same } of history.doubled) say(`${file} says the same as ${same}, and counts once`);
  for (const { file, whole } of history.parts) say(`${file} is a part of ${whole}, which counts in its place`);
  return { history, count: entries.length };
}

function reportHistory(wanted: HistoryRequest, { stdout, stderr }: Invocation): number {
  const { out, json, turnedSince } = wanted;
  if (out !== undefined) requireOwnNames({ folder: out, flag: '--out' }, ['index.html', 'history.json']);
  const say = (text: string): void => void stderr.write(`carrierspec: ${forTerminal(text)}\n`);
  const { history, count } = readHistory(wanted, say);
  const shown = out === undefined ? history : writeHistory(history, out);
  const news = turnedSince === undefined ? undefined : newsSince(history, turnedSince.milliseconds);
  for (const chunk of json ? renderHistoryJson(shown) : renderHistoryLines(history, news)) stdout.write(chunk);
  if (!json) {
    const told = news === undefined ? stdout : stderr;
    told.write(
      `${countNoun(count, 'result')} read${out === undefined ? '' : `; the history is in ${forTerminal(out)}`}\n`,
    );
    if (out !== undefined) told.write(`open in a browser: ${pathToFileURL(join(out, 'index.html')).href}\n`);
  }
  return news === undefined ? exitCodes.conformant : newsExitCode(news);
}

/** `carrierspec history [dir…]`: lists the runs, or makes one page of all results with `--out`. */
export function historyCommand(
  given: CommandInputs<typeof historyDefinition>,
  invocation: Invocation,
): Promise<number> {
  const dirs = given.dirs.length === 0 ? [defaultRunsFolder] : given.dirs;
  const isList = given.out === undefined && given.turnedSince === undefined;
  const code = isList ? listRuns(dirs, given.json, invocation) : reportHistory({ ...given, dirs }, invocation);
  return Promise.resolve(code);
}
