import { type Hours, isWithin } from '../../lib/hours.ts';
import type { Subscriber } from '../../model/target.ts';
import type { PlannedAsk } from '../context/walk.ts';
import { personSeconds } from './planned-time.ts';
import { type BookedCase, bookedAsks } from './schedule.ts';

const phoneOf = ({ phone, name }: Subscriber): string => phone ?? name;

/** Manual task; `at` in seconds from the start of the run. */
export interface ManualTask extends PlannedAsk {
  readonly case: string;
  /** Phone number, or the subscriber's name. */
  readonly phone: string;
  readonly client: string;
}

/** Pushes to one phone at a conforming carrier. */
export interface PhonePushes {
  /** Phone number, or the subscriber's name. */
  readonly phone: string;
  readonly count: number;
  /** Most within ten minutes. */
  readonly most: number;
}

/** Seconds of a stretch in which pushes are counted. */
const pushStretch = 600;

export function phonePushes(booked: readonly BookedCase[]): readonly PhonePushes[] {
  const phones = new Map<string, { count: number; readonly stretches: Map<number, number> }>();
  for (const { planned, time, begins } of booked) {
    if (time.pushes === 0) continue;
    const phone = phoneOf(planned.assignment.subscriber);
    const before = phones.get(phone) ?? { count: 0, stretches: new Map<number, number>() };
    const stretch = Math.floor(begins / pushStretch);
    before.count += time.pushes;
    before.stretches.set(stretch, (before.stretches.get(stretch) ?? 0) + time.pushes);
    phones.set(phone, before);
  }
  return [...phones]
    .map(([phone, { count, stretches }]) => ({ phone, count, most: Math.max(...stretches.values()) }))
    .toSorted((one, other) => other.count - one.count);
}

/** Manual tasks of all cases, by time. */
export const listManualTasks = (booked: readonly BookedCase[]): readonly ManualTask[] =>
  bookedAsks(booked).map(({ planned: { assignment }, ...ask }) => ({
    ...ask,
    phone: phoneOf(assignment.subscriber),
    client: assignment.client.clientId,
  }));

/** Shortest gap between manual tasks that counts as a pause, in seconds. */
const minPause = 300;

/** Manual tasks without a pause between them. Seconds from the start of the run. */
export interface WorkBlock {
  readonly from: number;
  /** End of the last task. */
  readonly to: number;
  /** Time since the end of the block before; of the first one, since the start. */
  readonly pause: number;
  readonly tasks: readonly ManualTask[];
  /** Most tasks at the same time: each takes a person of its own. */
  readonly people: number;
}

function mostAtOnce(tasks: readonly ManualTask[]): number {
  const under = ({ at }: ManualTask): number =>
    tasks.filter((other) => other.at <= at && at < other.at + personSeconds).length;
  return Math.max(0, ...tasks.map(under));
}

/** Splits manual tasks, in order, at pauses. */
export function planBlocks(manualTasks: readonly ManualTask[]): readonly WorkBlock[] {
  const stretches: ManualTask[][] = [];
  for (const manualTask of manualTasks) {
    const last = stretches.at(-1);
    if (last === undefined || manualTask.at - (last.at(-1)?.at ?? 0) > minPause) stretches.push([manualTask]);
    else last.push(manualTask);
  }
  const begin = (tasks: readonly ManualTask[]): number => tasks[0]?.at ?? 0;
  const end = (tasks: readonly ManualTask[] = []): number => {
    const last = tasks.at(-1);
    return last === undefined ? 0 : last.at + personSeconds;
  };
  return stretches.map((tasks, index) => ({
    from: begin(tasks),
    to: end(tasks),
    pause: begin(tasks) - end(stretches[index - 1]),
    tasks,
    people: mostAtOnce(tasks),
  }));
}

/** Cases too long to reach phones and people within the hours alone. */
export const casesOutside = (booked: readonly BookedCase[], hours: Hours): readonly string[] =>
  booked
    .filter(({ begins, time }) => time.reaches.some((at) => !isWithin(hours, hours.from + begins + at)))
    .map(({ planned }) => planned.case.id);
