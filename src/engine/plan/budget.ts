import { startOrder, type Way } from './order.ts';
import { bookRun, lengthOf } from './schedule.ts';
import type { Timed } from './timed.ts';

/** Runs that are gone through to fill a budget: each takes some milliseconds. */
const mostTries = 40;

/** Seconds in which cases shall be over, and how many are open at the same time. */
export interface Frame extends Way {
  readonly seconds: number;
}

const fits = async (cases: readonly Timed[], frame: Frame): Promise<boolean> =>
  lengthOf(await bookRun(startOrder(cases, frame), frame)) <= frame.seconds;

/** As many of the shortest as are over in time when the shortest go first, and when the run goes as it does. */
async function fitShortest(shortest: readonly Timed[], frame: Frame): Promise<readonly Timed[]> {
  let fitting = shortest;
  let booked = await bookRun(shortest, frame);
  for (;;) {
    const late = new Set(booked.filter(({ ends }) => ends > frame.seconds).map(({ index }) => index));
    fitting = fitting.filter(({ index }) => !late.has(index));
    booked = await bookRun(startOrder(fitting, frame), frame);
    if (lengthOf(booked) <= frame.seconds) return fitting;
  }
}

/** The cases that are over in time, all of them, as the run would go: the shortest, and what fits beside them. */
export async function fitBudget(cases: readonly Timed[], frame: Frame): Promise<readonly Timed[]> {
  const shortest = cases
    .filter(({ time }) => time.total <= frame.seconds)
    .toSorted((a, b) => a.time.total - b.time.total || a.index - b.index);
  if (await fits(shortest, frame)) return shortest;
  let chosen = await fitShortest(shortest, frame);
  const taken = new Set(chosen);
  let rest = shortest.filter((timed) => !taken.has(timed));
  let size = rest.length;
  for (let tries = 0; tries < mostTries && rest.length > 0; tries += 1) {
    const more = [...chosen, ...rest.slice(0, size)];
    const good = await fits(more, frame);
    if (good) chosen = more;
    if (good || size === 1) rest = rest.slice(size);
    size = good ? Math.min(size, rest.length) : Math.max(1, Math.floor(size / 2));
  }
  return chosen;
}
