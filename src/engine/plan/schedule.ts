import { createCasePlaces } from '../case/locks.ts';
import { takeTurn } from '../case/turn.ts';
import { createOpenHours } from '../clock/open-hours.ts';
import { createScheduler, type LockRequest } from '../clock/scheduler.ts';
import { type Clock, createTimeline, runInTimeline } from '../clock/timeline.ts';
import type { TimedCase } from './assign.ts';
import type { PlannedAct, PlannedLength } from '../../model/progress.ts';
import { startOrder, type RunOrder } from './order.ts';
import { omitUndefined } from '../../lib/json.ts';
import { afterSeconds, latest, type Millis, toSeconds } from '../../lib/time.ts';

/** Planned times of a case, in seconds from the start of the run. */
export interface BookedCase extends TimedCase {
  readonly begins: number;
  /** Moment at which it releases its locks. */
  readonly leaves: number;
  readonly ends: number;
}

/** Clock without a carrier: when everything waits, it moves to the next due moment. */
function createPlannedClock(): Clock {
  let now = latest();
  return {
    kind: 'virtual',
    now: () => now,
    schedule: () => () => undefined,
    idle: ({ next, wake, stillIdle }) =>
      queueMicrotask(() => {
        const due = stillIdle() ? next() : undefined;
        if (due === undefined) return;
        now = latest(now, due);
        wake();
      }),
  };
}

/** Simulates a run in which only waits take time, with the run's own locks, in the given order. */
export async function bookRun(
  order: readonly TimedCase[],
  bounds: Omit<RunOrder, 'order'> = {},
): Promise<readonly BookedCase[]> {
  const timeline = createTimeline(createPlannedClock());
  const locks = createScheduler({ timeline });
  const places = createCasePlaces(timeline, bounds);
  const hours =
    bounds.hours &&
    createOpenHours(bounds.hours.hours, {
      timeline,
      timeOfDay: (moment) => (bounds.hours?.begins ?? 0) + toSeconds(moment),
    });
  const book = async (timed: TimedCase): Promise<BookedCase> => {
    const { time, wants, planned } = timed;
    const label = { case: planned.case.id, for: 'its end' };
    const waitUntil = async (due: Millis): Promise<number> => {
      if (due > timeline.now()) await timeline.wait({ due, label });
      return toSeconds(timeline.now());
    };
    const { subscriber } = planned.assignment;
    const { releaseLocks, releasePlace } = await takeTurn(
      { id: planned.case.id, subscriber: subscriber.name, wants, reaches: () => time.reaches },
      { locks, places, ...omitUndefined({ hours }) },
    );
    const begun = timeline.now();
    const leaves = await waitUntil(afterSeconds(begun, time.held));
    releaseLocks();
    const ends = await waitUntil(afterSeconds(begun, time.total));
    releasePlace();
    return { ...timed, begins: toSeconds(begun), leaves, ends };
  };
  return Promise.all(order.map((timed) => runInTimeline(timeline, () => book(timed))));
}

/** Seconds from the start to the end of the last case. */
export const bookedLength = (booked: readonly BookedCase[]): number => Math.max(0, ...booked.map(({ ends }) => ends));

/** Case that another one waited for: it released a conflicting lock at that moment, or else a place of the same subscriber. */
function findBlocker(
  { begins, wants, planned }: BookedCase,
  booked: readonly BookedCase[],
  passed: ReadonlySet<BookedCase>,
): BookedCase | undefined {
  if (begins === 0) return undefined;
  const excludes = ({ lock, exclusive }: LockRequest): boolean =>
    wants.some((own) => own.lock === lock && (own.exclusive || exclusive));
  const { name } = planned.assignment.subscriber;
  const before = booked.filter((one) => !passed.has(one)).toSorted((a, b) => a.begins - b.begins || a.index - b.index);
  return (
    before.find(({ leaves, wants: others }) => leaves === begins && others.some(excludes)) ??
    before.find(({ ends, planned: other }) => ends === begins && other.assignment.subscriber.name === name)
  );
}

/** Critical path: from the case that ends last back over the cases that each waited for. */
export function criticalPath(booked: readonly BookedCase[]): readonly BookedCase[] {
  const path = new Set<BookedCase>();
  let next = booked.toSorted((a, b) => b.ends - a.ends || a.index - b.index)[0];
  while (next !== undefined) {
    path.add(next);
    next = findBlocker(next, booked, path);
  }
  const forward = [...path].toReversed();
  // A case that takes no time only passed on a lock.
  return forward.filter(({ begins, ends }, at) => (forward[at + 1]?.begins ?? ends) > begins);
}

/** Tasks of people in these cases, the first to come first. */
export const bookedAsks = (booked: readonly BookedCase[]) =>
  booked
    .flatMap(({ planned, time, begins }) =>
      time.prompt.map((ask) => ({ ...ask, at: begins + ask.at, case: planned.case.id, planned })),
    )
    .toSorted((a, b) => a.at - b.at);

/** Planned length of these cases in real time, with the critical path, and the acts of people. */
export async function planLength(
  cases: readonly TimedCase[],
  way: RunOrder,
): Promise<{ readonly length: PlannedLength; readonly acts: readonly PlannedAct[] }> {
  const booked = await bookRun(startOrder(cases, way), way);
  const path = criticalPath(booked).map(({ planned, ends }) => ({ case: planned.case.id, ends }));
  const acts = bookedAsks(booked).map(({ case: id, step, action, at }) => ({ case: id, step, action, at }));
  return { length: { seconds: bookedLength(booked), path }, acts };
}

/** Most simulations to fill a budget; each takes some milliseconds. */
const maxBudgetTries = 40;

/** Budget in seconds, with the bounds and order of the run. */
interface BudgetFrame extends RunOrder {
  readonly seconds: number;
}

const fitsBudget = async (cases: readonly TimedCase[], frame: BudgetFrame): Promise<boolean> =>
  bookedLength(await bookRun(startOrder(cases, frame), frame)) <= frame.seconds;

/** Drops late cases until the rest fits, with the shortest first and also in the run's own order. */
async function fitShortest(shortest: readonly TimedCase[], frame: BudgetFrame): Promise<readonly TimedCase[]> {
  let fitting = shortest;
  let booked = await bookRun(shortest, frame);
  for (;;) {
    const late = new Set(booked.filter(({ ends }) => ends > frame.seconds).map(({ index }) => index));
    fitting = fitting.filter(({ index }) => !late.has(index));
    booked = await bookRun(startOrder(fitting, frame), frame);
    if (bookedLength(booked) <= frame.seconds) return fitting;
  }
}

/** Cases that fit the budget in the run's order: the shortest, and others that fit with them. */
export async function fitBudget(cases: readonly TimedCase[], frame: BudgetFrame): Promise<readonly TimedCase[]> {
  const shortest = cases
    .filter(({ time }) => time.total <= frame.seconds)
    .toSorted((a, b) => a.time.total - b.time.total || a.index - b.index);
  if (await fitsBudget(shortest, frame)) return shortest;
  let chosen = await fitShortest(shortest, frame);
  const taken = new Set(chosen);
  let rest = shortest.filter((timed) => !taken.has(timed));
  let size = rest.length;
  for (let tries = 0; tries < maxBudgetTries && rest.length > 0; tries += 1) {
    const more = [...chosen, ...rest.slice(0, size)];
    const good = await fitsBudget(more, frame);
    if (good) chosen = more;
    if (good || size === 1) rest = rest.slice(size);
    size = good ? Math.min(size, rest.length) : Math.max(1, Math.floor(size / 2));
  }
  return chosen;
}
