import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addSeconds,
  afterSeconds,
  ceilMillis,
  dueMillis,
  elapsedMillis,
  inWholeUnits,
  latest,
  toSeconds,
  wholeMillis,
} from './time.ts';

/** Microseconds since the epoch, from 1970 to 2100. */
const micros = fc.integer({ min: 0, max: 4_102_444_800 * 1_000_000 });

describe('rounding', () => {
  test.each([
    [1.1, 1100, 1100],
    [1_795_890_331.149, 1_795_890_331_149, 1_795_890_331_149],
    [0.0001, 1, 0],
    [-0.0001, 0, -1],
    [1e300, 8.64e15, 8.64e15],
    [Number.NEGATIVE_INFINITY, -8.64e15, -8.64e15],
  ])('%s s is due at %s ms and has passed at %s ms', (seconds, due, elapsed) => {
    expect(Object.is(dueMillis(seconds), due)).toBe(true);
    expect(Object.is(elapsedMillis(seconds), elapsed)).toBe(true);
  });

  test('what is due is never early and less than a millisecond late, and a time that has passed is never long', () => {
    const property = fc.property(micros, (exact) => {
      const [due, elapsed] = [dueMillis(exact / 1e6) * 1000, elapsedMillis(exact / 1e6) * 1000];
      expect(due).toBeGreaterThanOrEqual(exact);
      expect(due).toBeLessThan(exact + 1000);
      expect(elapsed).toBeLessThanOrEqual(exact);
      expect(elapsed).toBeGreaterThan(exact - 1000);
    });
    fc.assert(property, { numRuns: 2000 });
  });

  test('a moment in seconds and back is the same moment', () => {
    const property = fc.property(fc.integer({ min: 0, max: 4_102_444_800_000 }), (at) => {
      expect([elapsedMillis(toSeconds(wholeMillis(at))), dueMillis(at / 1000)]).toEqual([at, at]);
    });
    fc.assert(property, { numRuns: 2000 });
  });

  test('a fraction is a fault of its caller', () => {
    expect(() => wholeMillis(1.5)).toThrow(new RangeError('1.5 is not a whole number of milliseconds'));
    expect(() => wholeMillis(Number.NaN)).toThrow(RangeError);
  });

  test('moments after others, the latest, and those that a clock in seconds can show', () => {
    expect(afterSeconds(wholeMillis(1000), 0.1001)).toBe(1101);
    expect(latest(wholeMillis(3), wholeMillis(7), wholeMillis(5))).toBe(7);
    expect(latest()).toBe(0);
    expect([1000, 1001, 2000].map((at) => inWholeUnits(ceilMillis(at), wholeMillis(1000)))).toEqual([1000, 2000, 2000]);
  });
});

describe('sums', () => {
  test('of seconds with fractions are exact to the microsecond, however many there are', () => {
    const term = fc.integer({ min: -1e9, max: 1e9 });
    const property = fc.property(micros, fc.array(term, { maxLength: 40 }), (first, rest) => {
      const exact = rest.reduce((sum, one) => sum + one, first);
      expect(addSeconds([first, ...rest].map((one) => one / 1e6))).toBe(exact / 1e6);
    });
    fc.assert(property, { numRuns: 500 });
  });

  test('of whole numbers are plain, and so are those of numbers that are no seconds', () => {
    expect(addSeconds([1_767_225_600_000, 5])).toBe(1_767_225_600_005);
    expect(addSeconds([1e15, 0.5])).toBe(1e15 + 0.5);
  });
});
