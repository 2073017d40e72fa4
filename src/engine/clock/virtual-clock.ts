import { setTimeout as pause, setImmediate as yieldOnce } from 'node:timers/promises';
import type { Clock, IdleRun } from './timeline.ts';
import { CarrierspecError } from '../../model/problem.ts';

/** Longest time, in real milliseconds, for which a carrier may be sending while the run waits: a connection fails earlier. */
const maxInFlight = 150_000;

/** Longest real time, in milliseconds, for the way to the next moment of the run, while only the carrier's moments pass. */
const maxAdvancing = 600_000;

/** Measures how long a carrier has been sending while nothing else happened. */
export interface InFlightWatch {
  /** Notes that nothing is in flight any more. */
  readonly end: () => void;
  /** Notes `inFlight` deliveries, `held` of them held back by the receiver. Throws CarrierspecError after too long. */
  readonly goOn: (inFlight: number, held: number) => void;
}

export function watchInFlight(longest: number = maxInFlight): InFlightWatch {
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

/** Reading of a carrier's settable clock. Milliseconds since the epoch. */
export interface ClockReading {
  readonly now: number;
  readonly nextDue: number | null;
  /** Deliveries that the carrier is sending now; undefined if it cannot tell. */
  readonly inFlight: number | undefined;
}

export interface ClockClient {
  readonly read: () => Promise<ClockReading>;
  readonly advance: (to: number) => Promise<ClockReading>;
}

export interface VirtualClockOptions {
  readonly client: ClockClient;
  readonly start: number;
  /** Deliveries that the receiver holds back on purpose: they are in flight, but nothing happens before their response. */
  readonly held: () => number;
  readonly onAdvance: (to: number) => void;
  readonly onFailure: (cause: unknown) => void;
  /** Limit of sending while everything waits, in real milliseconds; default: `maxInFlight`. */
  readonly longestInFlight?: number;
  /** Limit of the way to the next moment of the run, in real milliseconds; default: `maxAdvancing`. */
  readonly longestAdvancing?: number;
}

/** Grace for a carrier that cannot report deliveries in flight, in milliseconds. */
const deliveryGrace = 50;

interface VirtualState extends VirtualClockOptions {
  now: number;
  advancing: boolean;
  /** Moment at which the carrier was already asked for what is overdue. */
  overdueAt: number | undefined;
}

const isCarrierQuiet = ({ held }: VirtualState, { inFlight }: ClockReading): boolean =>
  inFlight !== undefined && inFlight <= held();

/** Waits until nothing happens on either side; returns undefined if part of the run woke up meanwhile. */
async function settleDeliveries(
  state: VirtualState,
  known: ClockReading | undefined,
  stillIdle: () => boolean,
): Promise<ClockReading | undefined> {
  let reading = known;
  const watch = watchInFlight(state.longestInFlight);
  for (;;) {
    if (!stillIdle()) return undefined;
    if (reading !== undefined && isCarrierQuiet(state, reading)) return reading;
    if (reading !== undefined && reading.inFlight === undefined) {
      await pause(deliveryGrace);
      return stillIdle() ? reading : undefined;
    }
    if (reading?.inFlight !== undefined) watch.goOn(reading.inFlight, state.held());
    await yieldOnce();
    if (!stillIdle()) return undefined;
    reading = await state.client.read();
  }
}

/** Next moment of the carrier or the run. The carrier is asked once for what is overdue, not forever. */
function nextMoment({ now, overdueAt }: VirtualState, ours: number, theirs: number | null): number {
  if (theirs === null) return ours;
  if (theirs > now) return Math.min(ours, theirs);
  return overdueAt === now ? ours : now;
}

/** Throws CarrierspecError if the carrier has named one due moment after another for too long, and the run's own is still to come. */
function requireArrival(begun: number, { longestAdvancing = maxAdvancing }: VirtualState, left: number): void {
  if (performance.now() - begun < longestAdvancing) return;
  const message =
    `the carrier's clock cannot be advanced: for ${longestAdvancing / 1000} s of real time it has named one due moment (nextDue) ` +
    `after another, while nothing was sent or changed, and the next moment of the run is still ${left} ms away. ` +
    'Name a moment there only if something is sent or changes then';
  throw new CarrierspecError(message, { code: 'clock-unusable' });
}

async function advanceClocks(state: VirtualState, { next, wake, stillIdle }: IdleRun): Promise<void> {
  const begun = performance.now();
  let reading: ClockReading | undefined;
  while (stillIdle()) {
    reading = await settleDeliveries(state, reading, stillIdle);
    const ours = next();
    if (reading === undefined || ours === undefined) return;
    if (ours <= state.now) {
      wake();
      return;
    }
    requireArrival(begun, state, ours - state.now);
    const to = nextMoment(state, ours, reading.nextDue);
    if (to > state.now) state.onAdvance(to);
    state.overdueAt = to === state.now ? to : undefined;
    state.now = to;
    reading = await state.client.advance(to);
    // The carrier may count in whole seconds and be slightly ahead.
    state.now = Math.max(to, reading.now);
  }
}

async function advanceWhileIdle(state: VirtualState, idle: IdleRun): Promise<void> {
  state.advancing = true;
  do await advanceClocks(state, idle);
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
      // Part of the run acted, so something may be due at this moment again.
      state.overdueAt = undefined;
      if (!state.advancing) advanceWhileIdle(state, idle).catch(options.onFailure);
    },
  };
}
