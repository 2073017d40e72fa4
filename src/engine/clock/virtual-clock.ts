import { setTimeout as pause, setImmediate as yieldOnce } from 'node:timers/promises';
import type { Clock, IdleRun } from './timeline.ts';
import { inWholeUnits, latest, type Millis, wholeMillis } from '../../lib/time.ts';
import { CarrierspecError } from '../../model/problem.ts';

/** Longest time, in real milliseconds, for which a carrier may be sending while the run waits: a connection fails earlier. */
const maxInFlight = 150_000;

/** Longest real time, in milliseconds, for the way to the next moment of the run, while only the carrier's moments pass. */
const maxAdvancing = 600_000;

/** Measures how long a carrier has been sending while nothing else happened. */
interface InFlightWatch {
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

/** Reading of a carrier's settable clock. */
export interface ClockReading {
  /** Rounded down. */
  readonly now: Millis;
  /** First moment in whole units of the clock that is not before the carrier's time. */
  readonly least: Millis;
  /** Rounded up. */
  readonly nextDue: Millis | null;
  /** Deliveries that the carrier is sending now; undefined if it cannot tell. */
  readonly inFlight: number | undefined;
}

export interface ClockClient {
  /** Unit in which the clock is advanced. */
  readonly unit: Millis;
  readonly read: () => Promise<ClockReading>;
  /** Advances to a moment in whole units. Throws RangeError for any other. */
  readonly advance: (to: Millis) => Promise<ClockReading>;
}

export interface VirtualClockOptions {
  readonly client: ClockClient;
  readonly start: Millis;
  /** Deliveries that the receiver holds back on purpose: they are in flight, but nothing happens before their response. */
  readonly held: () => number;
  readonly onAdvance: (to: Millis) => void;
  readonly onFailure: (cause: unknown) => void;
  /** Limit of sending while everything waits, in real milliseconds; default: `maxInFlight`. */
  readonly longestInFlight?: number;
  /** Limit of the way to the next moment of the run, in real milliseconds; default: `maxAdvancing`. */
  readonly longestAdvancing?: number;
}

/** Grace for a carrier that cannot report deliveries in flight, in milliseconds. */
const deliveryGrace = 50;

/** Milliseconds between readings while the carrier is behind. */
const overduePoll = 10;

/** Milliseconds of an advance in which something may have been due that the carrier did not tell; 0 if it told the end. */
export const blurOf = (from: Millis, to: Millis, { nextDue }: ClockReading): number =>
  nextDue !== null && nextDue > from && nextDue <= to ? 0 : to - from;

interface VirtualState extends VirtualClockOptions {
  now: Millis;
  /** Blur of the last advance, until the run goes on at its end. */
  blur: number;
  advancing: boolean;
  /** Moment that the carrier is behind with, how often its clock was advanced for that, and since when, on performance.now(). */
  overdue: { readonly at: Millis; readonly asked: number; readonly since: number } | undefined;
  /** Overdue moment for which the run no longer waits. */
  ignored: Millis | undefined;
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
      if (!stillIdle()) return undefined;
      // A delivery meanwhile may have made something due.
      const after = await state.client.read();
      return stillIdle() ? after : undefined;
    }
    if (reading?.inFlight !== undefined) watch.goOn(reading.inFlight, state.held());
    if (reading !== undefined) state.overdue = undefined;
    await yieldOnce();
    if (!stillIdle()) return undefined;
    reading = await state.client.read();
  }
}

/** Real time, in milliseconds, that a carrier gets to begin what is due; after that the run goes on without it. */
const overdueGrace = 250;

/** Moment to advance to for what is overdue, `wait` until the carrier has begun it, or undefined if the run does not wait any more. */
function overdueMoment(state: VirtualState, due: Millis, least: Millis): Millis | 'wait' | undefined {
  const { client, overdue, ignored } = state;
  const { asked, since } = overdue?.at === due ? overdue : { asked: 0, since: performance.now() };
  state.overdue = { at: due, asked: asked + 1, since };
  if (asked === 0) return least;
  if (ignored === due) return undefined;
  // In a longer unit the carrier may round the moment down that it tells: then it is due within the next unit.
  if (asked === 1 && client.unit > 1) return wholeMillis(least + client.unit);
  if (performance.now() - since < overdueGrace) return 'wait';
  state.ignored = due;
  return undefined;
}

/** Next moment of the carrier or the run, in whole units of the clock, or `wait` for what the carrier is behind with. */
function nextMoment(state: VirtualState, ours: Millis, { nextDue, least }: ClockReading): Millis | 'wait' {
  const isOverdue = nextDue !== null && nextDue <= state.now;
  const theirs = (isOverdue ? overdueMoment(state, nextDue, least) : nextDue) ?? ours;
  if (theirs === 'wait') return theirs;
  return inWholeUnits(ours < theirs ? ours : theirs, state.client.unit);
}

/** Throws CarrierspecError if the carrier has named one due moment after another for too long, and the run's own is still to come. */
export function requireArrival(
  begun: number,
  { longestAdvancing = maxAdvancing }: Pick<VirtualClockOptions, 'longestAdvancing'>,
  left: number,
): void {
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
      state.blur = 0;
      wake();
      return;
    }
    requireArrival(begun, state, ours - state.now);
    const to = nextMoment(state, ours, reading);
    if (to === 'wait') {
      await pause(overduePoll);
      reading = await state.client.read();
      continue;
    }
    if (to > state.now) state.onAdvance(to);
    state.blur = blurOf(state.now, to, reading);
    state.now = to;
    reading = await state.client.advance(to);
    // The carrier may be slightly ahead.
    state.now = latest(to, reading.now);
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
  const state: VirtualState = {
    ...options,
    now: options.start,
    blur: 0,
    advancing: false,
    overdue: undefined,
    ignored: undefined,
  };
  return {
    kind: 'virtual',
    now: () => state.now,
    blur: () => state.blur,
    schedule: () => () => undefined,
    idle: (idle) => {
      // Part of the run acted, so something may be due at this moment again.
      state.overdue = undefined;
      if (!state.advancing) advanceWhileIdle(state, idle).catch(options.onFailure);
    },
  };
}
