import type { JsonObject } from '../../lib/json.ts';
import type { Millis } from '../../lib/time.ts';
import type { Case } from '../../suite/suites.ts';
import type { DriverCallRecord } from '../../judge/observation.ts';
import type { Delivery } from '../../model/exchange.ts';
import type { CaseResult } from '../../model/result.ts';
import type { ProgressEvent } from '../../model/progress.ts';
import { type ActCount, createActCount } from './act-count.ts';

/** Notes the end of a call; undefined if the driver failed, so it may have acted or not. */
type EndCall = (done?: boolean) => void;

interface DriverCalls {
  /** Notes the start of a call about a subscriber of the target file. Returns the function that notes its end. */
  readonly begin: (call: DriverCallRecord, subscriber: string) => EndCall;
  /** Resolves when no call about the request is under way. */
  readonly settled: (request: string) => Promise<unknown>;
  readonly ofRequest: (request: string) => readonly DriverCallRecord[];
  readonly ofSubscriber: (name: string) => readonly DriverCallRecord[];
  readonly ofClient: (name: string) => readonly DriverCallRecord[];
}

function createCallIndex() {
  const lists = new Map<string, DriverCallRecord[]>();
  return {
    add: (key: string, call: DriverCallRecord): void => {
      const list = lists.get(key) ?? [];
      lists.set(key, list);
      list.push(call);
    },
    get: (key: string): readonly DriverCallRecord[] => lists.get(key) ?? [],
  };
}

function createDriverCalls(): DriverCalls {
  const [requests, subscribers, clients] = [createCallIndex(), createCallIndex(), createCallIndex()];
  const open = new Map<DriverCallRecord, Promise<void>>();
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

export interface Remnant {
  readonly about: 'change' | 'events' | 'request';
  readonly words: string;
}

/** An event that no case awaits by its subject, or that cannot be read. */
export interface StrayEvent {
  readonly at: Millis;
  /** Absent if it cannot be read; empty if there is none. */
  readonly sub?: string;
  /** Claims of its token; absent if it cannot be read. */
  readonly set?: JsonObject;
  /** Case that recorded it, and its message there; absent if none did. */
  readonly case?: string;
  readonly message?: string;
}

export interface RunState {
  exchanges: number;
  deliveries: number;
  /** Deliveries that the receiver currently holds back on purpose. */
  held: number;
  readonly unsolicited: Delivery[];
  /** Unauthenticated deliveries; `events` and `callbacks` have the time of the last one to such a URI of each client, in milliseconds. */
  readonly around: {
    count: number;
    readonly events: Map<string, number>;
    readonly callbacks: Map<string, number>;
    /** Count since a moment of performance.now(). */
    readonly second: { begun: number; count: number };
  };
  /** Last such event of each kind, by the name of the client, then by the kind. */
  readonly strayEvents: Map<string, ReadonlyMap<string, StrayEvent>>;
  /** Cases whose scripts refused the last delivery to an endpoint, by its path, with what was sent: a carrier may call there no more. */
  readonly refusedLast: Map<string, { readonly case: string; readonly answer: string }>;
  readonly left: Remnant[];
  /** Deadline for stopped cases to deny their requests, in milliseconds of performance.now(); set by the first. */
  denyUntil: number | undefined;
  /** Time of the last action on a subscriber, by both names; milliseconds. */
  readonly done: Map<string, Millis>;
  /** Endpoints whose published keys a case reads right now for the invariants: no other case reads them as well. */
  readonly readingKeys: Set<string>;
  /** Ids that the carrier gave to the first requests. */
  readonly requestIds: Set<string>;
  /** Names of the clients with an accepted request, and of those with an accepted plain request. */
  readonly acceptedFrom: Set<string>;
  readonly plainAcceptedFrom: Set<string>;
  /** Origins from which a response came. */
  readonly respondedFrom: Set<string>;
  /** Findings of invariants that are not reported before a plain request was accepted: its refusal may explain them. */
  readonly heldFindings: ProgressEvent[];
  /** Cases that triggered actions which may raise events of a subscriber, by its name. */
  readonly eventsRaised: Map<string, ReadonlySet<string>>;
  /** Time of the last of these actions, by the subscriber's name; milliseconds. */
  readonly lastRaised: Map<string, Millis>;
  /** Cases with an event about a subscriber that had no history in the run; by client and event kind, then by action. */
  readonly firstEvents: Map<string, ReadonlyMap<string, Case>>;
  /** Cases and steps, such as `device-reset event`, that awaited events in vain. */
  readonly eventsMissed: Set<string>;
  /** Results that our own machine left without a verdict; running the case again can give one. */
  readonly disturbed: WeakSet<CaseResult>;
  readonly calls: DriverCalls;
  readonly acts: ActCount;
}

export const newRunState = (): RunState => ({
  exchanges: 0,
  deliveries: 0,
  held: 0,
  unsolicited: [],
  around: { count: 0, events: new Map(), callbacks: new Map(), second: { begun: 0, count: 0 } },
  strayEvents: new Map(),
  refusedLast: new Map(),
  left: [],
  denyUntil: undefined,
  done: new Map(),
  readingKeys: new Set(),
  requestIds: new Set(),
  acceptedFrom: new Set(),
  plainAcceptedFrom: new Set(),
  respondedFrom: new Set(),
  heldFindings: [],
  eventsRaised: new Map(),
  lastRaised: new Map(),
  firstEvents: new Map(),
  eventsMissed: new Set(),
  disturbed: new WeakSet(),
  calls: createDriverCalls(),
  acts: createActCount(),
});
