import type { Json } from '../../lib/json.ts';
import { groupBy } from '../../lib/lists.ts';
import { pageUrl, placeOf, type Site } from '../../model/site.ts';
import { jsonOfBlock } from './blocks.ts';
import type { Found } from './find.ts';

/** The page of the site that says what something is; undefined where there is no site. */
export const urlOf = ({ kind, entry, alias }: Found, at: Site): string | undefined =>
  pageUrl(kind.name, alias ?? entry.name, at);

function jsonOf({ kind, entry, alias: asked }: Found): Json {
  const { name, aliases = [], description, facts = {}, blocks } = entry;
  return {
    name,
    aliases: aliases.map((alias) => ({ name: alias, ...placeOf(kind.name, alias) })),
    description,
    facts: { ...facts },
    ...placeOf(kind.name, asked ?? name),
    blocks: blocks().map(jsonOfBlock),
  };
}

/** What `explain --json` prints, and the site is made of: kinds, with all that was found of each. */
export function catalogueOf(found: readonly Found[]): readonly Json[] {
  return [...groupBy(found, ({ kind }) => kind.name)].map(([name, all]) => ({
    name,
    many: all[0]?.kind.many ?? name,
    entries: all.map(jsonOf),
  }));
}
