import { setTimeout as pause } from 'node:timers/promises';
import { floorMillis, inWholeUnits, type Millis, wholeMillis } from '../../lib/time.ts';
import type { Clock, IdleRun } from './timeline.ts';
import { blurOf, requireArrival, watchInFlight, type ClockReading, type VirtualClockOptions } from './virtual-clock.ts';

/** Shortest advance, in milliseconds; less is waited for in real time, because the carrier's clock must never be set back. */
const minAdvance = 1000;

/** Milliseconds between checks whether everything still waits, or the carrier is still at work. */
const idlePollInterval = 10;

/** Grace for a carrier that cannot report deliveries in flight, in milliseconds. */
const deliveryGrace = 50;

/** Real time, in milliseconds, that a carrier gets to begin what is due: longer than it looks for that, and than its unit. */
const overdueGrace = 5000;

/** Longest real time, in milliseconds, for which a wait that is due is held up by the carrier's work while the run goes on. */
const maxHoldUp = 1000;

interface FlowingState extends VirtualClockOptions {
  /** Carrier's time (`now`) at a moment of performance.now() (`at`). */
  anchor: { readonly now: number; readonly at: number };
  /** Blur of the last advance, until the run goes on at its end. */
  blur: number;
  advancing: boolean;
  /** Moment that the carrier is behind with, and since when, on performance.now(). */
  overdue: { readonly at: Millis; readonly since: number } | undefined;
}

const flowingNow = ({ anchor }: FlowingState): Millis => floorMillis(anchor.now + performance.now() - anchor.at);

/** Sets our clock to the carrier's, but never back, so that no moment occurs twice. */
function synchronize(state: FlowingState, now: number): void {
  state.anchor = { now: Math.max(now, flowingNow(state)), at: performance.now() };
}

async function readClock(state: FlowingState): Promise<ClockReading> {
  const reading = await state.client.read();
  synchronize(state, reading.now);
  return reading;
}

/** Whether the carrier has something due that it has not begun; not forever, because it may tell a moment that never ends. */
function isBehind(state: FlowingState, due: Millis | null): boolean {
  if (due === null || due > flowingNow(state)) return false;
  if (state.overdue?.at !== due) state.overdue = { at: due, since: performance.now() };
  return performance.now() - state.overdue.since < overdueGrace;
}

/** Reads the clock until the carrier is neither sending nor behind. Returns the last reading, or undefined if `goesOn` no longer holds. */
async function settle(state: FlowingState, goesOn: () => boolean): Promise<ClockReading | undefined> {
  const watch = watchInFlight(state.longestInFlight);
  let reading = await readClock(state);
  if (reading.inFlight === undefined) {
    await pause(deliveryGrace);
    reading = await readClock(state);
  }
  while (goesOn()) {
    const { inFlight = 0, nextDue } = reading;
    const isSending = inFlight > state.held();
    if (isSending) watch.goOn(inFlight, state.held());
    else watch.end();
    if (!isSending && !isBehind(state, nextDue)) return reading;
    await pause(idlePollInterval);
    reading = await readClock(state);
  }
  return undefined;
}

/** Moment in whole units at which the carrier has done what it tells for `due`, which a carrier in longer units may round down. */
function doneMoment(due: Millis, { client: { unit } }: FlowingState): Millis {
  const first = inWholeUnits(due, unit);
  return first === due && unit > 1 ? wholeMillis(due + unit) : first;
}

/** Advances to the next moment of the carrier or the run, and no further. */
async function advanceCarrier(state: FlowingState, ours: Millis, reading: ClockReading): Promise<void> {
  const { nextDue } = reading;
  const now = flowingNow(state);
  const own = inWholeUnits(ours, state.client.unit);
  const theirs = nextDue === null || nextDue <= now ? own : doneMoment(nextDue, state);
  const to = own < theirs ? own : theirs;
  if (to - now <= minAdvance) {
    await pause(Math.min(Math.max(to - now, 1), idlePollInterval));
    return;
  }
  state.onAdvance(to);
  state.blur = blurOf(now, to, reading);
  // Deliveries due until then may arrive before the carrier's response to the advance.
  synchronize(state, to);
  synchronize(state, (await state.client.advance(to)).now);
}

async function passTime(state: FlowingState, { next, wake, stillIdle }: IdleRun): Promise<void> {
  const begun = performance.now();
  while (stillIdle()) {
    const due = next();
    if (due === undefined) return;
    const left = due - flowingNow(state);
    if (left > 0 && left <= minAdvance) {
      await pause(Math.min(left, idlePollInterval));
      continue;
    }
    const reading = await settle(state, stillIdle);
    const ours = next();
    if (reading === undefined || ours === undefined) return;
    if (ours <= flowingNow(state)) {
      state.blur = 0;
      wake();
      return;
    }
    requireArrival(begun, state, ours - flowingNow(state));
    await advanceCarrier(state, ours, reading);
  }
}

async function passIdleTime(state: FlowingState, idle: IdleRun): Promise<void> {
  state.advancing = true;
  do await passTime(state, idle);
  while (idle.stillIdle() && idle.next() !== undefined);
  state.advancing = false;
}

/** Longest timer, in milliseconds; it is armed again until the moment is due. */
const maxTimer = 60_000;

/** Begins a wait that ends when its moment has come by itself, and the carrier has done what was due until then. */
function schedule(state: FlowingState, due: Millis, fire: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const end = async (): Promise<void> => {
    const begun = performance.now();
    await settle(state, () => !isOver && performance.now() - begun < maxHoldUp);
    if (!isOver) fire();
  };
  const arm = (): void => {
    const left = due - flowingNow(state);
    if (left > 0) timer = setTimeout(arm, Math.min(left, maxTimer));
    else end().catch(state.onFailure);
  };
  timer = setTimeout(arm, Math.min(Math.max(due - flowingNow(state), 0), maxTimer));
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** Clock of a carrier whose time flows by itself and can also be advanced; the run's clock follows it. */
export function createFlowingClock(options: VirtualClockOptions): Clock {
  const anchor = { now: options.start, at: performance.now() };
  const state: FlowingState = { ...options, anchor, blur: 0, advancing: false, overdue: undefined };
  return {
    kind: 'virtual',
    now: () => flowingNow(state),
    blur: () => state.blur,
    schedule: (due, fire) => schedule(state, due, fire),
    idle: (idle) => {
      if (!state.advancing) passIdleTime(state, idle).catch(options.onFailure);
    },
  };
}
