import { faultNames } from '../../carrier/catalogue.ts';
import { renderPosition } from '../../model/position.ts';
import { countOf } from '../../lib/lists.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import { readLimits } from '../../setup/read.ts';
import { readSuites } from '../../setup/read.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Given } from '../shared/command.ts';
import type { Invocation } from '../shared/invocation.ts';
import { readMatchingTarget } from '../shared/setup.ts';
import type { checkDefinition } from './define.ts';
import { findFormerNames, fixFile } from './former-names.ts';

/** Names of version 1 are read as those of today: each is a note, or is rewritten. */
async function treatFormerNames(
  { dirs, target, fix }: Given<typeof checkDefinition>,
  { stderr }: Invocation,
): Promise<void> {
  for (const file of await findFormerNames(dirs, target)) {
    if (fix) {
      fixFile(file);
      stderr.write(`${forTerminal(file.path)}: ${countOf(file.names.length, 'name')} of version 1 rewritten\n`);
      continue;
    }
    for (const { position, from, to } of file.names) {
      const note = `\`${from}\` is now \`${to}\`; carrierspec check --fix rewrites it`;
      stderr.write(`note: ${forTerminal(`${renderPosition(position)}: ${note}`)}\n`);
    }
  }
}

/** `carrierspec check`: reads and checks everything, sends nothing. */
export async function checkCommand(given: Given<typeof checkDefinition>, invocation: Invocation): Promise<number> {
  const { dirs, target } = given;
  await treatFormerNames(given, invocation);
  const suites = await readSuites(dirs, new Set(faultNames()));
  const { rules, cases, invariants, files } = suites;
  const { limits, profile } = readLimits(rules);
  if (target !== undefined) readMatchingTarget(target, suites, invocation.env);
  const also = target === undefined ? '' : ', and the target file';
  invocation.stdout.write(
    `${files.length + 1} files: ${rules.length} rules, ${cases.length} cases, ${invariants.length} invariants, ${limits.length} limits, a profile of ${profile.length}${also}: no mistakes\n`,
  );
  return exitCodes.conformant;
}
