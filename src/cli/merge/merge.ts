import { resolve } from 'node:path';
import { type MergeOptions, mergeParts } from '../../engine/merge/merge.ts';
import { requireParts, requireProgram, requireSuites } from '../../engine/merge/parts.ts';
import { replaceCases } from '../../engine/merge/replace.ts';
import { type Selected, select } from '../../engine/plan/select.ts';
import { archiveRun } from '../../engine/resume/archive.ts';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { entriesBehindHeader } from '../../journal/entries.ts';
import { createJournal } from '../../journal/writer.ts';
import { suitesIn } from '../../judge/profiles.ts';
import { valuesOf } from '../../model/flags.ts';
import type { Contribution, Result } from '../../model/result.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import { thisTool } from '../../setup/program.ts';
import { readSuites } from '../../setup/read.ts';
import type { mergeDefinition } from '../definitions/results.ts';
import { exitCodeOf } from '../exit-codes.ts';
import { suggestNames, withoutAreas } from '../shared/choose.ts';
import type { Given } from '../shared/command.ts';
import { detailOf, usualFolder } from '../shared/flags.ts';
import { usageError } from '../shared/inputs.ts';
import type { Invocation } from '../shared/invocation.ts';
import { filesBeside, journalIn, newPlace, openPlace, type Place } from '../shared/kept.ts';
import { filesOf, parseReports, readNoted, type WantedReport, writeReports } from '../shared/reports.ts';
import { readPair, selectedIn } from './replace.ts';

type MergeFlags = Given<typeof mergeDefinition>;

/** Throws where a report would be written over a result that the merge reads. */
function keepParts(files: readonly string[], reports: readonly WantedReport[], out: string): void {
  const written = new Set([...filesOf(reports), journalIn(out)].map((path) => resolve(path)));
  const lost = files.find((file) => written.has(resolve(file)));
  if (lost !== undefined) throw usageError(`--out: ${lost} is one of the parts, and would be written over`);
}

/** What a merge makes, and what a later one needs of it. */
interface Merged {
  readonly result: Result;
  readonly contributions: ReadonlyMap<string, Contribution>;
}

/** What both kinds of merge judge by; `selected` is of the whole run. */
async function optionsFor(
  whole: Result,
  dirs: readonly string[],
  selectedBy: (suites: MergeOptions['suites']) => Selected | undefined,
): Promise<MergeOptions> {
  const { header } = whole;
  const shipped = await readSuites(dirs);
  requireSuites(header, shipped);
  requireProgram(header, thisTool());
  const suites = withoutAreas(shipped, valuesOf(header.flags, '--without'));
  const selected = selectedBy(suites) ?? select(suites, { what: header.selection, level: header.level }, suggestNames);
  const today = new Date().toISOString().slice(0, 10);
  // Shards that name no profile were made when every rule counted.
  const { profile = 'hardened' } = header;
  return {
    suites: suitesIn(profile, suites),
    nameable: suitesIn(profile, shipped),
    selected,
    today,
    checks: serverInitiated.checks,
  };
}

async function joinShards({ files, suites: dirs }: MergeFlags, invocation: Invocation): Promise<Merged> {
  const parts = requireParts(files.map((file) => ({ file, result: readNoted(file, invocation) })));
  const options = await optionsFor(parts[0].result, dirs, () => undefined);
  const contributions = new Map(parts.flatMap(({ result }) => Object.entries(result.contributions ?? {})));
  return { result: mergeParts(parts, options), contributions };
}

async function layOver({ files, suites: dirs }: MergeFlags, invocation: Invocation): Promise<Merged> {
  const pair = readPair(files, invocation);
  const whole = pair.earlier.result;
  return replaceCases(pair, await optionsFor(whole, dirs, (suites) => selectedIn(pair, suites)));
}

/** The journal of the whole: with it, a rerun can be laid over the result. */
function writeJournal(file: string, { result, contributions }: Merged): void {
  createJournal(file, result.header, [...entriesBehindHeader(result, contributions)]).close();
}

/** `carrierspec merge RESULT...`: results as one, with its reports. Gives the exit code of the whole run. */
export async function mergeCommand(given: MergeFlags, invocation: Invocation): Promise<number> {
  const { files, report, out, replace } = given;
  const detail = detailOf(given);
  if (out !== undefined) keepParts(files, parseReports(report, out), out);
  const merged = await (replace ? layOver(given, invocation) : joinShards(given, invocation));
  const { header } = merged.result;
  const place: Place = out === undefined ? newPlace(usualFolder, header.run) : { folder: out };
  const { folder } = place;
  const reports = parseReports(report, folder);
  const opened = openPlace(place, invocation);
  try {
    const archived = archiveRun({ journal: journalIn(folder), beside: filesBeside(folder, reports) });
    if (archived !== undefined)
      invocation.stderr.write(`${forTerminal(`the result that was there is now in ${archived.folder}`)}\n`);
    writeJournal(journalIn(folder), merged);
    await writeReports(merged.result, { wanted: reports, detail }, invocation);
    opened.finish();
    return exitCodeOf(merged.result);
  } finally {
    opened.close();
  }
}
