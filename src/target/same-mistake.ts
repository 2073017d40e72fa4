import { isList, type YamlDocument } from '../suite/yaml/document.ts';
import { isJsonObject, type Json } from '../lib/json.ts';
import type { Problem } from '../model/problem.ts';
import type { Path } from '../suite/yaml/yaml-tree.ts';

const placeOf = ({ line, column }: Problem['position']): string => `${line}:${column}`;

export const isSamePlace = (one: Problem, other: Problem): boolean => placeOf(one.position) === placeOf(other.position);

function membersOf(value: Json): readonly (readonly [string | number, Json])[] {
  if (isList(value)) return value.map((item, at) => [at, item] as const);
  return isJsonObject(value) ? Object.entries(value) : [];
}

/** The deepest path that begins at each place of the file, at its key or its value. */
function pathsOf(document: YamlDocument): ReadonlyMap<string, Path> {
  const found = new Map<string, Path>();
  const visit = (value: Json, path: Path): void => {
    found.set(placeOf(document.position(path)), path);
    if (typeof path.at(-1) === 'string') found.set(placeOf(document.keyPosition(path)), path);
    for (const [name, member] of membersOf(value)) visit(member, [...path, name]);
  };
  visit(document.json, []);
  return found;
}

const begins = (whole: Path, part: Path): boolean => part.every((name, at) => whole[at] === name);

/**
 * Whether a problem of what was read is one that the shape of the file has shown already: it is at the same place, inside what has
 * another shape, around a member that has, or of a key that is missing because it is misspelt.
 */
export function sameMistakes(document: YamlDocument, shape: readonly Problem[]): (problem: Problem) => boolean {
  if (shape.length === 0) return () => false;
  const paths = pathsOf(document);
  const known = shape.map((problem) => ({ problem, path: paths.get(placeOf(problem.position)) ?? [] }));
  const meant = shape.flatMap(({ code, hint }) =>
    code === 'unknown-key' ? (/^did you mean ("[^"]+")/.exec(hint ?? '')?.[1] ?? []) : [],
  );
  return (one) => {
    const { code, position, message } = one;
    const own = paths.get(placeOf(position)) ?? [];
    if (code === 'missing-key' && meant.some((key) => message.includes(key))) return true;
    return known.some(({ problem, path }) => {
      if (isSamePlace(problem, one)) return true;
      if (problem.code === 'missing-key' || path.length === 0 || own.length === 0) return false;
      return begins(own, path) || (begins(path, own) && path.length === own.length + 1);
    });
  };
}
