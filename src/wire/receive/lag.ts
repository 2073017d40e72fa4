import { setTimeout as pause } from 'node:timers/promises';

/** Measures the receiver's lag: a request that arrives while the process is busy is read, and stamped, late. */
export interface LagMeter {
  /** Milliseconds that a request read now may have lain unread. */
  readonly current: () => number;
  /** Highest lag so far, in milliseconds. */
  readonly worst: () => number;
  /** Resolves when the backlog has been read; at once if there is none. */
  readonly settle: () => Promise<void>;
  readonly close: () => void;
}

const lagInterval = 20;
/** Milliseconds. Accepting a connection and reading head and body each take an event loop turn, so a lag counts a little longer. */
const lagMemory = 250;
/** Milliseconds: timers are always a little late. */
const timerTolerance = 5;

/** Measures how late a timer fires. */
export function createLagMeter(): LagMeter {
  let last = performance.now();
  let late: readonly { readonly at: number; readonly by: number }[] = [];
  let most = 0;
  const behind = (now: number): number => Math.max(0, now - last - lagInterval - timerTolerance);
  const timer = setInterval(() => {
    const now = performance.now();
    const by = behind(now);
    late = late.filter(({ at }) => now - at < lagMemory);
    if (by > 0) late = [...late, { at: now, by }];
    most = Math.max(most, by);
    last = now;
  }, lagInterval);
  timer.unref();
  const current = (): number => {
    const now = performance.now();
    return Math.max(behind(now), ...late.flatMap(({ at, by }) => (now - at < lagMemory ? [by] : [])));
  };
  return {
    current,
    worst: () => Math.max(most, behind(performance.now())),
    settle: async () => {
      if (current() > 0) await pause(lagMemory / 2);
    },
    close: () => clearInterval(timer),
  };
}
