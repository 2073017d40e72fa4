import { cutAt } from '../../lib/cut.ts';
import { differenceIn, shownValue } from '../../lib/difference.ts';

/** UTF-16 units of the path of a member in a message. */
const longestPath = 200;

/** A sentence for the first member that a result states otherwise than what follows; undefined where none is. */
export function statementFlaw(what: string, stated: object, follows: object, from: string): string | undefined {
  const found = differenceIn(stated, follows);
  if (found === undefined) return undefined;
  const path = cutAt(found.path.join('.'), longestPath);
  return `${path} of ${what} is ${shownValue(found.stated)}, and ${shownValue(found.follows)} follows from ${from}`;
}

/** The first name that stands there twice. */
export function doubled(names: Iterable<string>): string | undefined {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return undefined;
}
