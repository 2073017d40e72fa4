import { createHash } from 'node:crypto';

/** Members in an order drawn by a seed and their names: the same on every machine, and the same for some of them as for all. */
export function byLot<T>(seed: string, members: readonly T[], nameOf: (member: T) => string): readonly T[] {
  const drawn = members.map((member) => ({
    member,
    lot: createHash('sha256')
      .update(`${seed} ${nameOf(member)}`)
      .digest('hex'),
  }));
  return drawn.toSorted((a, b) => (a.lot < b.lot ? -1 : 1)).map(({ member }) => member);
}
