import type { ResponseObservation, CallbackObservation } from '../../judge/observation.ts';
import type { CorrelationKeys } from '../../wire/correlate.ts';
import type { CaseContext } from './case-context.ts';

/** The deliveries that answer one request object, and who waits for them. */
export interface Inbox {
  readonly ctx: CaseContext;
  readonly step: string;
  readonly deliveries: CallbackObservation[];
  /** Deliveries that an `await` has taken already. */
  taken: number;
  /** Known once the answer is in. */
  response: ResponseObservation | undefined;
  /** Resolves when the answer is in: callbacks that overtake it wait for it; undefined: there will be none. */
  readonly answered: Promise<ResponseObservation | undefined>;
  readonly abandon: () => void;
  readonly settle: (response: ResponseObservation) => void;
  readonly listeners: Set<() => void>;
  correlationKeys: CorrelationKeys;
}

export function createInbox(ctx: CaseContext, step: string, correlationKeys: CorrelationKeys): Inbox {
  let resolve: (response: ResponseObservation | undefined) => void = () => undefined;
  const answered = new Promise<ResponseObservation | undefined>((done) => {
    resolve = done;
  });
  const inbox: Inbox = {
    ctx,
    step,
    deliveries: [],
    taken: 0,
    response: undefined,
    answered,
    abandon: () => resolve(undefined),
    settle: (response) => {
      inbox.response = response;
      resolve(response);
    },
    listeners: new Set(),
    correlationKeys,
  };
  return inbox;
}

export function deliver(inbox: Inbox, callback: CallbackObservation): void {
  inbox.deliveries.push(callback);
  for (const wake of Array.from(inbox.listeners)) wake();
}
