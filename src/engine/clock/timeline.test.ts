import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Clock, createRealClock, createTimeline, Interrupted, type Timeline } from './timeline.ts';
import { wholeMillis } from '../../lib/time.ts';

const label = { case: 'a-case', for: 'a callback' };

/** Clock whose moments the test triggers. */
function handWork() {
  const fires = new Set<() => void>();
  const idles: { next: number | undefined; stillIdle: boolean }[] = [];
  let now = 0;
  let lastWake: () => void = () => undefined;
  const work: Clock = {
    kind: 'virtual',
    now: () => wholeMillis(now),
    schedule: (_, fire) => {
      fires.add(fire);
      return () => void fires.delete(fire);
    },
    idle: ({ next, wake, stillIdle }) => {
      idles.push({ next: next(), stillIdle: stillIdle() });
      lastWake = wake;
    },
  };
  return {
    work,
    fires,
    idles,
    moveTo: (to: number) => {
      now = to;
      lastWake();
    },
  };
}

describe('the timeline', () => {
  test('the due moment came: false; every wait that is due ends, no other', async () => {
    const { work, moveTo } = handWork();
    const timeline = createTimeline(work);
    for (let count = 0; count < 3; count += 1) timeline.enter();
    const waits = [300, 300, 301].map((due) => timeline.wait({ due: wholeMillis(due), label }));
    moveTo(300);
    expect(await Promise.all(waits.slice(0, 2))).toEqual([false, false]);
    expect(timeline.waiting().map(({ due }) => due)).toEqual([301]);
  });

  test('woken: true, once, disarmed and unscheduled', async () => {
    const { work, fires } = handWork();
    const timeline = createTimeline(work);
    let wake: () => void = () => undefined;
    let disarmed = 0;
    timeline.enter();
    const woken = timeline.wait({
      due: wholeMillis(300),
      label,
      arm: (given) => {
        wake = given;
        return () => {
          disarmed += 1;
        };
      },
    });
    expect(fires.size).toBe(1);
    wake();
    wake();
    expect(await woken).toBe(true);
    expect(disarmed).toBe(1);
    expect(fires.size).toBe(0);
    expect(timeline.waiting()).toEqual([]);
  });

  test('a wake counts as activity before what was woken goes on', () => {
    const { work, idles } = handWork();
    const timeline = createTimeline(work);
    let wake: () => void = () => undefined;
    timeline.enter();
    void timeline.wait({
      label,
      arm: (given) => {
        wake = given;
        return () => undefined;
      },
    });
    wake();
    timeline.enter();
    timeline.leave();
    expect(idles).toHaveLength(1);
  });

  test('a wait that is woken while it is being armed leaves nothing behind', async () => {
    const { work, fires } = handWork();
    const timeline = createTimeline(work);
    timeline.enter();
    const woken = timeline.wait({
      due: wholeMillis(300),
      label,
      arm: (wake) => {
        wake();
        return () => undefined;
      },
    });
    expect(await woken).toBe(true);
    expect(timeline.waiting()).toEqual([]);
    expect(fires.size).toBe(0);
  });

  test('says what is waited for, and until when', () => {
    const timeline = createTimeline(handWork().work);
    timeline.enter();
    void timeline.wait({ due: wholeMillis(300), label });
    expect(timeline.waiting()).toMatchObject([{ due: wholeMillis(300), label }]);
  });

  test('interrupt ends every wait, and those to come', async () => {
    const { work, idles, fires } = handWork();
    const timeline = createTimeline(work);
    timeline.enter();
    timeline.enter();
    const waits = [timeline.wait({ due: wholeMillis(300), label }), timeline.wait({ label })].map((wait) =>
      wait.catch((error: unknown) => error),
    );
    timeline.interrupt();
    for (const end of await Promise.all(waits)) expect(end).toBeInstanceOf(Interrupted);
    await expect(timeline.wait({ due: wholeMillis(1), label })).rejects.toThrow(new Interrupted());
    expect(timeline.waiting()).toEqual([]);
    expect(fires.size).toBe(0);
    timeline.leave();
    timeline.leave();
    expect(idles).toHaveLength(1);
  });
});

describe('the real clock', () => {
  afterEach(() => void vi.useRealTimers());

  const parkFor = (timeline: Timeline, milliseconds: number) => {
    timeline.enter();
    return timeline.wait({ due: wholeMillis(timeline.now() + milliseconds), label });
  };

  test('a moment that has passed is now', async () => {
    const begun = Date.now();
    expect(await parkFor(createTimeline(createRealClock()), -1000)).toBe(false);
    expect(Date.now() - begun).toBeLessThan(900);
  });

  test('an interrupt ends a wait at once', async () => {
    const timeline = createTimeline(createRealClock());
    const wait = parkFor(timeline, 60_000);
    setTimeout(timeline.interrupt, 20);
    const begun = Date.now();
    await expect(wait).rejects.toThrow(new Interrupted());
    expect(Date.now() - begun).toBeLessThan(30_000);
  });

  test('a wait that is woken early leaves no timer', async () => {
    vi.useFakeTimers();
    const timeline = createTimeline(createRealClock());
    timeline.enter();
    const woken = timeline.wait({
      due: wholeMillis(timeline.now() + 60_000),
      label,
      arm: (wake) => {
        setTimeout(wake, 10);
        return () => undefined;
      },
    });
    await vi.advanceTimersByTimeAsync(10);
    expect(await woken).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('a wait longer than a timer can be: 60 days', async () => {
    vi.useFakeTimers();
    const days = 24 * 3600 * 1000;
    const timeline = createTimeline(createRealClock());
    let ended: boolean | undefined;
    void parkFor(timeline, 60 * days).then((woken) => {
      ended = woken;
    });
    await vi.advanceTimersByTimeAsync(60 * days - 1);
    expect(ended).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(ended).toBe(false);
  });
});
