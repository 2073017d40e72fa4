import { setMaxListeners } from 'node:events';
import { connections } from './connections.ts';
import { type Place, sendInLanes } from './lanes.ts';
import { requests } from './requests.ts';

const ofRequests = Object.entries(requests).map(
  ([name, request]) =>
    [name, (place: Place): Promise<void> => sendInLanes(place, (turn) => request(place, turn))] as const,
);

/** Kinds of traffic from senders that know none of the carrier's secrets. */
export const floods: Readonly<Record<string, (place: Place) => Promise<void>>> = {
  ...Object.fromEntries(ofRequests),
  ...connections,
};

/** A running flood. */
interface Flooding {
  /** Ends it; resolves with the number of requests or connections. */
  readonly stop: () => Promise<number>;
}

export function startFlood(name: string, where: Omit<Place, 'signal' | 'count'>): Flooding {
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
