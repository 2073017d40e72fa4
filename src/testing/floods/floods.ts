import { setMaxListeners } from 'node:events';
import { connectionFloods } from './connections.ts';
import { type FloodTarget, sendInLanes } from './lanes.ts';
import { requests } from './requests.ts';

const requestFloods = Object.entries(requests).map(
  ([name, request]) =>
    [name, (place: FloodTarget): Promise<void> => sendInLanes(place, (turn) => request(place, turn))] as const,
);

/** Kinds of traffic from senders that know none of the carrier's secrets. */
export const floods: Readonly<Record<string, (place: FloodTarget) => Promise<void>>> = {
  ...Object.fromEntries(requestFloods),
  ...connectionFloods,
};

/** A running flood. */
interface RunningFlood {
  /** Ends it; resolves with the number of requests or connections. */
  readonly stop: () => Promise<number>;
}

export function startFlood(name: string, where: Omit<FloodTarget, 'signal' | 'count'>): RunningFlood {
  const flood = floods[name];
  if (flood === undefined) throw new Error(`there is no flood ${name}`);
  const stopped = new AbortController();
  // Every connection listens to the signal.
  setMaxListeners(0, stopped.signal);
  let sent = 0;
  const ended = flood({
    ...where,
    signal: stopped.signal,
    count: () => {
      sent += 1;
    },
  });
  return {
    stop: async () => {
      stopped.abort();
      await ended;
      return sent;
    },
  };
}
