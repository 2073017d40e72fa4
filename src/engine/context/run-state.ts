import type { Case } from '../../suite/suites.ts';
import type { DriverCall } from '../../judge/observation.ts';
import type { Delivery } from '../../model/exchange.ts';
import type { CaseResult } from '../../model/result.ts';

/** Notes the end of a call; undefined: the driver failed, and it is not known whether it was done. */
type EndCall = (done?: boolean) => void;

interface DriverCalls {
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

function createDriverCalls(): DriverCalls {
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

export interface LeftBehind {
  readonly about: 'change' | 'events' | 'request';
  readonly words: string;
}

export interface RunState {
  exchanges: number;
  deliveries: number;
  /** Deliveries that the receiver holds back on purpose at this moment. */
  held: number;
  readonly unsolicited: Delivery[];
  /** Deliveries that nothing shows to be the carrier's; by client, when the last one came to its event endpoint, milliseconds. */
  readonly around: {
    count: number;
    readonly events: Map<string, number>;
    /** How many came since a moment of performance.now(). */
    readonly second: { begun: number; count: number };
  };
  readonly left: LeftBehind[];
  /** Until when stopped cases deny their requests, of performance.now(); set by the first that is stopped. */
  denyUntil: number | undefined;
  /** When an action was last done to a subscriber, by both names; milliseconds. */
  readonly done: Map<string, number>;
  /** Names of the clients of which the carrier has accepted a request. */
  readonly acceptedFrom: Set<string>;
  /** The cases in which actions were triggered that may raise events of a subscriber, by its name. */
  readonly eventsRaised: Map<string, ReadonlySet<string>>;
  /** Cases in which an event came about a subscriber without history in the run; by client and kind of event, then by action. */
  readonly firstEvents: Map<string, ReadonlyMap<string, Case>>;
  /** Cases and steps, as `device-reset event`, that awaited events when none came. */
  readonly eventsMissed: Set<string>;
  /** Results without a verdict because of our own machine; running the case again can give one. */
  readonly disturbed: WeakSet<CaseResult>;
  readonly calls: DriverCalls;
}

export const newRunState = (): RunState => ({
  exchanges: 0,
  deliveries: 0,
  held: 0,
  unsolicited: [],
  around: { count: 0, events: new Map(), second: { begun: 0, count: 0 } },
  left: [],
  denyUntil: undefined,
  done: new Map(),
  acceptedFrom: new Set(),
  eventsRaised: new Map(),
  firstEvents: new Map(),
  eventsMissed: new Set(),
  disturbed: new WeakSet(),
  calls: createDriverCalls(),
});
