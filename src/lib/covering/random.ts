import { createHash, randomInt } from 'node:crypto';

/** Pseudorandom numbers: a seed gives the same ones on every machine. */
export interface Random {
  /** An integer from 0 to `limit - 1`. */
  readonly below: (limit: number) => number;
  readonly shuffled: <T>(list: readonly T[]) => T[];
}

/** Mulberry32, seeded with a digest of a text. */
export function seededRandom(seed: string): Random {
  let state = createHash('sha256').update(seed).digest().readUInt32LE();
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  const shuffled = <T>(list: readonly T[]): T[] => {
    const left = [...list];
    const mixed: T[] = [];
    while (left.length > 0) mixed.push(...left.splice(below(left.length), 1));
    return mixed;
  };
  return { below, shuffled };
}

/** Picks an item; undefined if the list is empty. */
export const pickItem = <T>(list: readonly T[], random: Random): T | undefined =>
  list[random.below(Math.max(1, list.length))];

/** Repeats each value as often as its weight, so that `pickItem` draws it with that probability. */
export const repeatByWeight = <T>(entries: readonly (readonly [value: T, weight: number])[]): readonly T[] =>
  entries.flatMap(([value, weight]) => Array.from({ length: weight }, () => value));

/** Orders members by a digest of seed and name. The order is the same on every machine, and a subset keeps the order of the whole. */
export function orderByLot<T>(seed: string, members: readonly T[], nameOf: (member: T) => string): readonly T[] {
  const drawn = members.map((member) => ({
    member,
    lot: createHash('sha256')
      .update(`${seed} ${nameOf(member)}`)
      .digest('hex'),
  }));
  return drawn.toSorted((a, b) => (a.lot < b.lot ? -1 : 1)).map(({ member }) => member);
}

/** Draws a seed that is short enough to type again. */
export const drawSeed = (): string => String(randomInt(1, 1_000_000));
