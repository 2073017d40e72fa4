import { setTimeout as pause } from 'node:timers/promises';
import { floorMillis, inWholeUnits, type Millis } from '../../lib/time.ts';
import type { Clock, IdleRun } from './timeline.ts';
import { type InFlightWatch, watchInFlight, type ClockReading, type VirtualClockOptions } from './virtual-clock.ts';

/** Shortest advance, in milliseconds; less is waited for in real time, because the carrier's clock must never be set back. */
const minAdvance = 1000;

/** Milliseconds between checks whether everything still waits. */
const idlePollInterval = 10;

/** Grace for a carrier that cannot report deliveries in flight, or has something overdue, in milliseconds. */
const flowingGrace = 50;

interface FlowingState extends VirtualClockOptions {
  /** Carrier's time (`now`) at a moment of performance.now() (`at`). */
  anchor: { readonly now: number; readonly at: number };
  advancing: boolean;
  /** Overdue moment of the carrier that has had its grace already. */
  overdue: number | undefined;
  readonly watch: InFlightWatch;
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

/** Milliseconds until the carrier may be quiet; undefined if it is. */
function quietDelay(state: FlowingState, { inFlight, nextDue }: ClockReading): number | undefined {
  if (inFlight !== undefined && inFlight > state.held()) {
    state.watch.goOn(inFlight, state.held());
    return idlePollInterval;
  }
  state.watch.end();
  if (nextDue === null || nextDue > flowingNow(state) || state.overdue === nextDue) return undefined;
  // The carrier is about to do what is due.
  state.overdue = nextDue;
  return flowingGrace;
}

async function advanceCarrier(state: FlowingState, ours: Millis, stillIdle: () => boolean): Promise<void> {
  const reading = await readClock(state);
  const restless = quietDelay(state, reading) ?? (reading.inFlight === undefined ? flowingGrace : 0);
  if (restless > 0) await pause(restless);
  if (!stillIdle() || restless === idlePollInterval) return;
  const theirs = reading.nextDue ?? ours;
  const next = theirs > flowingNow(state) && theirs < ours ? theirs : ours;
  const to = inWholeUnits(next, state.client.unit);
  if (to - flowingNow(state) <= minAdvance) {
    await pause(idlePollInterval);
    return;
  }
  state.onAdvance(to);
  // Deliveries due until then may arrive before the carrier's response to the advance.
  synchronize(state, to);
  synchronize(state, (await state.client.advance(to)).now);
}

async function passTime(state: FlowingState, { next, wake, stillIdle }: IdleRun): Promise<void> {
  for (;;) {
    const ours = next();
    if (!stillIdle() || ours === undefined) return;
    const left = ours - flowingNow(state);
    if (left <= 0) {
      wake();
      return;
    }
    if (left <= minAdvance) await pause(Math.min(left, idlePollInterval));
    else await advanceCarrier(state, ours, stillIdle);
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

/** Clock of a carrier whose time flows by itself and can also be advanced; the run's clock follows it. */
export function createFlowingClock(options: VirtualClockOptions): Clock {
  const anchor = { now: options.start, at: performance.now() };
  const watch = watchInFlight(options.longestInFlight);
  const state: FlowingState = { ...options, anchor, advancing: false, overdue: undefined, watch };
  return {
    kind: 'virtual',
    now: () => flowingNow(state),
    schedule: (due, fire) => {
      let timer: NodeJS.Timeout;
      const arm = (): void => {
        const left = due - flowingNow(state);
        timer = setTimeout(left > 0 ? arm : fire, Math.min(Math.max(left, 0), maxTimer));
      };
      arm();
      return () => clearTimeout(timer);
    },
    idle: (idle) => {
      state.watch.end();
      if (!state.advancing) passIdleTime(state, idle).catch(options.onFailure);
    },
  };
}
