import { compareResults, type Entry } from '../../compare/compare-results.ts';
import { CarrierspecError } from '../../model/problem.ts';
import { type ComparisonFormat, comparisonFormats, isComparisonFormat } from '../../report/compare-formats.ts';
import { renderComparison } from '../../report/compare-terminal.ts';
import { readResult } from '../../report/read-result.ts';
import { forTerminal } from '../../report/sanitize.ts';
import { requireApart } from '../certify/files.ts';
import { writeWhole } from '../shared/reports.ts';
import { exitCodes } from '../exit-codes.ts';
import { pageOf } from '../shared/page.ts';
import type { Invocation } from '../shared/invocation.ts';

export interface CompareFlags {
  readonly shared: boolean;
  readonly report: readonly string[];
}

const usage = (message: string, code: 'bad-flag' | 'compare-different' = 'bad-flag'): CarrierspecError =>
  new CarrierspecError(message, { code });

interface Wanted {
  readonly format: ComparisonFormat;
  /** `-` is stdout. */
  readonly path: string;
}

function parseWanted(text: string): Wanted {
  const at = text.indexOf('=');
  const format = at < 0 ? text : text.slice(0, at);
  const path = at < 0 ? '' : text.slice(at + 1);
  if (!isComparisonFormat(format)) {
    throw usage(`--report: "${format}" is none of ${Object.keys(comparisonFormats).join(', ')}`);
  }
  if (path === '') throw usage(`--report: ${format} needs a path, as ${format}=PATH; - is stdout`);
  return { format, path };
}

/** What is compared of a result; its exchanges are let go. */
function readEntry(file: string, { stderr }: Invocation): Entry {
  const { result, notes } = readResult(file);
  for (const note of notes) stderr.write(`carrierspec: ${forTerminal(note)}\n`);
  const { header, footer, rules } = result;
  return { file, header, rules, ...(footer === undefined ? {} : { footer }) };
}

/** `carrierspec compare A B …`: rules by results. Gives 0 once the comparison is written, whatever differs. */
export async function compareCommand(
  files: readonly string[],
  flags: CompareFlags,
  invocation: Invocation,
): Promise<number> {
  const { stdout, stderr } = invocation;
  if (files.length < 2) throw usage('compare needs two results or more');
  const wanted = flags.report.map(parseWanted);
  if (wanted.filter(({ path }) => path === '-').length > 1) throw usage('--report: only one report can go to stdout');
  const written = wanted.filter(({ path }) => path !== '-');
  requireApart(
    written.map(({ path }) => ({ flag: '--report', path })),
    files,
  );
  const compared = compareResults(
    files.map((file) => readEntry(file, invocation)),
    flags,
  );
  if ('refused' in compared) throw usage(compared.refused, 'compare-different');
  if (wanted.length === 0) stdout.write(renderComparison(pageOf(invocation), compared));
  for (const { format, path } of wanted) {
    const report = await comparisonFormats[format]();
    if (path === '-') for (const chunk of report(compared)) stdout.write(chunk);
    else writeWhole(path, report(compared), '--report');
  }
  if (written.length > 0) stderr.write(`reports: ${forTerminal(written.map(({ path }) => path).join(', '))}\n`);
  return exitCodes.conformant;
}
