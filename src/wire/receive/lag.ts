import { setTimeout as pause } from 'node:timers/promises';

/** How far behind our receiver is: what arrives while the process is busy is read, and stamped, when it no longer is. */
export interface LagMeter {
  /** Milliseconds that something read at this moment may have lain unread. */
  readonly current: () => number;
  /** The most there was, milliseconds. */
  readonly worst: () => number;
  /** Resolves when what arrived while we were behind has been read; at once where we are not. */
  readonly settle: () => Promise<void>;
  readonly close: () => void;
}

const interval = 20;
/** A connection is accepted, its head and its body are read in turns of the event loop of their own. */
const remembered = 250;
/** Timers are a little late all the time. */
const tolerance = 5;

/** Measures by a timer how late timers are. */
export function createLagMeter(): LagMeter {
  let last = performance.now();
  let late: readonly { readonly at: number; readonly by: number }[] = [];
  let most = 0;
  const behind = (now: number): number => Math.max(0, now - last - interval - tolerance);
  const timer = setInterval(() => {
    const now = performance.now();
    const by = behind(now);
    late = late.filter(({ at }) => now - at < remembered);
    if (by > 0) late = [...late, { at: now, by }];
    most = Math.max(most, by);
    last = now;
  }, interval);
  timer.unref();
  const current = (): number => {
    const now = performance.now();
    return Math.max(behind(now), ...late.flatMap(({ at, by }) => (now - at < remembered ? [by] : [])));
  };
  return {
    current,
    worst: () => Math.max(most, behind(performance.now())),
    settle: async () => {
      if (current() > 0) await pause(remembered / 2);
    },
    close: () => clearInterval(timer),
  };
}
