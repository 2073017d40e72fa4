import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildCase, buildExchange, buildResult, startOfRun } from '../../testing/results/result.ts';
import { createAxis, packRows, renderRunTimeline } from './timeline.ts';
import { indexCases } from './case-index.ts';
import { caseTraffic } from './case-rows.ts';

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

describe('breaks', () => {
  it('are the longest stretches in which nothing happened, each at the middle of where it is drawn', () => {
    const { axis, breaks } = createAxis([0, 1000, 25 * hour, 25 * hour + 1000, 27 * hour], { from: 100, to: 1000 });
    expect(breaks.map(({ milliseconds }) => milliseconds)).toEqual([25 * hour - 1000, 2 * hour - 1000]);
    expect(breaks[0]?.at).toBe((axis(1000) + axis(25 * hour)) / 2);
  });

  it('are none where something happened all the time, and leave each other room', () => {
    const busy = Array.from({ length: 100 }, (_, at) => at * 60_000);
    expect(createAxis(busy, { from: 0, to: 1000 }).breaks).toEqual([]);
    const slow = Array.from({ length: 100 }, (_, at) => at * hour);
    const { breaks } = createAxis(slow, { from: 0, to: 1000 });
    const places = breaks.map(({ at }) => at).toSorted((one, other) => one - other);
    expect(places.length).toBeGreaterThan(3);
    for (const [at, place] of places.entries()) expect(place - (places[at - 1] ?? -100)).toBeGreaterThanOrEqual(76);
  });
});

describe('a case that was tried again', () => {
  const first = buildExchange({ sentAt: startOfRun + 1000 });
  const control = buildExchange({ id: 'a#control-x1', attempt: 'control', sentAt: startOfRun + 40 * hour });
  const again = buildExchange({ id: 'a#again-x1', attempt: 'again', sentAt: startOfRun + 40 * hour + 5000 });
  const ended = buildCase({ verdict: 'fail', startedAt: startOfRun, messages: [first, control, again] });

  it('has a bar for each try, and none for the time between', () => {
    const { cases } = indexCases(buildResult({ cases: [ended] }));
    expect(cases[0]?.tries.map(({ from, to }) => [from - startOfRun, to - startOfRun])).toEqual([
      [0, 1000],
      [40 * hour, 40 * hour + 5000],
    ]);
    const { markup } = renderRunTimeline(buildResult({ cases: [ended] }), cases);
    expect(markup.match(/<rect class="bar-fail"/g)).toHaveLength(2);
    expect(markup).toContain('<title>nothing happened for 39 h 59 min</title>');
  });

  it('says when it was tried again instead of how long all of it took', () => {
    const { cases } = indexCases(buildResult({ cases: [ended] }));
    expect(cases.map(caseTraffic)).toEqual(['3 exchanges, 1.0 s, again 40 h 0 min later']);
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
