import type { Case } from '../../suite/suites.ts';
import { planRun, runs, type Unplanned } from './assign.ts';
import { fitBudget } from './budget.ts';
import type { RunOptions } from '../run-options.ts';
import type { PlannedAsk } from '../context/walk.ts';
import { boundOf, type Gain, gainsOf } from './more.ts';
import { startOrder, type Way } from './order.ts';
import { pathOf } from './path.ts';
import { type Booked, bookRun, lengthOf } from './schedule.ts';
import { type Timed, timeCases } from './timed.ts';
import { planVerdicts, type PlannedVerdicts } from './verdicts.ts';

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
  /** No order is shorter: the longest case, or what a subscriber of those who can stand in for each other has to be held. */
  readonly atLeast: number;
  /** One after the other. */
  readonly sum: number;
  /** The cases that keep the run from being shorter, each waiting for the one before it. */
  readonly path: readonly Booked[];
  readonly locks: readonly LockUse[];
  readonly verdicts: PlannedVerdicts;
  /** Gains from more subscribers and registrations; absent with a budget, or in another order than the planned one. */
  readonly gains: readonly Gain[];
  readonly manualTasks: readonly ManualTask[];
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

type Wanted = Pick<RunOptions, 'selected' | 'suites' | 'target' | 'budget' | 'interface' | 'order'>;

async function chooseCases(timed: readonly Timed[], way: Way, { budget }: Wanted): Promise<readonly Timed[]> {
  return budget === undefined ? timed : fitBudget(timed, { ...way, seconds: budget.seconds });
}

/** What would run, when, and with whom. An operator is taken to be there for what the target asks a person to do. */
export async function forecast(wanted: Wanted): Promise<Forecast> {
  const { selected, suites, target } = wanted;
  const plan = planRun(selected, target, { interface: wanted.interface, all: suites.cases });
  const timed = timeCases(plan, wanted);
  const way = { ofOne: target.casesPerSubscriber, order: wanted.order };
  const fitting = await chooseCases(timed, way, wanted);
  const booked = await bookRun(startOrder(fitting, way), way);
  const fit = new Set(fitting.map(({ index }) => index));
  const notRun = plan.filter((planned): planned is Unplanned => !runs(planned));
  const beyondBudget = timed.filter(({ index }) => !fit.has(index)).map(({ planned }) => planned.case);
  return {
    booked,
    notRun,
    beyondBudget,
    longest: lengthOf(booked),
    atLeast: boundOf(fitting, target),
    sum: booked.reduce((sum, { time }) => sum + time.total, 0),
    path: pathOf(booked),
    locks: locksOf(booked),
    verdicts: planVerdicts({ booked, notRun, beyondBudget }, wanted),
    gains: wanted.budget === undefined && wanted.order === undefined ? gainsOf(fitting, wanted) : [],
    manualTasks: booked.flatMap(manualTasksOf).toSorted((a, b) => a.at - b.at),
  };
}
