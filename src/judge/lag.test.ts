import { describe, expect, test } from 'vitest';
import { buildResponse } from '../testing/parts/observations.ts';
import { buildExpectation } from '../testing/parts/suite.ts';
import { excuseByLag, judgeTime } from './lag.ts';
import type { EventObservation, EventsObservation } from './observation.ts';

const delivery = ([receivedAt, lag]: readonly [number, number?]): EventObservation => ({
  kind: 'event',
  message: 'd1',
  receivedAt,
  ...(lag === undefined ? {} : { lag }),
  method: 'POST',
  target: '/events',
  headers: {},
  headerLines: [],
  text: '',
});

const observation = (until: number, ...deliveries: readonly (readonly [number, number?])[]): EventsObservation => ({
  kind: 'events',
  step: 'deliveries',
  sentAt: 0,
  until,
  deliveries: deliveries.map(delivery),
  count: deliveries.length,
  summary: 'some events',
});

const spacing = buildExpectation({ count: 3, spacing: { every: 60, early: 5, late: 15 } });

describe('a spacing', () => {
  test.each([
    ['that is right', observation(200, [0], [60], [120]), false],
    ['that is wrong without any lag', observation(200, [0], [60], [140]), false],
    ['too long by less than the second was late', observation(200, [0], [60], [137, 3]), true],
    ['too long by more than that', observation(200, [0], [60], [140, 3]), false],
    ['too short by less than the first was late', observation(200, [0], [64, 10], [114]), true],
    ['too short by more than that', observation(200, [0], [64, 2], [114]), false],
    ['of which one is wrong whatever the lag', observation(200, [0], [78, 4], [160]), false],
  ])('%s: %j', (_, given, excused) => {
    const found = excuseByLag(spacing, given);
    expect(found !== undefined).toBe(excused);
    if (found === undefined) return;
    expect(found.rest.spacing).toBeUndefined();
    expect(found.rest.count).toBe(3);
    expect(found.reason).toMatch(
      /^a delivery may have come up to \d+\.00 s before it was noted, which could explain the spacing$/,
    );
  });
});

describe('a count', () => {
  const three = buildExpectation({ count: 3 });
  const silence = buildExpectation({ outcome: 'silence' });

  test('of what was read after the end, and may have come before it', () => {
    expect(excuseByLag(three, observation(100, [10], [101, 2]))?.rest.count).toBeUndefined();
    expect(excuseByLag(silence, observation(100, [101, 2]))?.rest.outcome).toBeUndefined();
    expect(excuseByLag(silence, observation(100, [101, 2]))?.reason).toMatch(
      /^our receiver was behind when the wait ended/,
    );
  });

  test.each([
    ['of what was read in time', observation(100, [10], [99, 2])],
    ['of what came too late in any case', observation(100, [10], [103, 2])],
    ['of nothing', observation(100)],
  ])('%s is judged', (_, given) => expect(excuseByLag(three, given)).toBeUndefined());
});

describe('the time of a response', () => {
  test.each([
    ['in time', 10, 0, []],
    ['in time to a tenth', 10.04, 0, []],
    ['in time whatever our lag', 9.9, 3, []],
    ['late', 10.1, 0, [{ expected: 'a response within 10 s', actual: '10.1 s' }]],
    ['late whatever our lag', 10.9, 0.5, [{ expected: 'a response within 10 s', actual: '10.9 s' }]],
  ])('a response that came %s', (_, took, lag, found) => {
    expect(judgeTime(took, buildResponse({ lag }), 10)).toEqual(found);
  });

  test('a response whose time our own lag decides is not judged', () => {
    const judge = (): unknown => judgeTime(10.3, buildResponse({ lag: 0.4 }), 10);
    expect(judge).toThrow('the response took 10.3 s, but up to 0.40 s of that may be our own lag');
  });
});
