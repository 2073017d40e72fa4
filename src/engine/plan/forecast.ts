import type { Case } from '../../suite/suites.ts';
import { planRun, runs, type Unplanned } from './assign.ts';
import type { RunOptions } from '../run-options.ts';
import type { PlannedAsk } from '../context/walk.ts';
import { startOrder } from './order.ts';
import { type Booked, bookRun, fitBudget, lengthOf, type Timed, timeCases } from './schedule.ts';

/** A manual task: seconds from the beginning of the run. */
export interface ManualTask extends PlannedAsk {
  readonly case: string;
  /** Number of the phone, or the subscriber's name. */
  readonly phone: string;
  readonly client: string;
}

/** How a lock is used. Seconds. */
export interface LockUse {
  readonly lock: string;
  readonly cases: number;
  /** Cases that have it to themselves, and for how long. */
  readonly exclusiveCases: number;
  readonly exclusive: number;
  readonly freeAt: number;
}

/** How a run would go, without running it. Seconds. */
export interface Forecast {
  readonly booked: readonly Booked[];
  readonly notRun: readonly Unplanned[];
  readonly beyondBudget: readonly Case[];
  /** Until the last case has ended. */
  readonly longest: number;
  /** One after the other. */
  readonly sum: number;
  /** The cases that keep the run from being shorter, each waiting for the one before it. */
  readonly path: readonly Booked[];
  readonly locks: readonly LockUse[];
  readonly manualTasks: readonly ManualTask[];
}

/** What a case waited for: a case that gave back a lock of both at the moment it began, else one that gave back a place of its subscriber. */
function waitedFor(
  { begins, wants, planned }: Booked,
  booked: readonly Booked[],
  passed: ReadonlySet<Booked>,
): Booked | undefined {
  if (begins === 0) return undefined;
  const locks = new Set(wants.map(({ lock }) => lock));
  const { name } = planned.assignment.subscriber;
  const before = booked.filter((one) => !passed.has(one)).toSorted((a, b) => a.begins - b.begins || a.index - b.index);
  return (
    before.find(({ leaves, wants: others }) => leaves === begins && others.some(({ lock }) => locks.has(lock))) ??
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

function locksOf(booked: readonly Booked[]): readonly LockUse[] {
  const uses = new Map<string, LockUse>();
  for (const { wants, time, leaves } of booked) {
    for (const { lock, exclusive } of wants) {
      const before = uses.get(lock) ?? { lock, cases: 0, exclusiveCases: 0, exclusive: 0, freeAt: 0 };
      uses.set(lock, {
        lock,
        cases: before.cases + 1,
        exclusiveCases: before.exclusiveCases + Number(exclusive),
        exclusive: before.exclusive + (exclusive ? time.held : 0),
        freeAt: Math.max(before.freeAt, leaves),
      });
    }
  }
  return [...uses.values()].toSorted((a, b) => b.freeAt - a.freeAt || a.lock.localeCompare(b.lock));
}

const manualTasksOf = ({ planned, time, begins }: Booked): readonly ManualTask[] =>
  time.prompt.map((ask) => ({
    ...ask,
    at: begins + ask.at,
    case: planned.case.id,
    phone: planned.assignment.subscriber.phone ?? planned.assignment.subscriber.name,
    client: planned.assignment.client.clientId,
  }));

type Wanted = Pick<RunOptions, 'selected' | 'suites' | 'target' | 'budget' | 'interface'>;

async function chooseCases(timed: readonly Timed[], { budget, target }: Wanted): Promise<readonly Timed[]> {
  return budget === undefined ? timed : fitBudget(timed, { seconds: budget.seconds, ofOne: target.casesPerSubscriber });
}

/** What would run, when, and with whom. An operator is taken to be there for what the target asks a person to do. */
export async function forecast(wanted: Wanted): Promise<Forecast> {
  const { selected, suites, target } = wanted;
  const plan = planRun(selected, target, { interface: wanted.interface, all: suites.cases });
  const timed = timeCases(plan, wanted);
  const fitting = await chooseCases(timed, wanted);
  const bounds = { ofOne: target.casesPerSubscriber };
  const booked = await bookRun(startOrder(fitting, bounds), bounds);
  const fit = new Set(fitting.map(({ index }) => index));
  return {
    booked,
    notRun: plan.filter((planned): planned is Unplanned => !runs(planned)),
    beyondBudget: timed.filter(({ index }) => !fit.has(index)).map(({ planned }) => planned.case),
    longest: lengthOf(booked),
    sum: booked.reduce((sum, { time }) => sum + time.total, 0),
    path: pathOf(booked),
    locks: locksOf(booked),
    manualTasks: booked.flatMap(manualTasksOf).toSorted((a, b) => a.at - b.at),
  };
}
