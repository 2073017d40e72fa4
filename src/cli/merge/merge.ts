import { join, resolve } from 'node:path';
import { mergeParts } from '../../engine/merge/merge.ts';
import { requireParts, requireSuites } from '../../engine/merge/merge-parts.ts';
import { select } from '../../engine/plan/select.ts';
import { CarrierspecError } from '../../model/problem.ts';
import type { ResultHeader } from '../../model/result.ts';
import { readResult } from '../../report/read-result.ts';
import { forTerminal } from '../../report/sanitize.ts';
import { readSuites } from '../../setup/read.ts';
import { exitCodeOf } from '../exit-codes.ts';
import { filesOf, makeFolder, parseReports, type WantedReport, writeReports } from '../shared/reports.ts';
import { suggestNames } from '../shared/suggest-names.ts';
import type { Invocation } from '../shared/invocation.ts';
import { withoutAreas } from '../shared/without.ts';

export interface MergeFlags {
  readonly suites: readonly string[];
  readonly report: readonly string[];
  readonly out: string;
}

/** What the runs left out: `flags` holds each flag with its value behind it. */
const areasWithout = ({ flags }: ResultHeader): readonly string[] =>
  flags.flatMap((value, at) => (at % 2 === 1 && flags[at - 1] === '--without' ? [value] : []));

/** A result is never written over one that it is made of. */
function keepParts(files: readonly string[], reports: readonly WantedReport[], out: string): void {
  const written = new Set([...filesOf(reports), join(out, 'journal.jsonl')].map((path) => resolve(path)));
  const lost = files.find((file) => written.has(resolve(file)));
  if (lost === undefined) return;
  const message = `--out: ${lost} is one of the parts, and would be written over`;
  throw new CarrierspecError(message, { code: 'bad-flag' });
}

/** `carrierspec merge RESULT...`: the parts of a run as one result, with its reports. Gives the exit code of the whole run. */
export async function mergeCommand(
  files: readonly string[],
  flags: MergeFlags,
  invocation: Invocation,
): Promise<number> {
  const reports = parseReports(flags.report, flags.out);
  keepParts(files, reports, flags.out);
  const parts = requireParts(
    files.map((file) => {
      const { result, notes } = readResult(file);
      for (const note of notes) invocation.stderr.write(`carrierspec: ${forTerminal(note)}\n`);
      return { file, result };
    }),
  );
  const { header } = parts[0].result;
  const shipped = await readSuites(flags.suites);
  requireSuites(header, shipped);
  const suites = withoutAreas(shipped, areasWithout(header));
  const selected = select(suites, { what: header.selection, level: header.level }, suggestNames);
  makeFolder(flags.out, '--out');
  const result = mergeParts(parts, {
    suites,
    nameable: shipped,
    selected,
    today: new Date().toISOString().slice(0, 10),
  });
  await writeReports(result, reports, invocation);
  return exitCodeOf(result);
}
