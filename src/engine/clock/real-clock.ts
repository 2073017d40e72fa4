import type { ClockWork } from './timeline.ts';

/** Node cannot wait longer in one go. */
const longestTimeout = 2 ** 31 - 1;

/** Wall time: waits are timers. */
export function createRealClock(): ClockWork {
  return {
    kind: 'real',
    now: () => Date.now(),
    schedule: (due, fire) => {
      let timer: NodeJS.Timeout;
      const arm = (): void => {
        const left = due - Date.now();
        timer = setTimeout(left > longestTimeout ? arm : fire, Math.min(Math.max(left, 0), longestTimeout));
      };
      arm();
      return () => clearTimeout(timer);
    },
    idle: () => undefined,
  };
}
