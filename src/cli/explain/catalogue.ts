import type { Json } from '../../lib/json.ts';
import { groupBy } from '../../lib/lists.ts';
import { jsonOfBlock } from './blocks.ts';
import type { Found } from './find.ts';

function jsonOf({ entry: { name, aliases = [], description, facts = {}, blocks } }: Found): Json {
  return { name, aliases: [...aliases], description, facts: { ...facts }, blocks: blocks().map(jsonOfBlock) };
}

/** Kinds as `explain --json` prints them, with all that was found of each. */
export function catalogueOf(found: readonly Found[]): readonly Json[] {
  return [...groupBy(found, ({ kind }) => kind.name)].map(([name, all]) => ({
    name,
    many: all[0]?.kind.many ?? name,
    entries: all.map(jsonOf),
  }));
}
