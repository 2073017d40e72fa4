import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { join, resolve } from 'node:path';
import { mergeParts } from '../../engine/merge/merge.ts';
import { requireParts, requireSuites } from '../../engine/merge/parts.ts';
import { select } from '../../engine/plan/select.ts';
import { readSuites } from '../../setup/read.ts';
import { exitCodeOf } from '../exit-codes.ts';
import { suggestNames, withoutAreas } from '../shared/choose.ts';
import type { Given } from '../shared/command.ts';
import { makeFolder } from '../shared/files.ts';
import { usageError } from '../shared/inputs.ts';
import type { Invocation } from '../shared/invocation.ts';
import { detailOf, valuesOf } from '../shared/flags.ts';
import { filesOf, parseReports, readNoted, type WantedReport, writeReports } from '../shared/reports.ts';
import type { mergeDefinition } from '../definitions.ts';

/** Throws where a report would be written over a result that the merge reads. */
function keepParts(files: readonly string[], reports: readonly WantedReport[], out: string): void {
  const written = new Set([...filesOf(reports), join(out, 'journal.jsonl')].map((path) => resolve(path)));
  const lost = files.find((file) => written.has(resolve(file)));
  if (lost !== undefined) throw usageError(`--out: ${lost} is one of the parts, and would be written over`);
}

/** `carrierspec merge RESULT...`: the parts of a run as one result, with its reports. Gives the exit code of the whole run. */
export async function mergeCommand(
  { files, suites: dirs, report, out, ...flags }: Given<typeof mergeDefinition>,
  invocation: Invocation,
): Promise<number> {
  const reports = parseReports(report, out);
  const detail = detailOf(flags);
  keepParts(files, reports, out);
  const parts = requireParts(files.map((file) => ({ file, result: readNoted(file, invocation) })));
  const { header } = parts[0].result;
  const shipped = await readSuites(dirs);
  requireSuites(header, shipped);
  const suites = withoutAreas(shipped, valuesOf(header.flags, '--without'));
  const selected = select(suites, { what: header.selection, level: header.level }, suggestNames);
  makeFolder(out, '--out');
  const today = new Date().toISOString().slice(0, 10);
  const result = mergeParts(parts, { suites, nameable: shipped, selected, today, checks: serverInitiated.checks });
  await writeReports(result, { wanted: reports, detail }, invocation);
  return exitCodeOf(result);
}
