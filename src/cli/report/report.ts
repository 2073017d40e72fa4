import { readResult } from '../../report/read-result.ts';
import { forTerminal } from '../../report/sanitize.ts';
import { renderTerminal } from '../../report/terminal.ts';
import { exitCodes } from '../exit-codes.ts';
import { filesOf, parseWanted, writeWanted } from '../shared/reports.ts';
import { type Invocation, wantsColour, widthOf } from '../shared/invocation.ts';

/**
 * `carrierspec report RESULT`: reports of a run that is over. Gives 0 once they are written, whatever they say: the run
 * itself ended with the verdict, and a step of a CI that only makes a report must not break the build a second time.
 */
export async function reportCommand(
  file: string,
  flags: { readonly report: readonly string[] },
  { stdout, stderr, env }: Invocation,
): Promise<number> {
  const wanted = parseWanted(flags.report, [file]);
  const { result, notes } = readResult(file);
  for (const note of notes) stderr.write(`carrierspec: ${forTerminal(note)}\n`);
  if (wanted.length === 0) {
    stdout.write(renderTerminal(result, { colour: wantsColour(stdout, env), width: widthOf(stdout, env) }));
  }
  await writeWanted(result, wanted, stdout);
  const files = filesOf(wanted);
  if (files.length > 0) stderr.write(`reports: ${files.join(', ')}\n`);
  return exitCodes.conformant;
}
