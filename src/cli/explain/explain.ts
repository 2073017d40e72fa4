import { glob } from '../../engine/plan/select.ts';
import { hintOf } from '../../lib/suggest.ts';
import { CarrierspecError } from '../../model/problem.ts';
import { forJson } from '../../report/shared/sanitize.ts';
import { toolVersion } from '../../setup/paths.ts';
import { readSuites } from '../../setup/read.ts';
import type { explainDefinition } from '../definitions/reading.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Given } from '../shared/command.ts';
import { type Invocation, pageOf } from '../shared/invocation.ts';
import { setBlocks } from './blocks.ts';
import { catalogueOf } from './catalogue.ts';
import { type Found, findMatching, findNamed, suggestAll } from './find.ts';
import type { World } from './kinds/kind.ts';
import { worldOf } from './kinds/world.ts';

function requireFound(name: string, world: World): readonly [Found, ...Found[]] {
  const [first, ...others] = /[*?]/.test(name) ? findMatching(glob(name), world) : findNamed(name, world);
  if (first !== undefined) return [first, ...others];
  const hint = hintOf(suggestAll(name, world)) ?? 'see carrierspec list';
  throw new CarrierspecError(`nothing is called ${name}; ${hint}`, { code: 'unknown-name' });
}

/** `carrierspec explain NAME`: everything of this name, a page each, on stdout. */
export async function explainCommand(
  { name, suites: dirs, json }: Given<typeof explainDefinition>,
  invocation: Invocation,
): Promise<number> {
  const found = requireFound(name, worldOf(await readSuites(dirs), dirs));
  if (json) {
    invocation.stdout.write(`${forJson({ version: toolVersion(), kinds: catalogueOf(found) })}\n`);
  } else {
    const page = pageOf(invocation);
    const pages = found.map(({ entry }) => setBlocks(page, entry.blocks()).join('\n'));
    invocation.stdout.write(`${pages.join('\n\n')}\n`);
  }
  return exitCodes.conformant;
}
