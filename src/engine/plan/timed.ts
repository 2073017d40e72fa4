import { locksOf } from '../case/locks.ts';
import type { Want } from '../clock/wait-queue.ts';
import { type Planned, runs, type Runs } from './assign.ts';
import { type PlannedTime, type PlannedWorld, planTime } from './planned-time.ts';

/** A case that will run, with its planned time and its locks. */
export interface Timed {
  readonly planned: Runs;
  /** Place in the plan. */
  readonly index: number;
  readonly time: PlannedTime;
  readonly wants: readonly Want[];
}

/** What will run, and how long each takes. */
export function timeCases(plan: readonly Planned[], world: PlannedWorld): readonly Timed[] {
  return [...plan.entries()].flatMap(([index, planned]): Timed[] => {
    if (!runs(planned)) return [];
    const wants = locksOf(planned.case, planned.assignment, world.target);
    return [{ planned, index, time: planTime(planned.case, world), wants }];
  });
}
