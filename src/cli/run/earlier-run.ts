import { join } from 'node:path';
import { endsWithFooter } from '../../journal/read-entries.ts';
import { readResult, isJournalFile, readSummary } from '../../journal/read-result.ts';
import { JournalUnwritable } from '../../journal/journal.ts';
import { isThere, modifiedAt } from '../../files/look.ts';
import type { Hours } from '../../lib/hours.ts';
import { countNoun } from '../../lib/lists.ts';
import { omitUndefined } from '../../lib/json.ts';
import { quoteWord } from '../../lib/shell.ts';
import { flagValues } from '../../model/flags.ts';
import { CarrierspecError } from '../../model/problem.ts';
import type { Result, ResultHeader } from '../../model/result.ts';
import type { Target } from '../../model/target.ts';
import type { Verdict } from '../../model/rule.ts';
import { runEnding } from '../../verdict/ending.ts';
import { renderCommand } from '../../report/shared/facts.ts';
import { cutText, forTerminal, showValue } from '../../report/shared/sanitize.ts';
import type { Suites } from '../../suite/suites.ts';
import { runExitCode } from '../exit-codes.ts';
import { parseFlags, renderFlags, type RepeatedFlags, defaultRunsFolder } from '../shared/flags.ts';
import { usageError } from '../shared/inputs.ts';
import type { Invocation } from '../shared/command.ts';
import { runFolders, journalPath, latestResult, openRunFolder, type RunFolder } from '../shared/run-folder.ts';
import { isFolderLocked } from '../shared/lock.ts';
import {
  reportFiles,
  parseReports,
  type RequestedReport,
  writeReports,
  type ReportWriting,
} from '../shared/reports.ts';

const namesCarrier = ({ target, fault }: Pick<RepeatedFlags, 'target' | 'fault'>): boolean =>
  target !== undefined || fault.length > 0;

/** Flags of the command line, completed from the earlier run, except flags that name files. */
export function flagsToRepeat(
  given: Pick<RepeatedFlags, 'suites' | 'fault'> & Partial<RepeatedFlags>,
  before: readonly string[],
): RepeatedFlags {
  const { fault, without: left, profile: counted, order: wanted } = parseFlags(before);
  return omitUndefined({
    target: given.target,
    suites: given.suites,
    fault: namesCarrier(given) ? given.fault : fault,
    without: given.without === undefined || given.without.length === 0 ? left : given.without,
    profile: given.profile ?? counted,
    order: given.order ?? wanted,
  });
}

/** Renders the command line with extra flags for a shell, before `--`, after which they would be names. */
function withFlags(argv: readonly string[], flags: readonly string[]): string {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  return ['carrierspec', ...argv.slice(0, end), ...flags, ...argv.slice(end)].map(quoteWord).join(' ');
}

/** Throws if the earlier run used files not named on the command line: its result may come from a stranger. */
export function requireNamed(
  given: Pick<RepeatedFlags, 'target' | 'suites' | 'fault'>,
  earlier: readonly string[],
  { argv }: Pick<Invocation, 'argv'>,
): void {
  const { target, suites } = parseFlags(earlier);
  const missing = [
    ...(target === undefined || namesCarrier(given) ? [] : renderFlags({ target })),
    ...(given.suites.length > 0 ? [] : renderFlags({ suites })),
  ];
  if (missing.length === 0) return;
  throw usageError(
    `the earlier run used ${missing.map(quoteWord).join(' ')}; files that a result or journal names are not opened. If you trust them, name them: ${withFlags(argv, missing)}`,
  );
}

interface CurrentRun {
  readonly target: Pick<Target, 'name' | 'issuer' | 'fingerprint'>;
  readonly suites: Pick<Suites, 'digests'>;
}

/** Notes on stderr if the target or the suites differ from the earlier run's. */
export function noteDifferences(
  { target, suites }: ResultHeader,
  now: CurrentRun,
  { stderr }: Pick<Invocation, 'stderr'>,
): void {
  const isKnown = target.issuer !== '' && now.target.issuer !== undefined;
  const words = ({ name, issuer = '' }: CurrentRun['target']): string =>
    isKnown ? `${showValue(name, 80)} at ${cutText(issuer, 200)}` : showValue(name, 80);
  const [before, today] = [words(target), words(now.target)];
  const { rules, suites: files } = now.suites.digests;
  const differences = [
    ...(target.fingerprint === now.target.fingerprint
      ? []
      : [before === today ? `the target file (of ${today})` : `the target (${before} then, ${today} now)`]),
    ...(suites.rules === rules && suites.suites === files ? [] : ['the rules or suites']),
  ];
  if (differences.length === 0) return;
  stderr.write(`note: ${forTerminal(`not as in the earlier run: ${differences.join('; ')}`)}\n`);
}

/** Cases and invariants of a result to run again. */
export interface FailedSelection {
  readonly file: string;
  readonly header: Result['header'];
  /** Cases to repeat, and broken invariants. */
  readonly ids: ReadonlySet<string>;
  /** `14 of 886 cases and 2 invariants of FILE`, and whether its run came to its end. */
  readonly words: string;
  /** Names the cases of an interrupted run that this selection leaves out; absent if that run ended. */
  readonly left?: string;
}

/** Verdicts worth another run. */
const repeatableVerdicts: ReadonlySet<Verdict> = new Set(['fail', 'warn', 'inconclusive', 'error', 'not-run']);
/** Without `not-run`: an invariant that saw no message is not broken. */
const brokenVerdicts: ReadonlySet<Verdict> = new Set(['fail', 'warn', 'inconclusive', 'error']);

/** Cases that did not pass, and broken invariants with the case in which each was first seen. */
export function findFailed({ cases, invariants }: Pick<Result, 'cases' | 'invariants'>) {
  const all = [...cases].flatMap(({ id, verdict, leftOut }) => (leftOut === true ? [] : [{ id, verdict }]));
  const known = new Set(all.map(({ id }) => id));
  const red = invariants.filter(({ verdict }) => brokenVerdicts.has(verdict));
  const seenIn = red.flatMap(({ findings }) => findings[0]?.seenIn ?? []).filter((id) => known.has(id));
  const ids = new Set([...all.filter(({ verdict }) => repeatableVerdicts.has(verdict)).map(({ id }) => id), ...seenIn]);
  return { cases: ids, invariants: red.map(({ id }) => id), of: all.length };
}

/** Cases of an interrupted run that another run of the rest does not judge, with the command for one verdict of all. */
function leftWords(before: Result, again: ReadonlySet<string>): string | undefined {
  if (runEnding(before) !== 'interrupted') return undefined;
  const { header, footer, cases } = before;
  const passed = [...cases].filter(({ id }) => !again.has(id)).length;
  const kept = passed === 0 ? [] : [`${countNoun(passed, 'case')} that passed before`];
  const unknown = footer === undefined ? ['cases that the run had not begun when it was cut off'] : [];
  const parts = [...kept, ...unknown];
  if (parts.length === 0) return undefined;
  return `not in this verdict: ${parts.join(', and ')}; for one verdict of all: ${renderCommand(header.selection, header.flags)}`;
}

/** `, which was interrupted: 1,316 of them never ran`; empty for a run that ended. */
function endedWords({ footer, cases }: Result): string {
  if (footer === undefined) return ', which was cut off';
  if (!footer.interrupted) return '';
  const unrun = [...cases].filter(
    ({ verdict, reason }) => verdict === 'not-run' && footer.reasons.includes(reason ?? ''),
  );
  return `, which was interrupted: ${unrun.length.toLocaleString('en-GB')} of them never ran`;
}

/** Finds the failed or unjudged cases of the latest result. Throws if there is no result. */
export function findLastFailed(out: string | undefined): FailedSelection {
  const result = out === undefined ? latestResult() : join(out, 'result.json');
  const journal = result.replace(/result\.json$/, 'journal.jsonl');
  const file = [result, journal].find(isThere);
  if (file === undefined) throw usageError(`--last-failed: there is no ${result} to take it from`);
  const { result: before } = readResult(file);
  const { cases, invariants, of } = findFailed(before);
  const more = invariants.length === 0 ? '' : ` and ${countNoun(invariants.length, 'invariant')}`;
  const words = `${cases.size.toLocaleString('en-GB')} of ${countNoun(of, 'case')}${more} of ${file}${endedWords(before)}`;
  const left = leftWords(before, cases);
  return { file, header: before.header, ids: new Set([...cases, ...invariants]), words, ...omitUndefined({ left }) };
}

/** Completes the flags from the earlier run. */
export function repeatFlags<T extends RepeatedFlags>(given: T, { header }: FailedSelection): T {
  const repeated = flagsToRepeat(given, header.flags);
  const profile = repeated.profile ?? header.profile;
  return { ...given, ...repeated, profile };
}

/** True if the run ended but was killed before writing all reports: one is missing or older than the journal. */
function lacksReports(journal: string, reports: readonly RequestedReport[]): boolean {
  if (!isJournalFile(journal) || !endsWithFooter(journal)) return false;
  const ended = modifiedAt(journal);
  return reportFiles(reports).some((path) => modifiedAt(path) < ended);
}

/** Header of a run that has not ended, or not with its reports; undefined if the run has, is under way, or cannot be read. */
function unfinishedHeader(folder: string): ResultHeader | undefined {
  const journal = journalPath(folder);
  if (!isJournalFile(journal) || isFolderLocked(folder)) return undefined;
  if (endsWithFooter(journal) && !lacksReports(journal, parseReports([], folder))) return undefined;
  try {
    return readSummary(journal).header;
  } catch (error) {
    if (error instanceof CarrierspecError) return undefined;
    throw error;
  }
}

const isEmbedded = ({ flags }: ResultHeader): boolean => flagValues(flags, '--target').length === 0;

/** True if `--resume` can continue it: the carrier still exists, or only the reports are missing. */
function hasUnfinishedWork(folder: string): boolean {
  const header = unfinishedHeader(folder);
  return header !== undefined && (!isEmbedded(header) || endsWithFooter(journalPath(folder)));
}

/** Says why a run of the embedded carrier cannot be resumed, and how to run it again. */
const embeddedWords = ({ selection, flags }: ResultHeader): string =>
  `was of the embedded reference carrier, which ended with it and kept nothing; run it again: ${renderCommand(selection, flags)}`;

/** Throws nothing-to-resume if the run had no target file: its carrier is gone. */
export function requireOwnCarrier({ folder }: RunFolder): void {
  const journal = journalPath(folder);
  const header = isJournalFile(journal) ? readSummary(journal).header : undefined;
  if (header !== undefined && !isEmbedded(header)) return;
  const why = header === undefined ? `there is no journal ${journal}` : `the run of ${folder} ${embeddedWords(header)}`;
  throw new CarrierspecError(`--resume: ${why}`, { code: 'nothing-to-resume' });
}

interface ResumedFlags extends Pick<RepeatedFlags, 'target' | 'suites'> {
  readonly shard?: string | undefined;
  readonly expected?: string | undefined;
  readonly hours?: Hours | undefined;
  readonly report: readonly string[];
  readonly keepGoing: boolean;
}

/** Command that continues a run; its journal has the other settings. Undefined without a carrier or a journal to go on with. */
export function resumeCommand(given: ResumedFlags, { folder }: RunFolder): string | undefined {
  const { target, suites, shard, expected, hours, report, keepGoing } = given;
  if (target === undefined || !isThere(journalPath(folder))) return undefined;
  const words = [
    '--out',
    folder,
    ...renderFlags({ target, suites }),
    ...(shard === undefined ? [] : ['--shard', shard]),
    ...(expected === undefined ? [] : ['--expected', expected]),
    ...(hours === undefined ? [] : ['--hours', hours.text]),
    ...report.flatMap((one) => ['--report', one]),
    ...(keepGoing ? ['--keep-going'] : []),
  ];
  return `carrierspec run --resume ${words.map(quoteWord).join(' ')}`;
}

/** Adds the command that continues the run to a journal write error. */
export function withResumeCommand(error: unknown, given: ResumedFlags, place: RunFolder): unknown {
  if (!(error instanceof JournalUnwritable)) return error;
  const command = resumeCommand(given, place);
  const way =
    command === undefined ? 'make room there, then run again' : `make room there, then go on with: ${command}`;
  return new CarrierspecError(`${error.message}; ${way}`, { code: error.code, cause: error });
}

/** Completes the command line from the interrupted run: areas, profile and selection. Throws if a file is not named. */
export function completeFromJournal<G extends RepeatedFlags & { readonly what: readonly string[] }>(
  given: G,
  { folder }: RunFolder,
  invocation: Pick<Invocation, 'argv'>,
): G {
  const journal = journalPath(folder);
  if (!isJournalFile(journal)) return given;
  const { header } = readSummary(journal);
  requireNamed(given, header.flags, invocation);
  const what = given.what.length > 0 ? given.what : header.selection;
  return { ...given, ...flagsToRepeat(given, header.flags), what };
}

/** Folder to resume: `--out`, else the newest unfinished run, which is noted on stderr. */
export function placeToResume(out: string | undefined, { stderr }: Pick<Invocation, 'stderr'>): RunFolder {
  if (out !== undefined) return { folder: out };
  const folder = runFolders(defaultRunsFolder).find(hasUnfinishedWork);
  if (folder === undefined) {
    const [embedded] = runFolders(defaultRunsFolder).flatMap((one) => {
      const header = unfinishedHeader(one);
      return header === undefined ? [] : [`the run of ${one} ${embeddedWords(header)}`];
    });
    const why = `no run in ${defaultRunsFolder} can be resumed; --out names the folder of another`;
    throw new CarrierspecError(`--resume: ${embedded ?? why}`, { code: 'nothing-to-resume' });
  }
  stderr.write(`${forTerminal(`--resume: ${folder}`)}\n`);
  return { folder, root: defaultRunsFolder };
}

/** Writes the missing reports of a finished run. Returns its exit code, or undefined if none is missing. */
export async function reportFinished(
  place: RunFolder,
  { wanted: reports, detail }: ReportWriting,
  invocation: Invocation,
): Promise<number | undefined> {
  const journal = journalPath(place.folder);
  if (!lacksReports(journal, reports)) return undefined;
  const opened = openRunFolder(place, invocation);
  try {
    invocation.stderr.write(`${forTerminal(`--resume: the run of ${journal} had ended; its reports are written`)}\n`);
    const { result } = readResult(journal);
    await writeReports(result, { wanted: reports, detail, journal }, invocation);
    opened.finish();
    return runExitCode(result);
  } finally {
    opened.close();
  }
}
