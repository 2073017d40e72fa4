import { defined } from '../../lib/optional.ts';
import { nearNames } from '../../lib/suggest.ts';
import type { Entry, Kind, World } from './kinds/kind.ts';
import { kinds } from './kinds/table.ts';

/** A thing with its kind. */
export interface Found {
  readonly kind: Kind;
  readonly entry: Entry;
  /** The name that was asked for, where it is another of the same. */
  readonly alias?: string;
}

const allOf = (world: World): readonly Found[] =>
  kinds.flatMap((kind) => kind.entries(world).map((entry) => ({ kind, entry })));

const namesOf = ({ name, aliases = [] }: Entry): readonly string[] => [name, ...aliases];

/** Everything of this name, of whatever kind; case does not count. */
export function findNamed(name: string, world: World): readonly Found[] {
  const wanted = name.toLowerCase();
  const isWanted = (one: string): boolean => one.toLowerCase() === wanted;
  return allOf(world)
    .filter(({ entry }) => namesOf(entry).some(isWanted))
    .map((found) => ({ ...found, ...defined({ alias: found.entry.aliases?.find(isWanted) }) }));
}

/** Everything of which the name matches. */
export const findMatching = (pattern: RegExp, world: World): readonly Found[] =>
  allOf(world).filter(({ entry }) => pattern.test(entry.name));

/** Every name there is, once, with the sentence of the first thing that has it. */
export function knownNames(world: World): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { entry } of allOf(world)) {
    for (const name of namesOf(entry)) if (!found.has(name)) found.set(name, entry.description);
  }
  return found;
}

/** `jti-absent` or the names that contain the word, of all kinds. */
export const suggestAll = (name: string, world: World): readonly string[] => nearNames(name, knownNames(world).keys());
