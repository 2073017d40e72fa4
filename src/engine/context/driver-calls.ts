import type { DriverCall } from '../../judge/observation.ts';

/** Notes the end of a call; undefined: the driver failed, and it is not known whether it was done. */
type EndCall = (done?: boolean) => void;

/** The driver calls of a run. */
export interface DriverCalls {
  /** Notes a call that begins, about a subscriber of the target file; returns what notes its end. */
  readonly begin: (call: DriverCall, subscriber: string) => EndCall;
  /** Resolves when no call about the request is under way. */
  readonly settled: (request: string) => Promise<unknown>;
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
  const open = new Map<DriverCall, Promise<void>>();
  return {
    begin: (call, subscriber) => {
      if (call.request !== undefined) requests.add(call.request, call);
      subscribers.add(subscriber, call);
      clients.add(call.client, call);
      let end = (): void => undefined;
      open.set(call, new Promise((resolve) => (end = resolve)));
      return (done) => {
        if (done === undefined) delete call.done;
        else call.done = done;
        open.delete(call);
        end();
      };
    },
    settled: (request) => Promise.all(requests.get(request).flatMap((call) => open.get(call) ?? [])),
    ofRequest: requests.get,
    ofSubscriber: subscribers.get,
    ofClient: clients.get,
  };
}
