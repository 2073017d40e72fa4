/** What a parked activity waits for, shown while it waits. */
export interface WaitLabel {
  readonly case: string;
  readonly for: string;
}

export interface Wait {
  /** Milliseconds since the epoch on the run's clock; without it only `arm` can end the wait. */
  readonly due?: number;
  readonly label: WaitLabel;
  /** Registers what ends the wait early; returns how to take that back. */
  readonly arm?: (wake: () => void) => () => void;
}

/**
 * The one clock of a run. Whatever the run does is between `enter` and `leave`, or parked: when everything is parked, a
 * driven clock jumps to the next due moment, of ours or of the carrier's.
 */
export interface Timeline {
  readonly kind: 'real' | 'virtual';
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly enter: () => void;
  readonly leave: () => void;
  /** True: woken; false: the due moment came. Throws Interrupted when the run is stopped. */
  readonly park: (wait: Wait) => Promise<boolean>;
  readonly parked: () => readonly { readonly due: number | undefined; readonly label: WaitLabel }[];
  /** Ends every wait, now and later, by Interrupted. */
  readonly interrupt: () => void;
  /** Aborts with the first interrupt: for what is neither parked nor an exchange. */
  readonly stopped: AbortSignal;
}

/** The run was stopped: private control flow of the engine. */
export class Interrupted extends Error {
  constructor() {
    super('the run was interrupted');
    this.name = 'Interrupted';
  }
}

interface Parked {
  readonly due: number | undefined;
  readonly label: WaitLabel;
  readonly end: (how: boolean | Interrupted) => void;
}

/** How a kind of clock tells the time and gets from one due moment to the next. */
export interface ClockWork {
  readonly kind: 'real' | 'virtual';
  readonly now: () => number;
  /** A wait begins; returns what to do when it ends early. */
  readonly schedule: (due: number, fire: () => void) => () => void;
  /** Everything is parked; `wake` ends the waits that are due. */
  readonly idle: (next: () => number | undefined, wake: () => void, stillIdle: () => boolean) => void;
}

export function createTimeline(work: ClockWork): Timeline {
  const waiting = new Set<Parked>();
  let busy = 0;
  const stop = new AbortController();
  const { signal: stopped } = stop;

  const next = (): number | undefined => {
    let earliest: number | undefined;
    for (const { due } of waiting) if (due !== undefined && (earliest === undefined || due < earliest)) earliest = due;
    return earliest;
  };
  const wakeDue = (): void => {
    const now = work.now();
    for (const parked of Array.from(waiting)) if (parked.due !== undefined && parked.due <= now) parked.end(false);
  };
  const leave = (): void => {
    busy -= 1;
    if (busy === 0 && waiting.size > 0) work.idle(next, wakeDue, () => busy === 0 && !stopped.aborted);
  };

  const park = ({ due, label, arm }: Wait): Promise<boolean> =>
    new Promise((resolve, reject) => {
      if (stopped.aborted) {
        reject(new Interrupted());
        return;
      }
      let disarm: (() => void) | undefined;
      let unschedule: (() => void) | undefined;
      const parked: Parked = {
        due,
        label,
        end: (how) => {
          if (!waiting.delete(parked)) return;
          disarm?.();
          unschedule?.();
          busy += 1;
          if (how instanceof Interrupted) reject(how);
          else resolve(how);
        },
      };
      waiting.add(parked);
      disarm = arm?.(() => parked.end(true));
      if (due !== undefined && waiting.has(parked)) unschedule = work.schedule(due, () => parked.end(false));
      leave();
    });

  return {
    kind: work.kind,
    now: work.now,
    enter: () => {
      busy += 1;
    },
    leave,
    park,
    parked: () => [...waiting],
    interrupt: () => {
      stop.abort();
      for (const parked of Array.from(waiting)) parked.end(new Interrupted());
    },
    stopped,
  };
}
