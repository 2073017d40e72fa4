import { groupBy } from '../../lib/lists.ts';

/** The moment at which a run is to begin, and the offset from UTC in which it was given, in minutes. */
export interface Start {
  readonly milliseconds: number;
  readonly offset: number;
}

/** Something that a person is asked to do. */
export interface PersonTask {
  /** Seconds from the beginning of the run. */
  readonly at: number;
  /** What the person is asked, a sentence without its full stop. */
  readonly prompt: string;
  /** Number of the phone, or the name of the subscriber. */
  readonly phone: string;
  /** The SP that asks. */
  readonly client: string;
  readonly case: string;
}

/** Who must be where when, in a run that begins at a moment. */
export interface PlanSheet {
  readonly target: string;
  readonly start: Start;
  /** Seconds. */
  readonly longest: number;
  /** In the order of time. */
  readonly tasks: readonly PersonTask[];
  /** What a reader must know before trusting a time, a sentence each. */
  readonly notes: readonly string[];
}

/** Tasks on one phone without a long break between them: somebody has to be there. */
export interface Appointment {
  readonly phone: string;
  /** Counts from 1 for each phone. */
  readonly number: number;
  readonly from: number;
  readonly to: number;
  readonly tasks: readonly PersonTask[];
}

/** Seconds between two tasks that make a break. */
const breakAfter = 300;

function stretchesOf(tasks: readonly PersonTask[]): readonly (readonly PersonTask[])[] {
  const stretches: PersonTask[][] = [];
  for (const task of tasks) {
    const last = stretches.at(-1);
    if (last === undefined || task.at - (last.at(-1)?.at ?? 0) > breakAfter) stretches.push([task]);
    else last.push(task);
  }
  return stretches;
}

/** The appointments of every phone, by phone in the order of the first task. */
export function appointmentsOf({ tasks }: PlanSheet): ReadonlyMap<string, readonly Appointment[]> {
  const phones = [...groupBy(tasks, ({ phone }) => phone)];
  return new Map(
    phones.map(([phone, own]) => [
      phone,
      stretchesOf(own).map((stretch, index) => ({
        phone,
        number: index + 1,
        from: stretch[0]?.at ?? 0,
        to: stretch.at(-1)?.at ?? 0,
        tasks: stretch,
      })),
    ]),
  );
}

const shiftOf = (start: Start, at: number): Date =>
  new Date(start.milliseconds + Math.round(at * 1000) + start.offset * 60_000);

/** `2026-12-01`, in the offset of the start. */
export const dayAt = (start: Start, at: number): string => shiftOf(start, at).toISOString().slice(0, 10);

/** `09:00:05`, in the offset of the start. */
export const timeAt = (start: Start, at: number): string => shiftOf(start, at).toISOString().slice(11, 19);

/** `UTC+01:00`. */
export function offsetText({ offset }: Start): string {
  if (offset === 0) return 'UTC';
  const two = (value: number): string => String(value).padStart(2, '0');
  const minutes = Math.abs(offset);
  return `UTC${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
