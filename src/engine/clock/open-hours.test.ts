import { expect, test } from 'vitest';
import { floorMillis } from '../../lib/time.ts';
import { takeTurn } from '../case/turn.ts';
import { createOpenHours, localTimeOfDay } from './open-hours.ts';
import { createScheduler } from './scheduler.ts';
import { createRealClock, createTimeline, Interrupted, runInTimeline } from './timeline.ts';

const hoursFrom = (from: number, to: number) => ({ from, to, text: 'in a moment' });

test('cases that reach a phone wait for the hours, which is said once, and go on; others begin at once', async () => {
  const timeline = createTimeline(createRealClock());
  const now = localTimeOfDay(timeline.now());
  const said: string[] = [];
  const onPause = (words: string) => void said.push(words);
  const hours = createOpenHours(hoursFrom(now + 0.4, now + 100), { timeline, timeOfDay: localTimeOfDay, onPause });
  const locks = createScheduler({ timeline });
  const begun: string[] = [];
  const began = timeline.now();
  const begin = async (id: string, reaches: readonly number[]): Promise<number> => {
    const wants = [{ lock: `subscriber:${id}`, exclusive: true }];
    const turn = await takeTurn({ id, subscriber: id, wants, reaches: () => reaches }, { locks, hours });
    begun.push(id);
    turn.releasePlace();
    turn.releaseLocks();
    return timeline.now() - began;
  };
  const waits = await Promise.all(
    Object.entries({ one: [0], another: [0, 5], quiet: [] }).map(([id, reaches]) =>
      runInTimeline(timeline, () => begin(id, reaches)),
    ),
  );
  expect(begun[0]).toBe('quiet');
  expect(new Set(begun)).toEqual(new Set(['quiet', 'one', 'another']));
  expect(waits[0]).toBeGreaterThanOrEqual(400);
  expect(waits[2]).toBeLessThan(400);
  expect(said).toEqual([
    expect.stringMatching(
      /^outside the hours in a moment no case begins that reaches a phone or a person: these wait until \w+day.* \d\d:\d\d$/,
    ),
  ]);
});

test('a case that waited for its locks past the hours waits for the next ones, and holds no lock meanwhile', async () => {
  const timeline = createTimeline(createRealClock());
  const now = localTimeOfDay(timeline.now());
  const hours = createOpenHours(hoursFrom(now - 10, now + 0.2), { timeline, timeOfDay: localTimeOfDay });
  const locks = createScheduler({ timeline });
  const wants = [{ lock: 'client:main', exclusive: true }];
  const release = await locks.take(wants, { case: 'first', for: 'its locks' });
  const waiting = runInTimeline(timeline, () =>
    takeTurn({ id: 'late', subscriber: 'first', wants, reaches: () => [0] }, { locks, hours }),
  );
  const isInterrupted = expect(waiting).rejects.toThrow(Interrupted);
  await new Promise((resolve) => setTimeout(resolve, 300));
  release();
  await new Promise((resolve) => setTimeout(resolve, 20));
  const other = await locks.take(wants, { case: 'other', for: 'its locks' });
  other();
  expect(timeline.waiting().map(({ label }) => label)).toEqual([{ case: 'late', for: 'the hours in a moment' }]);
  timeline.interrupt();
  await isInterrupted;
});

test('the time of day is the local one', () => {
  const noon = new Date(2026, 10, 30, 12, 30, 15, 500);
  expect(localTimeOfDay(floorMillis(noon.getTime()))).toBe(12 * 3600 + 30 * 60 + 15.5);
});
