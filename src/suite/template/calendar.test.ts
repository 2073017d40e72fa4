import { expect, test } from 'vitest';
import { findNextMoment } from './functions.ts';

const next = (name: string, after: string): string | undefined => {
  const found = findNextMoment(name, Date.parse(after));
  return found === undefined ? undefined : new Date(found).toISOString();
};

test.each([
  ['minute', '2026-11-23T10:20:30Z', '2026-11-23T10:21:00.000Z'],
  ['hour', '2026-11-23T10:20:30Z', '2026-11-23T11:00:00.000Z'],
  ['hour', '2026-11-23T11:00:00Z', '2026-11-23T12:00:00.000Z'],
  ['day', '2026-12-31T23:59:59Z', '2027-01-01T00:00:00.000Z'],
  ['03:00', '2026-11-23T02:59:59Z', '2026-11-23T03:00:00.000Z'],
  ['03:00', '2026-11-23T03:00:00Z', '2026-11-24T03:00:00.000Z'],
  ['year', '2026-11-23T00:00:00Z', '2027-01-01T00:00:00.000Z'],
  ['leap-day', '2026-11-23T00:00:00Z', '2028-02-29T00:00:00.000Z'],
  ['leap-day', '2096-02-29T00:00:00Z', '2104-02-29T00:00:00.000Z'],
  ['summer-time', '2026-11-23T00:00:00Z', '2027-03-28T01:00:00.000Z'],
  ['winter-time', '2026-10-01T00:00:00Z', '2026-10-25T01:00:00.000Z'],
  ['winter-time', '2026-10-25T01:00:00Z', '2027-10-31T01:00:00.000Z'],
  ['daylight-time', '2026-01-01T00:00:00Z', '2026-03-08T08:00:00.000Z'],
  ['daylight-time', '2026-03-08T08:00:00Z', '2027-03-14T08:00:00.000Z'],
  ['standard-time', '2026-03-08T08:00:00Z', '2026-11-01T07:00:00.000Z'],
])('the next %s after %s is %s', (name, after, expected) => expect(next(name, after)).toBe(expected));

test.each(['noon', '24:00', '3:00', '', 'constructor'])('no moment is called %s', (name) =>
  expect(findNextMoment(name, 0)).toBeUndefined(),
);
