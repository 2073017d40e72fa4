import { resolve } from 'node:path';
import { mergeParts } from '../../engine/merge/merge.ts';
import { requireParts, requireProgram, requireSealed, requireSuites } from '../../engine/merge/shard-parts.ts';
import { selectSuites } from '../../engine/plan/select.ts';
import { archiveRun } from '../../engine/resume/archive.ts';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { entriesAfterHeader } from '../../journal/entries.ts';
import { createJournal } from '../../journal/journal.ts';
import { judgedSuites } from '../../verdict/profiles.ts';
import { flagValues } from '../../model/flags.ts';
import type { Result } from '../../model/result.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import { describeTool } from '../../setup/paths.ts';
import { readSuites } from '../../setup/read-files.ts';
import type { mergeDefinition } from '../definitions/results.ts';
import { runExitCode } from '../exit-codes.ts';
import { suggestNames, withoutParts } from '../shared/choose.ts';
import type { CommandInputs, Invocation } from '../shared/command.ts';
import { chooseDetail, defaultRunsFolder } from '../shared/flags.ts';
import { usageError } from '../shared/inputs.ts';
import { filesBeside, journalPath, newRunFolder, openRunFolder, type RunFolder } from '../shared/run-folder.ts';
import { reportFiles, parseReports, readResultNoted, type RequestedReport, writeReports } from '../shared/reports.ts';

type MergeFlags = CommandInputs<typeof mergeDefinition>;

/** Throws if a report or the journal would overwrite an input. */
function protectParts(files: readonly string[], reports: readonly RequestedReport[], out: string): void {
  const written = new Set([...reportFiles(reports), journalPath(out)].map((path) => resolve(path)));
  const lost = files.find((file) => written.has(resolve(file)));
  if (lost !== undefined) throw usageError(`--out: ${lost} is one of the parts, and would be written over`);
}

async function joinShards({ files, suites: dirs }: MergeFlags, invocation: Invocation): Promise<Result> {
  const parts = requireParts(files.map((file) => ({ file, result: readResultNoted(file, invocation) })));
  const { header } = parts[0].result;
  const shipped = await readSuites(dirs);
  requireSuites(header, shipped);
  requireProgram(header, describeTool());
  requireSealed(parts);
  const suites = withoutParts(shipped, flagValues(header.flags, '--without'));
  return mergeParts(parts, {
    suites: judgedSuites(suites, header),
    nameable: judgedSuites(shipped, header),
    selected: selectSuites(suites, { what: header.selection }, suggestNames),
    today: new Date().toISOString().slice(0, 10),
    checks: serverInitiated.checks,
  });
}

function writeJournal(file: string, result: Result): void {
  createJournal(file, result.header, [...entriesAfterHeader(result)]).close();
}

/** `carrierspec merge RESULT...`: joins shards into one result with reports. Returns the exit code of the whole run. */
export async function mergeCommand(given: MergeFlags, invocation: Invocation): Promise<number> {
  const { files, report, out } = given;
  const detail = chooseDetail(given);
  if (out !== undefined) protectParts(files, parseReports(report, out), out);
  const result = await joinShards(given, invocation);
  const place: RunFolder = out === undefined ? newRunFolder(defaultRunsFolder, result.header.run) : { folder: out };
  const { folder } = place;
  const reports = parseReports(report, folder);
  const opened = openRunFolder(place, invocation);
  try {
    const archived = archiveRun({ journal: journalPath(folder), beside: filesBeside(folder, reports) });
    if (archived !== undefined)
      invocation.stderr.write(`${forTerminal(`the result that was there is now in ${archived.folder}`)}\n`);
    writeJournal(journalPath(folder), result);
    await writeReports(result, { wanted: reports, detail }, invocation);
    opened.finish();
    return runExitCode(result);
  } finally {
    opened.close();
  }
}
