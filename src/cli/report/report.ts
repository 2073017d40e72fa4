import { formats } from '../../report/formats.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import { renderTerminal } from '../../report/terminal/render.ts';
import type { reportDefinition } from '../definitions/results.ts';
import { exitCodes } from '../exit-codes.ts';
import { type CommandInputs, type Invocation, pageSetting } from '../shared/command.ts';
import { chooseDetail } from '../shared/flags.ts';
import { beginReporters, loadReporters } from '../shared/reporters.ts';
import { reportFiles, parseReportFlags, readResultNoted, renderFormat, writeRequested } from '../shared/reports.ts';

/** `carrierspec report RESULT`: returns 0 once the reports are written; the verdict was the run's own exit code. */
export async function reportCommand(
  { file, report, reporter, ...flags }: CommandInputs<typeof reportDefinition>,
  invocation: Invocation,
): Promise<number> {
  const { stdout, stderr, env } = invocation;
  const wanted = parseReportFlags(report, formats, [file]);
  const detail = chooseDetail(flags);
  const loaded = await loadReporters(reporter);
  const result = readResultNoted(file, invocation);
  const reporters = await beginReporters(loaded, {}, (line) => stderr.write(`${forTerminal(line)}\n`));
  if (wanted.length === 0 && loaded.length === 0)
    stdout.write(renderTerminal(result, { ...pageSetting(stdout, env), detail, file }));
  await writeRequested(wanted, renderFormat(result), stdout);
  await reporters.finish(result);
  const files = reportFiles(wanted);
  if (files.length > 0) stderr.write(`reports: ${files.join(', ')}\n`);
  reporters.requireSound();
  return exitCodes.conformant;
}
