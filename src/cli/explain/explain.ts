import { hintOf } from '../../lib/suggest.ts';
import { CarrierspecError } from '../../model/problem.ts';
import { readSuites } from '../../setup/read.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Given } from '../shared/command.ts';
import { type Invocation, pageOf } from '../shared/invocation.ts';
import type { explainDefinition } from '../definitions.ts';
import { findNamed, suggestAll } from './find.ts';
import { worldOf } from './kinds/world.ts';

/** `carrierspec explain NAME`: everything of this name, a page each, on stdout. */
export async function explainCommand(
  { name, suites: dirs }: Given<typeof explainDefinition>,
  invocation: Invocation,
): Promise<number> {
  const world = worldOf(await readSuites(dirs));
  const found = findNamed(name, world);
  if (found.length === 0) {
    const hint = hintOf(suggestAll(name, world)) ?? 'see carrierspec list';
    throw new CarrierspecError(`nothing is called ${name}; ${hint}`, { code: 'unknown-name' });
  }
  const page = pageOf(invocation);
  const pages = found.map(({ entry }) => entry.render(page).join('\n'));
  invocation.stdout.write(`${pages.join('\n\n')}\n`);
  return exitCodes.conformant;
}
