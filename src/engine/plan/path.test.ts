import { expect, test } from 'vitest';
import { buildTimed } from '../../testing/timed.ts';
import { pathOf, bookRun } from './schedule.ts';

test('a case waits for one that had what both could not have at once, not for one that shared something with it', async () => {
  const booked = await bookRun([
    buildTimed('beside', { held: 100, wants: ['second!', 'client:main'] }),
    buildTimed('before', { held: 100, wants: ['first!', 'client:main'] }),
    buildTimed('waits', { held: 50, wants: ['first!', 'client:main'] }),
  ]);
  expect(pathOf(booked).map(({ planned }) => planned.case.id)).toEqual(['before', 'waits']);
});
