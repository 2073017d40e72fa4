/** Clock of every time-out, window and Date header of the carrier, in milliseconds since the epoch. */
export interface CarrierClock {
  readonly kind: 'real' | 'virtual';
  now(): number;
  /** Runs `act` at the moment `at`; returns a function that cancels it. */
  schedule(at: number, act: () => void): () => void;
  nextDue(): number | null;
  /** Moves to `to` and runs everything due on the way; false for a real clock or a moment in the past. */
  moveTo(to: number): boolean;
  close(): void;
}

interface ScheduledAct {
  readonly at: number;
  readonly order: number;
  readonly act: () => void;
}

const isEarlier = (a: ScheduledAct, b: ScheduledAct): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);

/** List sorted by moment, then by order of scheduling. */
function dueList() {
  const list: ScheduledAct[] = [];
  let order = 0;
  return {
    add(at: number, act: () => void): ScheduledAct {
      const due = { at, order: order++, act };
      let low = 0;
      let high = list.length;
      while (low < high) {
        const middle = (low + high) >>> 1;
        const other = list[middle];
        if (other !== undefined && isEarlier(other, due)) low = middle + 1;
        else high = middle;
      }
      list.splice(low, 0, due);
      return due;
    },
    remove(due: ScheduledAct): void {
      const at = list.indexOf(due);
      if (at >= 0) list.splice(at, 1);
    },
    first: (): ScheduledAct | undefined => list[0],
    clear: (): void => void list.splice(0),
  };
}

/** Frozen at `startAt`; only moveTo moves it. */
export function virtualClock(startAt: number): CarrierClock {
  const dues = dueList();
  let now = startAt;
  return {
    kind: 'virtual',
    now: () => now,
    schedule(at, act) {
      const due = dues.add(at, act);
      return () => dues.remove(due);
    },
    nextDue: () => dues.first()?.at ?? null,
    moveTo(to) {
      if (to < now) return false;
      for (let due = dues.first(); due !== undefined && due.at <= to; due = dues.first()) {
        dues.remove(due);
        now = Math.max(now, due.at);
        due.act();
      }
      now = to;
      return true;
    },
    close: () => dues.clear(),
  };
}

export function realClock(): CarrierClock {
  const dues = dueList();
  const timers = new Set<NodeJS.Timeout>();
  return {
    kind: 'real',
    now: () => Date.now(),
    schedule(at, act) {
      const cancel = (): void => {
        clearTimeout(timer);
        timers.delete(timer);
        dues.remove(due);
      };
      const due = dues.add(at, act);
      const timer = setTimeout(
        () => {
          cancel();
          act();
        },
        Math.max(0, at - Date.now()),
      );
      timers.add(timer);
      return cancel;
    },
    nextDue: () => dues.first()?.at ?? null,
    moveTo: () => false,
    close() {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
      dues.clear();
    },
  };
}
