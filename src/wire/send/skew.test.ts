import { describe, expect, test } from 'vitest';
import { createSkewMeter, isClockOff, readDate } from './skew.ts';

const second = 1_767_225_600_000;
const date = (offset: number): string => new Date(second + offset).toUTCString();

describe('the carrier’s clock by its Date headers', () => {
  test('nothing is known before one was seen', () => {
    const meter = createSkewMeter();
    expect(meter.current()).toBeUndefined();
    meter.observe(undefined, second, second);
    meter.observe('yesterday', second, second);
    expect(meter.current()).toBeUndefined();
  });

  test('one sample: the second it names, and the time it took', () => {
    const meter = createSkewMeter();
    meter.observe(date(0), second, second + 200);
    // Carrier minus ours lies between 0 - 200 and 1000 - 0.
    expect(meter.current()).toEqual({ offset: 400, uncertainty: 600 });
  });

  test('samples narrow it from both sides', () => {
    const meter = createSkewMeter();
    meter.observe(date(0), second + 100, second + 300);
    expect(meter.current()).toEqual({ offset: 300, uncertainty: 600 });
    meter.observe(date(1000), second + 1800, second + 1850);
    expect(meter.current()).toEqual({ offset: -50, uncertainty: 250 });
    meter.observe(date(3000), second + 3000, second + 3010);
    expect(meter.current()).toEqual({ offset: 95, uncertainty: 105 });
  });

  test('a sample that says less changes nothing', () => {
    const meter = createSkewMeter();
    meter.observe(date(0), second + 900, second + 910);
    const before = meter.current();
    expect(before).toEqual({ offset: -405, uncertainty: 505 });
    meter.observe(date(0), second - 5000, second + 6000);
    expect(meter.current()).toEqual(before);
  });

  test('a clock that is hours ahead', () => {
    const meter = createSkewMeter();
    for (const known of [undefined, undefined, { offset: 7_200_500, uncertainty: 500 }]) {
      meter.observe(date(7_200_000), second, second);
      expect(meter.current()).toEqual(known);
    }
    expect(meter.doubt()).toBeUndefined();
  });

  test.each([
    ['a day ahead', 86_400_000],
    ['a day and a second behind, which is a day at its end', -86_401_000],
  ])('a clock that is %s', (_, ahead) => {
    const meter = createSkewMeter();
    for (let time = 0; time < 3; time += 1) meter.observe(date(ahead), second, second);
    expect(meter.current()).toEqual({ offset: ahead + 500, uncertainty: 500 });
  });

  test.each([
    [59_000, true],
    [60_000, false],
    [-60_000, true],
    [-61_000, false],
  ])('one sample is believed of a clock that is up to a minute off: %i ms and half a second', (ahead, isBelieved) => {
    const meter = createSkewMeter();
    meter.observe(date(ahead), second, second);
    expect(meter.current() !== undefined).toBe(isBelieved);
  });

  test.each([
    [{ offset: 5500, uncertainty: 500 }, false],
    [{ offset: 5501, uncertainty: 500 }, true],
    [{ offset: -5501, uncertainty: 500 }, true],
  ])('%j is off: %s', (skew, isOff) => {
    expect(isClockOff(skew)).toBe(isOff);
  });

  test.each([
    ['1970', ['Thu, 01 Jan 1970 00:00:00 GMT'], 'the Date Thu, 01 Jan 1970 00:00:00 GMT, which is more than a day off'],
    ['9999', ['Fri, 31 Dec 9999 23:59:59 GMT'], /more than a day off$/],
    ['a day and a second ahead', [date(86_401_000)], /more than a day off$/],
    ['a day and two seconds behind', [date(-86_402_000)], /more than a day off$/],
    ['four days behind', [date(-4 * 86_400_000)], /more than a day off$/],
    ['no date', ['yesterday'], /no date in the form/],
    ['nothing', [''], /no date in the form/],
    ['a date of another form', [new Date(second).toISOString()], /no date in the form/],
    ['a date in another zone', [date(0).replace('GMT', '+0200')], /no date in the form/],
    ['another day of the week', [date(0).replace(/^\w+/, 'Xyz')], /no date in the form/],
    ['a clock that moves', [7, -3, 5, 11].map((hours) => date(hours * 3_600_000)), /do not agree/],
  ] as const)('%s is not believed', (_, dates, why) => {
    const meter = createSkewMeter();
    for (let time = 0; time < 5; time += 1) for (const one of dates) meter.observe(one, second, second);
    expect(meter.current()).toBeUndefined();
    expect(meter.doubt()).toMatch(why);
    meter.observe(date(0), second, second);
    expect(meter.current()).toEqual({ offset: 500, uncertainty: 500 });
  });

  test('a Date that came twice, or from a cache, says nothing', () => {
    expect(
      readDate([
        ['Date', date(0)],
        ['Age', '0'],
      ]),
    ).toBe(date(0));
    expect(
      readDate([
        ['date', date(0)],
        ['Date', date(1000)],
      ]),
    ).toBeUndefined();
    expect(
      readDate([
        ['date', date(0)],
        ['age', '864000'],
      ]),
    ).toBeUndefined();
    expect(readDate([])).toBeUndefined();
  });

  test('a jump of the carrier’s clock: only the newest sample is believed', () => {
    const meter = createSkewMeter();
    meter.observe(date(0), second, second);
    meter.observe(date(59_000), second + 1000, second + 1000);
    expect(meter.current()).toEqual({ offset: 58_500, uncertainty: 500 });
    meter.observe(date(2000), second + 2000, second + 2000);
    expect(meter.current()).toEqual({ offset: 500, uncertainty: 500 });
  });
});
