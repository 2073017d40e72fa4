import { type Bounds, createPlaces, placeOf } from '../case/locks.ts';
import { createScheduler, type Want } from '../clock/scheduler.ts';
import { type Clock, createTimeline, inTimeline } from '../clock/timeline.ts';
import type { Timed } from './assign.ts';
import type { PlannedLength } from '../../model/progress.ts';
import { startOrder, type Way } from './order.ts';

/** When a case will run: seconds from the beginning of the run. */
export interface Booked extends Timed {
  readonly begins: number;
  /** Gives its locks back. */
  readonly leaves: number;
  readonly ends: number;
}

/** A clock without a carrier: when everything waits it is the next due moment. */
function createPlannedClock(): Clock {
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

/** What a case waited for: a case that gave back what both could not have at once at the moment it began, else one that gave back a place of its subscriber. */
function waitedFor(
  { begins, wants, planned }: Booked,
  booked: readonly Booked[],
  passed: ReadonlySet<Booked>,
): Booked | undefined {
  if (begins === 0) return undefined;
  const excludes = ({ lock, exclusive }: Want): boolean =>
    wants.some((own) => own.lock === lock && (own.exclusive || exclusive));
  const { name } = planned.assignment.subscriber;
  const before = booked.filter((one) => !passed.has(one)).toSorted((a, b) => a.begins - b.begins || a.index - b.index);
  return (
    before.find(({ leaves, wants: others }) => leaves === begins && others.some(excludes)) ??
    before.find(({ ends, planned: other }) => ends === begins && other.assignment.subscriber.name === name)
  );
}

/** From the case that ends last, back over those whose locks each waited for. */
export function pathOf(booked: readonly Booked[]): readonly Booked[] {
  const path = new Set<Booked>();
  let next = booked.toSorted((a, b) => b.ends - a.ends || a.index - b.index)[0];
  while (next !== undefined) {
    path.add(next);
    next = waitedFor(next, booked, path);
  }
  const forward = [...path].toReversed();
  // What takes no time only handed on what others waited for.
  return forward.filter(({ begins, ends }, at) => (forward[at + 1]?.begins ?? ends) > begins);
}

/** How long these cases are planned to take in real time, and the path that keeps them from being over sooner. */
export async function planLength(cases: readonly Timed[], way: Way): Promise<PlannedLength> {
  const booked = await bookRun(startOrder(cases, way), way);
  const path = pathOf(booked).map(({ planned, ends }) => ({ case: planned.case.id, ends }));
  return { seconds: lengthOf(booked), path };
}

/** Runs that are gone through to fill a budget: each takes some milliseconds. */
const mostTries = 40;

/** Seconds in which cases shall be over, and how many are open at the same time. */
interface Frame extends Way {
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
