import type { Hours } from '../../lib/hours.ts';
import { omitUndefined } from '../../lib/json.ts';
import {
  casesOutside,
  listManualTasks,
  type ManualTask,
  type PhonePushes,
  phonePushes,
  planBlocks,
  type WorkBlock,
} from './people.ts';
import { type Case, caseRuleIds, type Suites } from '../../suite/suites.ts';
import { planRun, isAssigned, type UnplannedCase, timeCases } from './assign.ts';
import type { RunnableInterface } from '../context/case-context.ts';
import { lowerBound } from './lower-bound.ts';
import { casesOfOne, startOrder } from './order.ts';
import { fitBudget, criticalPath, type BookedCase, bookRun, bookedLength } from './schedule.ts';
import { type Level, levels } from '../../model/rule.ts';
import type { Target } from '../../model/target.ts';
import type { CaseOrder } from './case-order.ts';
import { invariantRules, type SelectedSuites } from './select.ts';

interface VerdictsAt {
  /** Seconds from the start of the run. */
  readonly after: number;
  /** Number of rules with a verdict by then. */
  readonly count: Readonly<Record<Level, number>>;
  /** Ids of the rules that get their verdict after the previous moment. */
  readonly judged: Readonly<Record<Level, readonly string[]>>;
}

export interface PlannedVerdicts {
  readonly rules: Readonly<Record<Level, number>>;
  readonly moments: readonly VerdictsAt[];
  /** Ids of rules judged only by invariants, on every message, so that their verdicts come at the end. */
  readonly standing: readonly string[];
  /** Ids of rules without a verdict, because some of their cases do not run. */
  readonly never: readonly string[];
}

/** Ten minutes, an hour, four hours, a night. */
const forecastMoments = [600, 3600, 4 * 3600, 8 * 3600];

type BookedPlan = Pick<Forecast, 'booked' | 'notRun' | 'beyondBudget'>;

interface JudgedSelection {
  readonly selected: SelectedSuites;
  readonly suites: Pick<Suites, 'rules'>;
}

const mapLevels = <T>(of: (level: Level) => T): Readonly<Record<Level, T>> => ({
  required: of('required'),
  recommended: of('recommended'),
  informational: of('informational'),
});

function planVerdicts({ booked, notRun, beyondBudget }: BookedPlan, wanted: JudgedSelection): PlannedVerdicts {
  const { invariants, beside } = wanted.selected;
  const own = invariants.filter(({ id }) => beside?.has(id) !== true);
  const standing = new Set(own.flatMap((one) => [...invariantRules(one)]));
  // A rule passes only when all its cases have run.
  const silent = notRun.filter(({ verdict }) => verdict === 'not-run').map((one) => one.case);
  const missed = new Set([...silent, ...beyondBudget].flatMap((given) => [...caseRuleIds(given)]));
  // End of the last case, by rule.
  const ends = new Map<string, number>();
  for (const { planned, ends: at } of booked) {
    for (const rule of caseRuleIds(planned.case)) ends.set(rule, Math.max(ends.get(rule) ?? 0, at));
  }
  const known = wanted.suites.rules.filter(
    ({ id }) => wanted.selected.rules.has(id) && (ends.has(id) || standing.has(id) || missed.has(id)),
  );
  const rules = known.filter(({ id }) => !missed.has(id));
  const last = bookedLength(booked);
  const endOf = ({ id }: { readonly id: string }): number => ends.get(id) ?? last;
  const points = [...forecastMoments.filter((at) => at < last), last];
  return {
    rules: mapLevels((level) => rules.filter((rule) => rule.level === level).length),
    moments: points.map((after, at) => {
      const before = points[at - 1] ?? -1;
      const judgedIn = (level: Level, from: number): readonly string[] =>
        rules.filter((rule) => rule.level === level && endOf(rule) > from && endOf(rule) <= after).map(({ id }) => id);
      return {
        after,
        count: mapLevels((level) => judgedIn(level, -1).length),
        judged: mapLevels((level) => judgedIn(level, before)),
      };
    }),
    standing: rules.filter(({ id }) => !ends.has(id)).map(({ id }) => id),
    never: levels.flatMap((level) =>
      known.filter((rule) => rule.level === level && missed.has(rule.id)).map(({ id }) => id),
    ),
  };
}

/** Use of a lock. Seconds. */
interface LockUse {
  readonly lock: string;
  readonly cases: number;
  /** Cases that hold it exclusively; `exclusive` is for how long in all. */
  readonly exclusiveCases: number;
  readonly exclusive: number;
  readonly freeAt: number;
}

/** Forecast of a run. Seconds. */
export interface Forecast {
  readonly booked: readonly BookedCase[];
  readonly notRun: readonly UnplannedCase[];
  readonly beyondBudget: readonly Case[];
  /** The shortest case beyond the budget, and the whole run without a budget; absent if all cases fit. */
  readonly needed?: { readonly shortest: number; readonly whole: number };
  /** End of the last case. */
  readonly longest: number;
  /** Lower bound for any order: the longest case, or the exclusive time per subscriber in a group of interchangeable ones. */
  readonly atLeast: number;
  /** Sum of all cases run in sequence. */
  readonly sum: number;
  /** Critical path: cases that each wait for the one before. */
  readonly path: readonly BookedCase[];
  readonly locks: readonly LockUse[];
  readonly verdicts: PlannedVerdicts;
  readonly manualTasks: readonly ManualTask[];
  readonly blocks: readonly WorkBlock[];
  /** Ids of cases that no beginning keeps within the hours; absent without hours. */
  readonly outside?: readonly string[];
  /** Phones that get a push, the busiest first. */
  readonly pushes: readonly PhonePushes[];
}

function lockUses(booked: readonly BookedCase[]): readonly LockUse[] {
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

interface ForecastOptions {
  readonly selected: SelectedSuites;
  readonly suites: Suites;
  readonly target: Target;
  readonly interface: RunnableInterface;
  /** Only cases that end within so many seconds are planned. */
  readonly budget?: { readonly seconds: number };
  readonly order?: CaseOrder;
  /** The run is taken to begin when they do. */
  readonly hours?: Hours;
}

/** Forecasts which cases would run, when and with which parties. Assumes an operator for manual tasks. */
export async function forecast(wanted: ForecastOptions): Promise<Forecast> {
  const { selected, suites, target } = wanted;
  const plan = planRun(selected, target, { interface: wanted.interface, all: suites.cases });
  const timed = timeCases(plan, wanted);
  const { budget, hours } = wanted;
  const way = {
    ofOne: casesOfOne(wanted),
    order: wanted.order,
    hours: hours && { hours, begins: hours.from },
  };
  const fitting = budget === undefined ? timed : await fitBudget(timed, { ...way, seconds: budget.seconds });
  const booked = await bookRun(startOrder(fitting, way), way);
  const manualTasks = listManualTasks(booked);
  const fit = new Set(fitting.map(({ index }) => index));
  const notRun = plan.filter((planned): planned is UnplannedCase => !isAssigned(planned));
  const beyond = timed.filter(({ index }) => !fit.has(index));
  const beyondBudget = beyond.map(({ planned }) => planned.case);
  const needed = {
    shortest: Math.min(...beyond.map(({ time }) => time.total)),
    whole: beyond.length === 0 ? 0 : bookedLength(await bookRun(startOrder(timed, way), way)),
  };
  return {
    booked,
    notRun,
    beyondBudget,
    longest: bookedLength(booked),
    atLeast: lowerBound(fitting, target),
    sum: booked.reduce((sum, { time }) => sum + time.total, 0),
    path: criticalPath(booked),
    locks: lockUses(booked),
    verdicts: planVerdicts({ booked, notRun, beyondBudget }, wanted),
    manualTasks,
    blocks: planBlocks(manualTasks),
    ...omitUndefined({
      outside: hours && casesOutside(booked, hours),
      needed: beyond.length === 0 ? undefined : needed,
    }),
    pushes: phonePushes(booked),
  };
}
