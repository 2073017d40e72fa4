import damerauLevenshtein from 'damerau-levenshtein';

/** The name that an author probably misspelt, at most two letters off. */
function nearestSpelling(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = 3;
  for (const candidate of known) {
    const distance = editDistance(name, candidate, bestDistance);
    // In a name of three letters, two wrong letters leave no similarity.
    if (distance >= bestDistance || distance >= Math.max(name.length, candidate.length) - 1) continue;
    best = candidate;
    bestDistance = distance;
  }
  return best;
}

/** The name an author probably meant: at most two letters off, or the beginning of exactly one. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const names = [...known];
  const longer = names.filter((one) => name.length > 1 && (one.startsWith(name) || name.startsWith(one)));
  return nearestSpelling(name, names) ?? (longer.length === 1 ? longer[0] : undefined);
}

/** Message and hint about a name that may be one of its author's, but is almost a known one; undefined for any other. */
export function misspelling(
  kind: string,
  name: string,
  known: readonly string[],
): { readonly message: string; readonly hint: string } | undefined {
  const near = known.includes(name) ? undefined : nearestSpelling(name, known);
  if (near === undefined) return undefined;
  return { message: `the interface has no ${kind} "${name}"`, hint: `did you mean "${near}"?` };
}

const lowerCaseWords = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** Least letters of a wrong name that may be the beginning of others, with one mistake in it. */
const minBeginning = 5;

/**
 * Suggests at most `most` known names: the nearest by edit distance, then names that contain all words of the wrong one. Without any, those
 * that begin like it.
 */
export function findNearNames(wrong: string, known: Iterable<string>, most = 3): readonly string[] {
  const spelled = new Map([...known].map((name) => [name.toLowerCase(), name]));
  const near = nearestName(wrong.toLowerCase(), spelled.keys());
  const words = lowerCaseWords(wrong);
  // Leaves out the aspects of the nearest rule, because the rule shows them.
  const others = [...spelled.keys()].filter((name) => near === undefined || !name.startsWith(`${near}#`));
  const containing = others.filter((name) => words.length > 0 && words.every((word) => name.includes(word)));
  const found = [...(near === undefined ? [] : [near]), ...containing];
  if (found.length === 0 && wrong.length >= minBeginning)
    found.push(...others.filter((name) => editDistance(wrong.toLowerCase(), name.slice(0, wrong.length), 2) < 2));
  return [...new Set(found)].slice(0, most).map((name) => spelled.get(name) ?? name);
}

/** `did you mean a, b or c?`; undefined where no name is near. */
export function suggestionHint(names: readonly string[]): string | undefined {
  const [last, ...before] = names.toReversed();
  if (last === undefined) return undefined;
  return `did you mean ${[before.toReversed().join(', '), last].filter((part) => part !== '').join(' or ')}?`;
}

/** Advice on an unknown name: the nearest one, all names if at most 25, or names that contain its words. */
export function suggestKnown(name: string, known: Iterable<string>): string | undefined {
  const names = [...known];
  const near = nearestName(name, names);
  if (near !== undefined) return `did you mean "${near}"?`;
  if (names.length === 0) return undefined;
  if (names.length <= 25) return `known: ${names.join(', ')}`;
  return suggestionHint(findNearNames(name, names).map((one) => `"${one}"`));
}

/** Edit distance, swaps included. Very different lengths return `limit` early, because a name may be as long as a file. */
const editDistance = (left: string, right: string, limit: number): number =>
  Math.abs(left.length - right.length) >= limit ? limit : damerauLevenshtein(left, right).steps;
