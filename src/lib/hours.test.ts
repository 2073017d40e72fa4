import { describe, expect, test } from 'vitest';
import { parseHours, untilHours } from './hours.ts';

const hour = 3600;
const day = { from: 9 * hour, to: 17 * hour, text: '09:00-17:00' };
const night = { from: 22 * hour, to: 6 * hour, text: '22:00-06:00' };

describe('hours of a day', () => {
  test.each([
    ['09:00-17:00', day],
    ['22:00-06:00', night],
    ['00:00-23:59', { from: 0, to: 23 * hour + 59 * 60, text: '00:00-23:59' }],
    ['09:00-09:00', undefined],
    ['9-17', undefined],
    ['09:00-24:00', undefined],
    ['09:60-17:00', undefined],
    ['09:00-17:00 ', undefined],
    ['', undefined],
  ])('%j', (text, hours) => expect(parseHours(text)).toEqual(hours));
});

describe('how long a beginning waits', () => {
  test.each<[string, typeof day, time: number, reaches: readonly number[], wait: number]>([
    ['nobody is reached: not at all', day, 3 * hour, [], 0],
    ['within the hours: not at all', day, 9 * hour, [0], 0],
    ['before them: until they begin', day, 8 * hour + 1800, [0], 1800],
    ['at their end: until the next day', day, 17 * hour, [0], 16 * hour],
    ['a second before their end: not at all', day, 17 * hour - 1, [0], 0],
    ['the last moment would come too late: until the next day', day, 16 * hour, [0, hour], 17 * hour],
    ['only a late moment counts: early enough for it', day, 5 * hour, [2 * hour], 2 * hour],
    ['a day between two moments: not at all', day, 10 * hour, [0, 24 * hour], 0],
    ['25 hours between them, late in the day: until the next day', day, 16 * hour + 1, [0, 25 * hour], 17 * hour - 1],
    ['no beginning fits both: the first one counts', day, 8 * hour, [0, 12 * hour], hour],
    ['no beginning fits both, within the hours: not at all', day, 10 * hour, [0, 12 * hour], 0],
    ['hours past midnight, before it', night, 23 * hour, [0, 6 * hour], 0],
    ['hours past midnight, at noon', night, 12 * hour, [0], 10 * hour],
  ])('%s', (_, hours, time, reaches, wait) => expect(untilHours(hours, time, reaches)).toBe(wait));
});
