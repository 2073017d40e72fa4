import type { Case } from '../../model/suite.ts';
import { type Planned, planRun } from './plan.ts';
import type { PlannedAsk } from './planned-walk.ts';
import type { RunOptions } from '../run-options.ts';
import {
  type Booked,
  bookRun,
  fitBudget,
  lengthOf,
  type Runs,
  type ScheduleWorld,
  startOrder,
  type Timed,
  timeCases,
} from './schedule.ts';

type Unplanned = Exclude<Planned, Runs>;

/** One thing a person has to do: seconds from the beginning of the run. */
export interface Errand extends PlannedAsk {
  readonly case: string;
  /** Number of the phone, or the subscriber's name. */
  readonly phone: string;
  readonly client: string;
}

/** How a lane is used. Seconds. */
export interface LaneUse {
  readonly lane: string;
  readonly cases: number;
  /** Cases that have it alone, and how long they do. */
  readonly aloneCases: number;
  readonly alone: number;
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
  readonly lanes: readonly LaneUse[];
  readonly errands: readonly Errand[];
}

/** What a case waited for: what gave back a lane of both at the moment it began, else what made room on its subscriber. */
function waitedFor(
  { begins, wants, planned }: Booked,
  booked: readonly Booked[],
  passed: ReadonlySet<Booked>,
): Booked | undefined {
  if (begins === 0) return undefined;
  const lanes = new Set(wants.map(({ lane }) => lane));
  const { name } = planned.cast.subscriber;
  const before = booked.filter((one) => !passed.has(one)).toSorted((a, b) => a.begins - b.begins || a.index - b.index);
  return (
    before.find(({ leaves, wants: others }) => leaves === begins && others.some(({ lane }) => lanes.has(lane))) ??
    before.find(({ ends, planned: other }) => ends === begins && other.cast.subscriber.name === name)
  );
}

/** From the case that ends last, back over those whose lanes each waited for. */
function pathOf(booked: readonly Booked[]): readonly Booked[] {
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

function lanesOf(booked: readonly Booked[]): readonly LaneUse[] {
  const uses = new Map<string, LaneUse>();
  for (const { wants, time, leaves } of booked) {
    for (const { lane, alone } of wants) {
      const before = uses.get(lane) ?? { lane, cases: 0, aloneCases: 0, alone: 0, freeAt: 0 };
      uses.set(lane, {
        lane,
        cases: before.cases + 1,
        aloneCases: before.aloneCases + Number(alone),
        alone: before.alone + (alone ? time.held : 0),
        freeAt: Math.max(before.freeAt, leaves),
      });
    }
  }
  return [...uses.values()].toSorted((a, b) => b.freeAt - a.freeAt || a.lane.localeCompare(b.lane));
}

const errandsOf = ({ planned, time, begins }: Booked): readonly Errand[] =>
  time.asks.map((ask) => ({
    ...ask,
    at: begins + ask.at,
    case: planned.case.id,
    phone: planned.cast.subscriber.phone ?? planned.cast.subscriber.name,
    client: planned.cast.client.clientId,
  }));

type Wanted = Pick<RunOptions, 'selected' | 'suites' | 'target' | 'budget'>;

async function chooseCases(timed: readonly Timed[], { budget, target }: Wanted): Promise<readonly Timed[]> {
  return budget === undefined ? timed : fitBudget(timed, { seconds: budget.seconds, ofOne: target.casesPerSubscriber });
}

/** What would run, when, and what for whom. Somebody is taken to be there for what the target asks a person to do. */
export async function forecast(wanted: Wanted): Promise<Forecast> {
  const { selected, suites, target } = wanted;
  const plan = planRun(selected, target, suites.cases);
  const world: ScheduleWorld = { target, base: suites.base };
  const timed = timeCases(plan, world);
  const fitting = await chooseCases(timed, wanted);
  const booked = await bookRun(startOrder(fitting), { ofOne: target.casesPerSubscriber });
  const runs = new Set(fitting.map(({ index }) => index));
  return {
    booked,
    notRun: plan.filter((planned): planned is Unplanned => !('cast' in planned)),
    beyondBudget: timed.filter(({ index }) => !runs.has(index)).map(({ planned }) => planned.case),
    longest: lengthOf(booked),
    sum: booked.reduce((sum, { time }) => sum + time.total, 0),
    path: pathOf(booked),
    lanes: lanesOf(booked),
    errands: booked.flatMap(errandsOf).toSorted((a, b) => a.at - b.at),
  };
}
