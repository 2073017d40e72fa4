import { describe, expect, test } from 'vitest';
import { createTimeParser } from './inputs.ts';

const read = createTimeParser('--at');

describe('a time that a flag is given', () => {
  test.each([
    ['2026-12-01T09:00:00+01:00', '2026-12-01T08:00:00.000Z'],
    ['2026-12-01T08:00Z', '2026-12-01T08:00:00.000Z'],
    ['2026-11-30T23:30:00-08:30', '2026-12-01T08:00:00.000Z'],
  ])('%s', (given, moment) => {
    expect(new Date(read(given).milliseconds).toISOString()).toBe(moment);
  });

  test.each([
    ['without an offset, which two readers read as two times', '2026-12-01T09:00:00'],
    ['a day that is not in the calendar', '2026-02-30T09:00:00Z'],
    ['a year that has five digits in another offset', '9999-12-31T23:59:59Z'],
    ['a year before the first', '0000-01-01T00:00:00+14:00'],
  ])('%s: refused', (_, given) => {
    expect(() => read(given)).toThrow(
      `--at: "${given}" is no time such as 2026-12-01T09:00:00+01:00 or 2026-12-01T08:00Z`,
    );
  });
});
