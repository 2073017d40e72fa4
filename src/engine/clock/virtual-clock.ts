import { setTimeout as pause, setImmediate as yieldOnce } from 'node:timers/promises';
import type { ClockWork } from './timeline.ts';

/** What a carrier whose clock can be driven tells of it. Milliseconds since the epoch. */
export interface ClockReading {
  readonly now: number;
  readonly nextDue: number | null;
  /** Deliveries it is sending just now; undefined where it cannot tell. */
  readonly inFlight: number | undefined;
}

export interface ClockClient {
  readonly read: () => Promise<ClockReading>;
  readonly advance: (to: number) => Promise<ClockReading>;
}

export interface VirtualClockOptions {
  readonly door: ClockClient;
  readonly start: number;
  /** Deliveries our receiver is holding back on purpose: they are in flight, yet nothing happens before we answer. */
  readonly held: () => number;
  readonly onAdvance: (to: number) => void;
  readonly onFailure: (cause: unknown) => void;
}

/** Milliseconds given to a carrier that cannot tell whether it is sending something. */
const grace = 50;

/** Discrete-event simulation: when everything waits, both clocks jump to the next due moment. */
export function createVirtualClock({ door, start, held, onAdvance, onFailure }: VirtualClockOptions): ClockWork {
  let now = start;
  let advancing = false;
  let overdueAt: number | undefined;

  const isQuiet = ({ inFlight }: ClockReading): boolean => inFlight !== undefined && inFlight <= held();

  /** Waits until nothing is under way at either side; undefined where something of ours woke up meanwhile. */
  async function settle(known: ClockReading | undefined, stillIdle: () => boolean): Promise<ClockReading | undefined> {
    let reading = known;
    for (;;) {
      if (!stillIdle()) return undefined;
      if (reading !== undefined && isQuiet(reading)) return reading;
      if (reading !== undefined && reading.inFlight === undefined) {
        await pause(grace);
        return stillIdle() ? reading : undefined;
      }
      await yieldOnce();
      if (!stillIdle()) return undefined;
      reading = await door.read();
    }
  }

  /** The carrier's next moment or ours. What is overdue there is asked for once, not for ever. */
  function nextMoment(ours: number, theirs: number | null): number {
    if (theirs === null) return ours;
    if (theirs > now) return Math.min(ours, theirs);
    return overdueAt === now ? ours : now;
  }

  async function advance(next: () => number | undefined, wake: () => void, stillIdle: () => boolean): Promise<void> {
    let reading: ClockReading | undefined;
    while (stillIdle()) {
      reading = await settle(reading, stillIdle);
      const ours = next();
      if (reading === undefined || ours === undefined) return;
      if (ours <= now) {
        wake();
        return;
      }
      const to = nextMoment(ours, reading.nextDue);
      if (to > now) onAdvance(to);
      overdueAt = to === now ? now : undefined;
      now = to;
      reading = await door.advance(to);
    }
  }

  return {
    kind: 'virtual',
    now: () => now,
    schedule: () => () => undefined,
    idle: (next, wake, stillIdle) => {
      // Something of ours happened: what is due at this moment may be due anew.
      overdueAt = undefined;
      if (advancing) return;
      advancing = true;
      const run = async (): Promise<void> => {
        do await advance(next, wake, stillIdle);
        while (stillIdle() && next() !== undefined);
        advancing = false;
      };
      run().catch(onFailure);
    },
  };
}
