import { type Hours, isWithin, untilHours } from '../../lib/hours.ts';
import { afterSeconds, type Millis } from '../../lib/time.ts';
import type { Timeline, WaitLabel } from './timeline.ts';

/** Seconds since midnight of the local day. */
export function localTimeOfDay(moment: Millis): number {
  const date = new Date(moment);
  return date.getHours() * 3600 + date.getMinutes() * 60 + date.getSeconds() + date.getMilliseconds() / 1000;
}

/** `Tuesday 09:00`, in the local time. */
const formatLocal = (moment: Millis): string =>
  new Date(moment).toLocaleString('en-GB', { weekday: 'long', hour: '2-digit', minute: '2-digit' });

interface HoursOptions {
  readonly timeline: Pick<Timeline, 'now' | 'wait'>;
  /** Seconds since midnight at a moment of the timeline. */
  readonly timeOfDay: (moment: Millis) => number;
  /** Told once in each pause. */
  readonly onPause?: (words: string) => void;
}

/** Hours in which cases may reach phones and people, at seconds after their beginning. */
export interface OpenHours {
  readonly allow: (reaches: readonly number[]) => boolean;
  /** Waits until the case may begin. Throws Interrupted. */
  readonly wait: (reaches: readonly number[], id: string) => Promise<void>;
}

export function createOpenHours(hours: Hours, { timeline, timeOfDay, onPause }: HoursOptions): OpenHours {
  let saidUntil = 0;
  const left = (reaches: readonly number[], now = timeline.now()): number => untilHours(hours, timeOfDay(now), reaches);
  const say = (now: Millis, due: Millis): void => {
    if (now < saidUntil || isWithin(hours, timeOfDay(now))) return;
    saidUntil = due;
    onPause?.(
      `outside the hours ${hours.text} no case begins that reaches a phone or a person: these wait until ${formatLocal(due)}`,
    );
  };
  return {
    allow: (reaches) => left(reaches) === 0,
    wait: async (reaches, id) => {
      const label: WaitLabel = { case: id, for: `the hours ${hours.text}` };
      for (;;) {
        const now = timeline.now();
        const seconds = left(reaches, now);
        if (seconds === 0) return;
        const due = afterSeconds(now, seconds);
        say(now, due);
        await timeline.wait({ due, label });
      }
    },
  };
}
