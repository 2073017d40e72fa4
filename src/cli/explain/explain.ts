import { forJson } from '../../lib/json.ts';
import { compileGlob } from '../../engine/plan/select.ts';
import { groupBy } from '../../lib/lists.ts';
import { suggestionHint, findNearNames } from '../../lib/suggestion.ts';
import { whyFacts } from '../../report/shared/why.ts';
import { readResultNoted } from '../shared/reports.ts';
import { CarrierspecError } from '../../model/problem.ts';
import { createPage } from '../../report/shared/layout.ts';
import { toolVersion } from '../../setup/paths.ts';
import { readSuites } from '../../setup/read-files.ts';
import type { explainDefinition } from '../definitions/desk.ts';
import { exitCodes } from '../exit-codes.ts';
import type { CommandInputs, Invocation } from '../shared/command.ts';
import { createTerminalPage } from '../shared/page.ts';
import { renderEntry, openCatalogue } from './catalogue.ts';
import { type FoundEntry, findByPattern, findByName, suggestAll } from './kinds.ts';

function explainJson(found: readonly FoundEntry[]): unknown {
  const page = createPage({ colour: false, width: 120 });
  const kinds = [...groupBy(found, ({ kind }) => kind)].map(([name, all]) => ({
    name,
    entries: all.map(({ entry }) => {
      const { aliases = [], description, columns = {}, facts } = entry;
      const own = (facts?.() ?? []).filter(([, value]) => value !== undefined && value.length > 0);
      return { name: entry.name, aliases, description, ...columns, facts: own, page: renderEntry(page, entry) };
    }),
  }));
  return { version: toolVersion(), kinds };
}

/** `carrierspec explain RULE --why FILE`: prints the steps of one decision of a run. */
function explainWhy(
  name: string,
  { file, json }: { readonly file: string; readonly json: boolean },
  invocation: Invocation,
): number {
  const result = readResultNoted(file, invocation);
  const facts = whyFacts(result, name.toUpperCase());
  if (facts === undefined) {
    const hint = suggestionHint(
      findNearNames(
        name.toUpperCase(),
        result.rules.map(({ id }) => id),
      ),
    );
    throw new CarrierspecError(`--why: ${file} has no rule ${name}${hint === undefined ? '' : `; ${hint}`}`, {
      code: 'unknown-name',
    });
  }
  const page = createTerminalPage(invocation);
  const lines = facts.flatMap(({ label, text }) => page.fact(label, text));
  invocation.stdout.write(`${json ? forJson({ version: toolVersion(), why: facts }) : lines.join('\n')}\n`);
  return exitCodes.conformant;
}

/** `carrierspec explain NAME`: prints a page for everything with this name. */
export async function explainCommand(
  { name, suites: dirs, why, json }: CommandInputs<typeof explainDefinition>,
  invocation: Invocation,
): Promise<number> {
  if (why !== undefined) return explainWhy(name, { file: why, json }, invocation);
  const catalogue = await openCatalogue(await readSuites(dirs), dirs);
  const found = /[*?]/.test(name) ? findByPattern(compileGlob(name), catalogue) : findByName(name, catalogue);
  if (found.length === 0) {
    const hint = suggestionHint(suggestAll(name, catalogue)) ?? 'see carrierspec list';
    throw new CarrierspecError(`nothing is called ${name}; ${hint}`, { code: 'unknown-name' });
  }
  const page = createTerminalPage(invocation);
  const text = json ? forJson(explainJson(found)) : found.map(({ entry }) => renderEntry(page, entry)).join('\n\n');
  invocation.stdout.write(`${text}\n`);
  return exitCodes.conformant;
}
