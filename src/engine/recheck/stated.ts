import { cutAt } from '../../lib/cut.ts';
import { sameJson } from '../../lib/json.ts';

/** UTF-16 units of one value in a message. */
const shownLimit = 120;

/** A value of a result in a message; an absent one in words. */
export const shown = (value: unknown): string =>
  value === undefined ? 'absent' : cutAt(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), shownLimit);

/** As it is read back from a file: absent members are absent. */
const asWritten = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

/** A sentence for the first member that a result states otherwise than what follows; undefined where none is. */
export function memberFlaw(
  what: string,
  { stated, follows, from }: { readonly stated: object; readonly follows: object; readonly from: string },
  names: readonly string[] = [...new Set([...Object.keys(follows), ...Object.keys(stated)])],
): string | undefined {
  const [there, right] = [new Map(Object.entries(stated)), new Map(Object.entries(follows))];
  const name = names.find((one) => !sameJson(there.get(one), asWritten(right.get(one))));
  if (name === undefined) return undefined;
  return `${name} of ${what} is ${shown(there.get(name))}, and ${shown(right.get(name))} follows from ${from}`;
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
