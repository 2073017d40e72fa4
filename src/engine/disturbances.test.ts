import { afterEach, describe, expect, test } from 'vitest';
import { type Disturbances, watchMachine } from './disturbances.ts';

const start = Date.parse('2026-11-28T12:00:00Z');
const open: Disturbances[] = [];
afterEach(() => {
  for (const { close } of open.splice(0)) close();
});

/** Watches a machine whose clock is ahead of the run's by what the function returns. */
function watch(ahead: () => number, steady = () => performance.now()) {
  const [notes, lost]: [string[], string[]] = [[], []];
  const clocks = { now: () => start, ahead, steady };
  const watched = watchMachine(clocks, { onNote: (text) => notes.push(text), onLostTime: (words) => lost.push(words) });
  open.push(watched);
  return { notes, lost, ...watched };
}

const at = 'at 2026-11-28T12:00:00.000Z the clock of this machine was set';

describe('the clock of the machine', () => {
  test.each([
    [3000, 'forward by 3.0 s'],
    [-1600, 'back by 1.6 s'],
  ])('set by %d ms disturbs the cases under way, and the run goes on', (by, words) => {
    let ahead = 0;
    const { notes, lost, since, lostTime } = watch(() => ahead);
    const begun = performance.now();
    expect(since(begun)).toBeUndefined();
    ahead = by;
    expect(since(begun)).toMatchObject({ words: `${at} ${words}`, repeat: 'later' });
    // The carrier's clock is not known yet.
    expect(since(begun + 9900)).toMatchObject({ repeat: 'later' });
    expect(since(performance.now() + 10_100)).toBeUndefined();
    expect(notes).toEqual([`${at} ${words}: cases that were under way have no verdict`]);
    expect([lostTime(), ...lost]).toEqual([undefined]);
  });

  test.each([
    [1500, false],
    [1501, true],
    [-1500, false],
    [-1501, true],
  ])('set by %d ms disturbs: %s', (by, disturbs) => {
    let ahead = 0;
    const { notes, lostTime } = watch(() => ahead);
    ahead = by;
    expect([lostTime(), notes.length]).toEqual([undefined, disturbs ? 1 : 0]);
  });

  test.each([
    [3_600_000, 'forward by 3600.0 s'],
    [-3_600_000, 'back by 3600.0 s'],
  ])('set by %d ms takes the time from the run, whatever follows', (by, words) => {
    let ahead = 0;
    const { notes, lost, since, lostTime } = watch(() => ahead);
    ahead = by;
    expect(lostTime()).toBe(`${at} ${words}`);
    ahead = 0;
    expect(since(performance.now() + 1_000_000)).toMatchObject({ words: `${at} ${words}`, repeat: 'never' });
    expect(lost).toEqual([`${at} ${words}`]);
    expect(notes).toHaveLength(1);
  });

  test('corrected little by little is told when the sum is more than 5 seconds', () => {
    let ahead = 0;
    const { lostTime } = watch(() => ahead);
    for (ahead = 1000; ahead <= 5000; ahead += 1000) expect(lostTime()).toBeUndefined();
    ahead = 5100;
    expect(lostTime()).toBe(`${at} forward by 5.1 s in all since the run began`);
  });

  test('read in two moments, with a pause between them, is not set', () => {
    let paused = true;
    const { notes, lostTime } = watch(() => {
      paused = !paused;
      return paused ? -8000 : 0;
    });
    expect([lostTime(), lostTime(), ...notes]).toEqual([undefined, undefined]);
  });
});

test.each([
  [5250, []],
  [5251, ['carrierspec itself stood still for 5.0 s: cases that were under way have no verdict']],
])('a look after %i ms, of which 250 are its own pause', (later, expected) => {
  let at = 0;
  const { notes, since } = watch(
    () => 0,
    () => at,
  );
  at = later;
  since(0);
  expect(notes).toEqual(expected);
});
