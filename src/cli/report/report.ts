import { formats } from '../../report/formats.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import { renderTerminal } from '../../report/terminal/render.ts';
import type { reportDefinition } from '../definitions/results.ts';
import { exitCodes } from '../exit-codes.ts';
import { type Given, type Invocation, settingOf } from '../shared/command.ts';
import { detailOf } from '../shared/flags.ts';
import { beginReporters, loadReporters } from '../shared/reporters.ts';
import { filesOf, parseWanted, readNoted, renderFormat, writeWanted } from '../shared/reports.ts';

/** `carrierspec report RESULT`: returns 0 once the reports are written; the verdict was the run's own exit code. */
export async function reportCommand(
  { file, report, reporter, ...flags }: Given<typeof reportDefinition>,
  invocation: Invocation,
): Promise<number> {
  const { stdout, stderr, env } = invocation;
  const wanted = parseWanted(report, formats, [file]);
  const detail = detailOf(flags);
  const loaded = await loadReporters(reporter);
  const result = readNoted(file, invocation);
  const reporters = await beginReporters(loaded, {}, (line) => stderr.write(`${forTerminal(line)}\n`));
  if (wanted.length === 0 && loaded.length === 0)
    stdout.write(renderTerminal(result, { ...settingOf(stdout, env), detail }));
  await writeWanted(wanted, renderFormat(result), stdout);
  await reporters.finish(result);
  const files = filesOf(wanted);
  if (files.length > 0) stderr.write(`reports: ${files.join(', ')}\n`);
  reporters.requireSound();
  return exitCodes.conformant;
}
