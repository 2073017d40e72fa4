import { glob } from '../../engine/plan/select.ts';
import { hintOf } from '../../lib/suggest.ts';
import { defined } from '../../lib/optional.ts';
import { CarrierspecError } from '../../model/problem.ts';
import { type Site, site } from '../../model/site.ts';
import { forJson } from '../../report/shared/sanitize.ts';
import { toolVersion } from '../../setup/paths.ts';
import { readSuites } from '../../setup/read.ts';
import type { explainDefinition } from '../definitions/reading.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Given } from '../shared/command.ts';
import { parseUrl } from '../shared/inputs.ts';
import { type Invocation, pageOf } from '../shared/invocation.ts';
import { setBlocks } from './blocks.ts';
import { catalogueOf, urlOf } from './catalogue.ts';
import { type Found, findMatching, findNamed, suggestAll } from './find.ts';
import type { World } from './kinds/kind.ts';
import { worldOf } from './kinds/world.ts';

function requireFound(name: string, world: World): readonly [Found, ...Found[]] {
  const [first, ...others] = /[*?]/.test(name) ? findMatching(glob(name), world) : findNamed(name, world);
  if (first !== undefined) return [first, ...others];
  const hint = hintOf(suggestAll(name, world)) ?? 'see carrierspec list';
  throw new CarrierspecError(`nothing is called ${name}; ${hint}`, { code: 'unknown-name' });
}

/** A site that the operator publishes (docs/site.md), or the one of this version. */
function siteOf({ SITE_URL: url }: Invocation['env']): Site {
  if (url === undefined) return site;
  const { href } = parseUrl('SITE_URL', url);
  return { url: href.endsWith('/') ? href : `${href}/` };
}

/** `carrierspec explain NAME`: everything of this name, a page each, on stdout. */
export async function explainCommand(
  { name, suites: dirs, json }: Given<typeof explainDefinition>,
  invocation: Invocation,
): Promise<number> {
  const found = requireFound(name, worldOf(await readSuites(dirs), dirs));
  const page = pageOf(invocation);
  if (json) {
    invocation.stdout.write(
      `${forJson(defined({ version: toolVersion(), site: site.url, kinds: catalogueOf(found) }))}\n`,
    );
  } else {
    const at = siteOf(invocation.env);
    const pages = found.map((one) => [
      ...setBlocks(page, one.entry.blocks()),
      ...page.fact('page', urlOf(one, at), { whole: true }),
    ]);
    invocation.stdout.write(`${pages.map((lines) => lines.join('\n')).join('\n\n')}\n`);
  }
  return exitCodes.conformant;
}
