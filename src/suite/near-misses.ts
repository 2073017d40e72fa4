import { type Cursor, entries, cursorText as textOf } from './yaml/document.ts';
import { join } from 'node:path';
import { isThere } from '../files/look.ts';
import type { NearMisses } from './context.ts';
import { pathLabel, type ReadingServices, readChecked } from './suite-files.ts';
import { mapping, object, placed, nonEmptyText } from './grammar/grammar.ts';
import { substituteNames } from './template/template.ts';

const nearMissesName = 'near-misses.yaml';

const nearMissGroups = (title: string, description: string) =>
  placed(mapping(mapping(nonEmptyText(), { title }), { title: 'a mapping of groups', description }));

export const nearMissesFile = object(
  {
    characters: nearMissGroups('a mapping of characters', 'Odd characters, by group and name.'),
    places: placed(
      mapping(nonEmptyText(), {
        title: 'a mapping of expressions',
        description: 'Places of a character; their templates can read `right` and `odd`.',
      }),
    ),
    values: nearMissGroups(
      'a mapping of expressions',
      'Other near misses, by group and name; their templates can read `right` and `among`.',
    ),
  },
  {
    title: 'the near misses',
    description: 'Values that are almost right, for `near` of a step.',
    required: ['characters', 'places', 'values'],
  },
);

/** File of near misses in a folder, if any. */
export function findNearMisses(dir: string): readonly { readonly path: string; readonly name: string }[] {
  const path = join(dir, nearMissesName);
  return isThere(path) ? [{ path, name: nearMissesName }] : [];
}

/** Reads the near misses of the shipped folder; empty if it has no such file. */
export function readNearMisses(shipped: string, reports: ReadingServices): NearMisses {
  const [found] = findNearMisses(shipped);
  const groups = new Map<string, readonly string[]>();
  const expressions = new Map<string, string>();
  if (found === undefined) return { groups, expressions };
  const kind = { kind: 'near-misses', shape: nearMissesFile };
  const { read } = readChecked({ path: found.path, label: pathLabel(found.path) }, kind, reports);
  const add = (group: string, name: string, expression: string): void => {
    groups.set(group, [...(groups.get(group) ?? []), name]);
    expressions.set(name, expression);
  };
  for (const { group, name, value: odd } of nearMissMembers(read?.characters)) {
    for (const [place, written] of read?.places === undefined ? [] : entries(read.places)) {
      const expression = substituteNames(textOf(written) ?? '', new Map([['odd', quoteExpression(odd)]]));
      add(group, `${name}-${place}`, expression);
      groups.set(`${group}-${place}`, [...(groups.get(`${group}-${place}`) ?? []), `${name}-${place}`]);
    }
  }
  for (const { group, name, value } of nearMissMembers(read?.values)) add(group, name, value);
  return { groups, expressions };
}

interface NearMissMember {
  readonly group: string;
  readonly name: string;
  readonly value: string;
}

const nearMissMembers = (groups: Cursor | undefined): readonly NearMissMember[] =>
  (groups === undefined ? [] : entries(groups)).flatMap(([group, members]) =>
    entries(members).map(([name, value]) => ({ group, name, value: textOf(value) ?? '' })),
  );

/** Quotes a text for an expression. */
const quoteExpression = (value: string): string => `'${value.replaceAll("'", "''")}'`;
