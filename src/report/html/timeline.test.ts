import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAxis, packRows } from './axis.ts';

const hour = 3_600_000;

describe('createAxis', () => {
  it('keeps the order, and spans the whole width', () => {
    const { axis, marks } = createAxis([0, 1000, 2000, 60_000, 50 * hour], { from: 100, to: 1000 });
    expect(axis(0)).toBe(100);
    expect(axis(50 * hour)).toBe(1000);
    expect(marks[0]).toBe(0);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 50 * hour }), fc.integer({ min: 0, max: 50 * hour }), (one, other) => {
        const [first, second] = one <= other ? [one, other] : [other, one];
        return axis(first) <= axis(second);
      }),
    );
  });

  it('draws a wait of two days little longer than one of an hour', () => {
    const { axis } = createAxis([0, hour, 49 * hour], { from: 0, to: 100 });
    expect((axis(49 * hour) - axis(hour)) / (axis(hour) - axis(0))).toBeLessThan(1.6);
  });

  it('has a place where everything happened at one moment', () => {
    const { axis, marks } = createAxis([5, 5, 5], { from: 10, to: 90 });
    expect([axis(5), marks]).toEqual([10, [5]]);
  });
});

describe('packRows', () => {
  const extent = { from: ([from]: readonly [number, number]) => from, to: ([, to]: readonly [number, number]) => to };

  it('takes the first row that is free', () => {
    const values = [
      [0, 10],
      [5, 8],
      [10, 12],
      [8, 9],
    ] as const;
    expect(packRows(values, { ...extent, most: 5 })).toEqual([
      [
        [0, 10],
        [10, 12],
      ],
      [
        [5, 8],
        [8, 9],
      ],
    ]);
  });

  it('loses none where more overlap than there are rows', () => {
    const values = Array.from({ length: 50 }, () => [0, 1] as const);
    const rows = packRows(values, { ...extent, most: 3 });
    expect(rows.length).toBe(3);
    expect(rows.flat()).toHaveLength(50);
  });
});
