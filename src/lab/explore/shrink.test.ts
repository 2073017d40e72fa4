import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { KeptParts } from './exploration.ts';
import { shrinkParts } from './shrink.ts';

const places = (kept: KeptParts): readonly number[] => [...kept.keys()].filter((at) => kept[at] === true);

/** Shows the finding if all of these places are kept. */
const needing = (needed: readonly number[]) => {
  let tries = 0;
  return {
    tries: () => tries,
    shows: (candidates: readonly KeptParts[]) => {
      tries += candidates.length;
      return Promise.resolve(candidates.map((kept) => needed.every((at) => kept[at] === true)));
    },
  };
};

test('what is left is what is needed, and no more', () =>
  fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 60 }), fc.array(fc.nat(59), { maxLength: 6 }), async (length, some) => {
      const needed = [...new Set(some.filter((at) => at < length))].toSorted((a, b) => a - b);
      const kept = await shrinkParts(
        Array.from({ length }, () => true),
        needing(needed).shows,
      );
      expect(places(kept)).toEqual(length > 32 && needed.length === 0 ? places(kept).slice(0, 1) : needed);
    }),
  ));

test('one part of many is found in one round of tries', async () => {
  const { tries, shows } = needing([7]);
  expect(
    places(
      await shrinkParts(
        Array.from({ length: 20 }, () => true),
        shows,
      ),
    ),
  ).toEqual([7]);
  // Each of the 20 alone, and twice none at all.
  expect(tries()).toBe(22);
});

test('what stayed without a verdict beside others is tried alone: nothing at all may be enough', async () => {
  let rounds = 0;
  const kept = await shrinkParts([true, true, true], (candidates) => {
    rounds += 1;
    const isFirst = rounds === 1;
    return Promise.resolve(candidates.map((one) => !isFirst || one.some(Boolean)));
  });
  expect(kept).toEqual([false, false, false]);
});
