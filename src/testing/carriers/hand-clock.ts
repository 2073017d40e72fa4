import { setImmediate as yieldOnce } from 'node:timers/promises';
import { ceilMillis, floorMillis, inWholeUnits, wholeMillis } from '../../lib/time.ts';
import type { ClockClient, ClockReading } from '../../engine/clock/virtual-clock.ts';

interface Due {
  readonly at: number;
  readonly deliver: () => Promise<void>;
}

/** A carrier reduced to a clock: it delivers what is due when its clock is moved. */
export interface HandClock {
  readonly client: ClockClient;
  readonly now: () => number;
  readonly schedule: (at: number, deliver: () => Promise<void>) => void;
  /** Every moment that the clock was moved to. */
  readonly moves: readonly number[];
  readonly reads: () => number;
}

export interface HandClockOptions {
  readonly start: number;
  /** Event loop turns that each operation takes; 0 responds at once. */
  readonly slow: () => number;
  /** False: it cannot report what it is sending. */
  readonly tellsInFlight?: boolean;
  /** Number of deliveries that never end. */
  readonly stuck?: number;
}

interface ToldTimes extends Pick<ClockReading, 'inFlight'> {
  readonly now: number;
  readonly nextDue: number | null;
}

/** Reading of a clock that counts milliseconds. */
export const readingOf = ({ now, nextDue, inFlight }: ToldTimes): ClockReading => ({
  now: floorMillis(now),
  least: inWholeUnits(ceilMillis(now), wholeMillis(1)),
  nextDue: nextDue === null ? null : ceilMillis(nextDue),
  inFlight,
});

export function createHandClock({ start, slow, tellsInFlight = true, stuck = 0 }: HandClockOptions): HandClock {
  let now = start;
  let dues: Due[] = [];
  let inFlight = stuck;
  let reads = 0;
  const moves: number[] = [];

  const hop = async (): Promise<void> => {
    for (let turns = slow(); turns > 0; turns -= 1) await yieldOnce();
  };
  const send = async ({ deliver }: Due): Promise<void> => {
    inFlight += 1;
    await hop();
    await deliver();
    await hop();
    inFlight -= 1;
  };
  const read = (): ClockReading =>
    readingOf({
      now,
      nextDue: dues.length === 0 ? null : Math.min(...dues.map(({ at }) => at)),
      inFlight: tellsInFlight ? inFlight : undefined,
    });

  return {
    now: () => now,
    moves,
    reads: () => reads,
    schedule: (at, deliver) => void dues.push({ at, deliver }),
    client: {
      unit: wholeMillis(1),
      read: async () => {
        reads += 1;
        await hop();
        return read();
      },
      advance: async (to) => {
        await hop();
        if (to < now) throw new Error(`the clock stands at ${now} and was asked to go back to ${to}`);
        now = to;
        moves.push(to);
        const due = dues.filter(({ at }) => at <= to).toSorted((a, b) => a.at - b.at);
        dues = dues.filter(({ at }) => at > to);
        for (const one of due) void send(one);
        const reading = read();
        await hop();
        return reading;
      },
    },
  };
}
