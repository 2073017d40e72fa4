import { setImmediate as yieldOnce, setTimeout as pause } from 'node:timers/promises';
import type { ClockWork } from './timeline.ts';

/** What a carrier whose clock can be driven tells of it. Milliseconds since the epoch. */
export interface ClockReading {
  readonly now: number;
  readonly nextDue: number | null;
  /** Deliveries it is sending just now; undefined where it cannot tell. */
  readonly inFlight: number | undefined;
}

export interface ClockDoor {
  readonly read: () => Promise<ClockReading>;
  readonly advance: (to: number) => Promise<ClockReading>;
}

export interface DrivenClockOptions {
  readonly door: ClockDoor;
  readonly start: number;
  /** Deliveries our receiver is holding back on purpose: they are in flight, yet nothing happens before we answer. */
  readonly held: () => number;
  readonly onJump: (to: number) => void;
  readonly onFailure: (cause: unknown) => void;
}

/** Milliseconds given to a carrier that cannot tell whether it is sending something. */
const grace = 50;

/** Discrete-event simulation: when everything waits, both clocks jump to the next due moment. */
export function createDrivenClock({ door, start, held, onJump, onFailure }: DrivenClockOptions): ClockWork {
  let now = start;
  let jumping = false;

  async function settle(stillIdle: () => boolean): Promise<ClockReading | undefined> {
    for (;;) {
      await yieldOnce();
      if (!stillIdle()) return undefined;
      const reading = await door.read();
      if (reading.inFlight === undefined) {
        await pause(grace);
        return stillIdle() ? reading : undefined;
      }
      if (reading.inFlight <= held()) return stillIdle() ? reading : undefined;
    }
  }

  async function jump(next: () => number | undefined, wake: () => void, stillIdle: () => boolean): Promise<void> {
    while (stillIdle()) {
      const reading = await settle(stillIdle);
      if (reading === undefined) return;
      const ours = next();
      if (ours === undefined) return;
      if (ours <= now) {
        wake();
        return;
      }
      const to = Math.min(ours, reading.nextDue ?? ours);
      if (to > now) {
        now = to;
        onJump(to);
      }
      await door.advance(Math.max(to, now));
    }
  }

  return {
    kind: 'driven',
    now: () => now,
    schedule: () => () => undefined,
    idle: (next, wake, stillIdle) => {
      if (jumping) return;
      jumping = true;
      const run = async (): Promise<void> => {
        do await jump(next, wake, stillIdle);
        while (stillIdle() && next() !== undefined);
        jumping = false;
      };
      run().catch(onFailure);
    },
  };
}
