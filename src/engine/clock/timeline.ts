import { setMaxListeners } from 'node:events';
import { type Millis, wholeMillis } from '../../lib/time.ts';

export interface WaitLabel {
  readonly case: string;
  readonly for: string;
}

export interface Wait {
  /** Moment on the run's clock; without it only `arm` can end the wait. */
  readonly due?: Millis;
  readonly label: WaitLabel;
  /** Registers an early end of the wait. Returns the function that unregisters it. */
  readonly arm?: (wake: () => void) => () => void;
}

/** Clock of a run. When every activity waits, a virtual clock advances to the next due moment. */
export interface Timeline {
  readonly kind: 'real' | 'virtual';
  readonly now: () => Millis;
  /** Milliseconds by which a delivery that comes now may have been due earlier, because the carrier's clock was moved past it. */
  readonly blur: () => number;
  readonly enter: () => void;
  readonly leave: () => void;
  /** Returns true if woken, false at the due moment. Throws Interrupted when the run is stopped. */
  readonly wait: (wait: Wait) => Promise<boolean>;
  readonly waiting: () => readonly Pick<PendingWait, 'due' | 'label' | 'fixed'>[];
  /** Ends all present and future waits with Interrupted. */
  readonly interrupt: () => void;
  /** Aborts at the first interrupt, for activities that are neither waits nor exchanges. */
  readonly stopped: AbortSignal;
}

/** The run was stopped. Internal to the engine. */
export class Interrupted extends Error {
  constructor() {
    super('the run was interrupted');
    this.name = 'Interrupted';
  }
}

interface PendingWait {
  readonly due: Millis | undefined;
  readonly label: WaitLabel;
  /** Only its moment ends it. */
  readonly fixed: boolean;
  readonly end: (how: boolean | Interrupted) => void;
}

/** Access of a clock to a run in which everything waits. */
export interface IdleRun {
  /** Earliest due moment of the run. */
  readonly next: () => Millis | undefined;
  readonly wake: () => void;
  readonly stillIdle: () => boolean;
}

export interface Clock {
  readonly kind: 'real' | 'virtual';
  readonly now: () => Millis;
  /** Blur of a clock that is moved (see Timeline). */
  readonly blur?: () => number;
  /** Begins a wait. Returns the function to call if it ends early. */
  readonly schedule: (due: Millis, fire: () => void) => () => void;
  readonly idle: (idle: IdleRun) => void;
}

/** Longest timeout that Node supports, in milliseconds. */
const maxTimeout = 2 ** 31 - 1;

/** Creates a clock of monotonic time from the wall clock at the start: a jump of that clock moves no deadline. */
export function createRealClock(): Clock {
  const started = Date.now() - performance.now();
  const now = (): Millis => wholeMillis(Math.floor(started + performance.now()));
  return {
    kind: 'real',
    now,
    schedule: (due, fire) => {
      let timer: NodeJS.Timeout;
      const arm = (): void => {
        const left = due - now();
        timer = setTimeout(left > maxTimeout ? arm : fire, Math.min(Math.max(left, 0), maxTimeout));
      };
      arm();
      return () => clearTimeout(timer);
    },
    idle: () => undefined,
  };
}

interface TimelineState {
  readonly clock: Clock;
  readonly waits: Set<PendingWait>;
  readonly stop: AbortController;
  /** Number of activities that do not wait. */
  busy: number;
}

function earliestDue({ waits }: TimelineState): Millis | undefined {
  let earliest: Millis | undefined;
  for (const { due } of waits) if (due !== undefined && (earliest === undefined || due < earliest)) earliest = due;
  return earliest;
}

function endDue({ waits, clock }: TimelineState): void {
  const now = clock.now();
  for (const wait of Array.from(waits)) if (wait.due !== undefined && wait.due <= now) wait.end(false);
}

function leaveTimeline(state: TimelineState): void {
  state.busy -= 1;
  if (state.busy > 0 || state.waits.size === 0) return;
  state.clock.idle({
    next: () => earliestDue(state),
    wake: () => endDue(state),
    stillIdle: () => state.busy === 0 && !state.stop.signal.aborted,
  });
}

function beginWait(state: TimelineState, { due, label, arm }: Wait): Promise<boolean> {
  const { waits, clock, stop } = state;
  return new Promise((resolve, reject) => {
    if (stop.signal.aborted) {
      reject(new Interrupted());
      return;
    }
    let disarm: (() => void) | undefined;
    let unschedule: (() => void) | undefined;
    const pending: PendingWait = {
      due,
      label,
      fixed: arm === undefined,
      end: (how) => {
        if (!waits.delete(pending)) return;
        disarm?.();
        unschedule?.();
        state.busy += 1;
        if (how instanceof Interrupted) reject(how);
        else resolve(how);
      },
    };
    waits.add(pending);
    disarm = arm?.(() => pending.end(true));
    if (due !== undefined && waits.has(pending)) unschedule = clock.schedule(due, () => pending.end(false));
    leaveTimeline(state);
  });
}

export function createTimeline(clock: Clock): Timeline {
  const state: TimelineState = { clock, waits: new Set(), stop: new AbortController(), busy: 0 };
  // Each running program adds a listener, up to --jobs of them.
  setMaxListeners(0, state.stop.signal);
  return {
    kind: clock.kind,
    now: clock.now,
    blur: () => clock.blur?.() ?? 0,
    enter: () => {
      state.busy += 1;
    },
    leave: () => leaveTimeline(state),
    wait: (wait) => beginWait(state, wait),
    waiting: () => [...state.waits],
    interrupt: () => {
      state.stop.abort();
      for (const wait of Array.from(state.waits)) wait.end(new Interrupted());
    },
    stopped: state.stop.signal,
  };
}

export async function runInTimeline<T>(
  { enter, leave: end }: Pick<Timeline, 'enter' | 'leave'>,
  task: () => Promise<T>,
): Promise<T> {
  enter();
  try {
    return await task();
  } finally {
    end();
  }
}

/** Runs several activities concurrently. Waits for all, then throws the first error. */
export async function runConcurrently<T>(
  { enter, leave: end }: Pick<Timeline, 'enter' | 'leave'>,
  tasks: readonly (() => Promise<T>)[],
): Promise<readonly T[]> {
  let left = tasks.length;
  for (let other = 1; other < tasks.length; other += 1) enter();
  const ended = await Promise.allSettled(
    tasks.map(async (task) => {
      try {
        return await task();
      } finally {
        left -= 1;
        if (left > 0) end();
      }
    }),
  );
  return ended.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}
