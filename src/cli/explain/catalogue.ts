import type { Json } from '../../lib/json.ts';
import { groupBy } from '../../lib/lists.ts';
import { pageUrl, placeOf, type Site } from '../../model/site.ts';
import { jsonOfBlock } from './blocks.ts';
import type { Found } from './find.ts';

const nameInSite = ({ kind, entry, alias }: Found): readonly [kind: string, name: string] =>
  entry.at ?? [kind.name, alias ?? entry.name];

/** The page of the site that says what something is; undefined where there is no site. */
export const urlOf = (found: Found, at: Site): string | undefined => pageUrl(...nameInSite(found), at);

function jsonOf(found: Found): Json {
  const { name, aliases = [], description, facts = {}, blocks } = found.entry;
  return {
    name,
    aliases: aliases.map((alias) => ({ name: alias, ...placeOf(found.kind.name, alias) })),
    description,
    facts: { ...facts },
    ...placeOf(...nameInSite(found)),
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
