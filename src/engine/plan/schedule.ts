import { type Bounds, createPlaces, placeOf } from '../case/locks.ts';
import { createScheduler } from '../clock/scheduler.ts';
import { type Clock, createTimeline, inTimeline } from '../clock/timeline.ts';
import type { Timed } from './timed.ts';

/** When a case will run: seconds from the beginning of the run. */
export interface Booked extends Timed {
  readonly begins: number;
  /** Gives its locks back. */
  readonly leaves: number;
  readonly ends: number;
}

/** A clock without a carrier: when everything waits it is the next due moment. */
export function createPlannedClock(): Clock {
  let now = 0;
  return {
    kind: 'virtual',
    now: () => now,
    schedule: () => () => undefined,
    idle: ({ next, wake, stillIdle }) =>
      queueMicrotask(() => {
        const due = stillIdle() ? next() : undefined;
        if (due === undefined) return;
        now = Math.max(now, due);
        wake();
      }),
  };
}

/** Goes through a run as it would go if nothing but waiting took time, by the locks of the run itself. In the order given. */
export async function bookRun(order: readonly Timed[], bounds: Bounds = {}): Promise<readonly Booked[]> {
  const timeline = createTimeline(createPlannedClock());
  const locks = createScheduler({ timeline });
  const places = createPlaces(timeline, bounds);
  const book = async (timed: Timed): Promise<Booked> => {
    const { time, wants, planned } = timed;
    const label = { case: planned.case.id, for: 'its end' };
    const waitUntil = async (due: number): Promise<number> => {
      if (due > timeline.now()) await timeline.wait({ due, label });
      return timeline.now();
    };
    const giveBack = await locks.take(wants, label);
    const leave = await places.take(placeOf(planned.assignment.subscriber.name), label);
    const begins = timeline.now();
    const leaves = await waitUntil(begins + time.held);
    giveBack();
    const ends = await waitUntil(begins + time.total);
    leave();
    return { ...timed, begins, leaves, ends };
  };
  return Promise.all(order.map((timed) => inTimeline(timeline, () => book(timed))));
}

/** Seconds from the beginning to the end of the last case. */
export const lengthOf = (booked: readonly Booked[]): number => Math.max(0, ...booked.map(({ ends }) => ends));
