import { setMaxListeners } from 'node:events';
import { connections } from './connections.ts';
import { type Place, sendInLanes } from './lanes.ts';
import { requests } from './requests.ts';

const ofRequests = Object.entries(requests).map(
  ([name, request]) =>
    [name, (place: Place): Promise<void> => sendInLanes(place, (turn) => request(place, turn))] as const,
);

/** Each is one kind of traffic by who is not the carrier and knows nothing of what it knows. */
export const floods: Readonly<Record<string, (place: Place) => Promise<void>>> = {
  ...Object.fromEntries(ofRequests),
  ...connections,
};

/** A flood under way. */
interface Flooding {
  /** Ends it; resolves with how many requests, or connections, there were. */
  readonly stop: () => Promise<number>;
}

export function startFlood(name: string, where: Omit<Place, 'signal' | 'count'>): Flooding {
  const flood = floods[name];
  if (flood === undefined) throw new Error(`there is no flood ${name}`);
  const stopped = new AbortController();
  // Each connection listens.
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
