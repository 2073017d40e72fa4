import { setTimeout as pause, setImmediate as yieldOnce } from 'node:timers/promises';
import type { Clock, Idle } from './timeline.ts';
import { CarrierspecError } from '../../model/problem.ts';

/** Milliseconds of real time for which a carrier may be sending while everything of the run waits: longer than a connection takes to fail. */
const longestInFlight = 150_000;

/** Watches how long a carrier has been sending while nothing else happened. */
export interface InFlightWatch {
  /** The carrier has sent what it was sending. */
  readonly end: () => void;
  /** The carrier is still sending `inFlight` deliveries; the receiver holds back `held` of them. Throws CarrierspecError after too long. */
  readonly goOn: (inFlight: number, held: number) => void;
}

export function watchInFlight(longest: number = longestInFlight): InFlightWatch {
  let since: number | undefined;
  return {
    end: () => {
      since = undefined;
    },
    goOn: (inFlight, held) => {
      since ??= performance.now();
      if (performance.now() - since < longest) return;
      const message =
        `the carrier's clock cannot be advanced: for ${longest / 1000} s of real time it has said that deliveries are in flight ` +
        `(inFlight: ${inFlight}, expected: ${held}), while everything of the run waited for it. Count a delivery there only until ` +
        `its response has come or its connection has failed`;
      throw new CarrierspecError(message, { code: 'clock-unusable' });
    },
  };
}

/** What a carrier whose clock can be set tells of it. Milliseconds since the epoch. */
export interface ClockReading {
  readonly now: number;
  readonly nextDue: number | null;
  /** Deliveries that the carrier is sending at this moment; undefined where it cannot tell. */
  readonly inFlight: number | undefined;
}

export interface ClockClient {
  readonly read: () => Promise<ClockReading>;
  readonly advance: (to: number) => Promise<ClockReading>;
}

export interface VirtualClockOptions {
  readonly client: ClockClient;
  readonly start: number;
  /** Deliveries that the receiver holds back on purpose: they are in flight, yet nothing happens before their response. */
  readonly held: () => number;
  readonly onAdvance: (to: number) => void;
  readonly onFailure: (cause: unknown) => void;
  /** Milliseconds of real time for which the carrier may be sending while everything waits; default: `longestInFlight`. */
  readonly longestInFlight?: number;
}

/** Milliseconds given to a carrier that cannot tell whether it is sending something. */
const grace = 50;

interface VirtualState extends VirtualClockOptions {
  now: number;
  advancing: boolean;
  /** The moment at which the carrier was asked once for what is overdue there. */
  overdueAt: number | undefined;
}

const isQuiet = ({ held }: VirtualState, { inFlight }: ClockReading): boolean =>
  inFlight !== undefined && inFlight <= held();

/** Waits until nothing is under way at either side; undefined where something of the run woke up meanwhile. */
async function settle(
  state: VirtualState,
  known: ClockReading | undefined,
  stillIdle: () => boolean,
): Promise<ClockReading | undefined> {
  let reading = known;
  const watch = watchInFlight(state.longestInFlight);
  for (;;) {
    if (!stillIdle()) return undefined;
    if (reading !== undefined && isQuiet(state, reading)) return reading;
    if (reading !== undefined && reading.inFlight === undefined) {
      await pause(grace);
      return stillIdle() ? reading : undefined;
    }
    if (reading?.inFlight !== undefined) watch.goOn(reading.inFlight, state.held());
    await yieldOnce();
    if (!stillIdle()) return undefined;
    reading = await state.client.read();
  }
}

/** The next moment of the carrier or of the run. What is overdue at the carrier is asked for once, not for ever. */
function nextMoment({ now, overdueAt }: VirtualState, ours: number, theirs: number | null): number {
  if (theirs === null) return ours;
  if (theirs > now) return Math.min(ours, theirs);
  return overdueAt === now ? ours : now;
}

async function advance(state: VirtualState, { next, wake, stillIdle }: Idle): Promise<void> {
  let reading: ClockReading | undefined;
  while (stillIdle()) {
    reading = await settle(state, reading, stillIdle);
    const ours = next();
    if (reading === undefined || ours === undefined) return;
    if (ours <= state.now) {
      wake();
      return;
    }
    const to = nextMoment(state, ours, reading.nextDue);
    if (to > state.now) state.onAdvance(to);
    state.overdueAt = to === state.now ? to : undefined;
    state.now = to;
    reading = await state.client.advance(to);
    // It may count in whole seconds, and be a little further.
    state.now = Math.max(to, reading.now);
  }
}

async function advanceWhileIdle(state: VirtualState, idle: Idle): Promise<void> {
  state.advancing = true;
  do await advance(state, idle);
  while (idle.stillIdle() && idle.next() !== undefined);
  state.advancing = false;
}

/** Discrete-event simulation: when everything waits, both clocks advance to the next due moment. */
export function createVirtualClock(options: VirtualClockOptions): Clock {
  const state: VirtualState = { ...options, now: options.start, advancing: false, overdueAt: undefined };
  return {
    kind: 'virtual',
    now: () => state.now,
    schedule: () => () => undefined,
    idle: (idle) => {
      // Something of the run happened: what is due at this moment may be due anew.
      state.overdueAt = undefined;
      if (!state.advancing) advanceWhileIdle(state, idle).catch(options.onFailure);
    },
  };
}
