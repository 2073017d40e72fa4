import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { coveringArray } from './covering-array.ts';
import { completeRow, buildDomain, type Exclusion, type Factor, isAllowed, factorValues } from './domain.ts';

/** Builds factors from `[choices, count]` pairs: `[[3, 13]]` is 3^13. */
const factorsOf = (spec: readonly (readonly [number, number])[]): Factor[] =>
  spec.flatMap(([choices, count]) =>
    Array.from({ length: count }, (_, index) => ({
      id: `of-${choices}-${index}`,
      choices: Array.from({ length: choices }, (_choice, at) => `c${at}`),
    })),
  );

const small = fc
  .array(fc.integer({ min: 2, max: 4 }), { minLength: 2, maxLength: 6 })
  .map((sizes) => sizes.map((size, index) => ({ ...factorsOf([[size, 1]])[0], id: `f${index}` }) as Factor));

const choiceOf = (factors: readonly Factor[]) =>
  fc
    .tuple(fc.nat(factors.length - 1), fc.nat(1))
    .map(([at, choice]): [string, string] => [factors[at]?.id ?? '', factors[at]?.choices[choice + 1] ?? 'c1']);

/** No exclusion contains a first choice, so the row of all first choices is always possible. */
const spaces = small.chain((factors) =>
  fc.record({
    factors: fc.constant(factors),
    exclusions: fc
      .array(fc.tuple(choiceOf(factors), choiceOf(factors)), { maxLength: 5 })
      .map((pairs) => pairs.filter(([a, b]) => a[0] !== b[0]) as Exclusion[]),
  }),
);

/** Every pair of choices of different factors that some row can have. */
function possiblePairs(factors: readonly Factor[], exclusions: readonly Exclusion[]): string[] {
  const domain = buildDomain(factors, exclusions);
  const order = [...factors.keys()];
  return order.flatMap((one) =>
    order.slice(one + 1).flatMap((other) =>
      factorValues(domain, one).flatMap((a) =>
        factorValues(domain, other).flatMap((b) => {
          const row = factors.map(() => -1).with(one, a);
          if (!isAllowed(domain, b, row)) return [];
          const whole = completeRow(domain, row.with(other, b), { order, prefer: (at) => factorValues(domain, at) });
          return whole === undefined
            ? []
            : [nameOf(factors, [one, a - (domain.first[one] ?? 0)], [other, b - (domain.first[other] ?? 0)])];
        }),
      ),
    ),
  );
}

type At = readonly [number, number];
const nameOf = (factors: readonly Factor[], ...pair: readonly At[]): string =>
  pair.map(([factor, choice]) => `${factors[factor]?.id}=${factors[factor]?.choices[choice]}`).join(' ');

function pairsOf(rows: readonly Readonly<Record<string, string>>[]): Set<string> {
  const pairs = new Set<string>();
  for (const row of rows) {
    const entries = Object.entries(row).map(([id, choice]) => `${id}=${choice}`);
    for (const [index, one] of entries.entries()) {
      for (const other of entries.slice(index + 1)) pairs.add(`${one} ${other}`);
    }
  }
  return pairs;
}

describe('a covering array', () => {
  test('has every pair that may stand in a row, and no excluded one', () =>
    fc.assert(
      fc.property(spaces, fc.string(), ({ factors, exclusions }, seed) => {
        const { rows, pairs, covered, enough } = coveringArray(factors, { seed, exclusions });
        const found = pairsOf(rows);
        const possible = possiblePairs(factors, exclusions);
        expect([...found].toSorted()).toEqual(possible.toSorted());
        expect({ pairs, covered, enough }).toEqual({
          pairs: possible.length,
          covered: possible.length,
          enough: rows.length,
        });
      }),
      { numRuns: 100 },
    ));

  test('is the same for the same seed, and another for another', () => {
    const factors = factorsOf([[3, 8]]);
    const rows = (seed: string) => coveringArray(factors, { seed }).rows;
    expect(rows('1')).toEqual(rows('1'));
    expect(rows('1')).not.toEqual(rows('2'));
  });

  test('of fewer rows is the head of the whole one, and says how much it covers; more rows are random', () => {
    const factors = factorsOf([[4, 10]]);
    const whole = coveringArray(factors, { seed: 'x' });
    const head = coveringArray(factors, { seed: 'x', count: 10 });
    expect(head.rows).toEqual(whole.rows.slice(0, 10));
    expect(head.covered).toBe(pairsOf(head.rows).size);
    expect(head.covered).toBeLessThan(head.pairs);
    expect(head.enough).toBeUndefined();
    const more = coveringArray(factors, { seed: 'x', count: whole.rows.length + 5 });
    expect(more.rows).toHaveLength(whole.rows.length + 5);
    expect(more).toMatchObject({ enough: whole.rows.length, covered: whole.pairs });
  });

  // Figures from pairwise.org: the smallest published array, and the result of PICT, which is also a greedy tool.
  test.each([
    ['3^4', 9, 9],
    ['3^13', 15, 18],
    ['4^15 3^17 2^29', 29, 37],
    ['4^1 3^39 2^35', 21, 27],
    ['2^100', 10, 15],
    ['10^20', 180, 210],
  ] as const)('is at most a fifth larger than those of known tools: %s', (text, best, greedy) => {
    const spec = text.split(' ').map((part): [number, number] => {
      const [choices = 0, count = 0] = part.split('^').map(Number);
      return [choices, count];
    });
    const { rows } = coveringArray(factorsOf(spec), { seed: '1' });
    expect(rows.length).toBeGreaterThanOrEqual(best);
    expect(rows.length).toBeLessThanOrEqual(Math.ceil(1.2 * greedy));
  });
});
