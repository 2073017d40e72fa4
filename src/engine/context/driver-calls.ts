import type { DriverCall } from '../../judge/observation.ts';

/** The driver calls of a run. */
export interface DriverCalls {
  /** Notes a call that begins, about a subscriber of the target file; the caller sets `done` when it is over. */
  readonly begin: (call: DriverCall, subscriber: string) => void;
  readonly ofRequest: (request: string) => readonly DriverCall[];
  readonly ofSubscriber: (name: string) => readonly DriverCall[];
  readonly ofClient: (name: string) => readonly DriverCall[];
}

function createIndex() {
  const lists = new Map<string, DriverCall[]>();
  return {
    add: (key: string, call: DriverCall): void => {
      const list = lists.get(key) ?? [];
      lists.set(key, list);
      list.push(call);
    },
    get: (key: string): readonly DriverCall[] => lists.get(key) ?? [],
  };
}

export function createDriverCalls(): DriverCalls {
  const [requests, subscribers, clients] = [createIndex(), createIndex(), createIndex()];
  return {
    begin: (call, subscriber) => {
      if (call.request !== undefined) requests.add(call.request, call);
      subscribers.add(subscriber, call);
      clients.add(call.client, call);
    },
    ofRequest: requests.get,
    ofSubscriber: subscribers.get,
    ofClient: clients.get,
  };
}
