import { compareResults, type ComparedResult } from '../../compare/compare-results.ts';
import { omitUndefined } from '../../lib/json.ts';
import { CarrierspecError } from '../../model/problem.ts';
import { renderComparison } from '../../report/compare/terminal.ts';
import { comparisonFormats } from '../../report/formats.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import type { compareDefinition } from '../definitions/results.ts';
import { exitCodes } from '../exit-codes.ts';
import type { CommandInputs, Invocation } from '../shared/command.ts';
import { createTerminalPage } from '../shared/page.ts';
import { usageError } from '../shared/inputs.ts';
import { reportFiles, parseReportFlags, readResultNoted, writeRequested } from '../shared/reports.ts';

/** Reads the parts of a result that are compared; drops its exchanges. */
function readComparedResult(file: string, invocation: Invocation): ComparedResult {
  const { header, footer, rules } = readResultNoted(file, invocation);
  return omitUndefined({ file, header, rules, footer });
}

/** `carrierspec compare A B …`: compares results by rule. Returns 0 once the comparison is written, whatever it shows. */
export async function compareCommand(
  { files, shared, report }: CommandInputs<typeof compareDefinition>,
  invocation: Invocation,
): Promise<number> {
  const { stdout, stderr } = invocation;
  if (files.length < 2) throw usageError('compare needs two results or more');
  const wanted = parseReportFlags(report, comparisonFormats, files);
  const entries = files.map((file) => readComparedResult(file, invocation));
  const compared = compareResults(entries, { shared });
  if ('refused' in compared) throw new CarrierspecError(compared.refused, { code: 'compare-different' });
  if (wanted.length === 0) stdout.write(renderComparison(createTerminalPage(invocation), compared));
  await writeRequested(wanted, async (format) => (await comparisonFormats[format]())(compared), stdout);
  const written = reportFiles(wanted);
  if (written.length > 0) stderr.write(`reports: ${forTerminal(written.join(', '))}\n`);
  return exitCodes.conformant;
}
