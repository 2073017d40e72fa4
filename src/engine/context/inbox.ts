import type { CallbackObservation, ResponseObservation } from '../../judge/observation.ts';
import type { CorrelationKeys } from '../../wire/receive/correlate.ts';
import type { CaseContext, Inbox, RequestInbox } from './case-context.ts';

export const createInbox = <D>(): Inbox<D> => ({ deliveries: [], taken: 0, listeners: new Set() });

/** Opens the inbox of a request that is about to be sent. */
export function openInbox(ctx: CaseContext, step: string, correlationKeys: CorrelationKeys): RequestInbox {
  let resolve: (response: ResponseObservation | undefined) => void = () => undefined;
  const answered = new Promise<ResponseObservation | undefined>((done) => {
    resolve = done;
  });
  const inbox: RequestInbox = {
    ...createInbox<CallbackObservation>(),
    ctx,
    step,
    response: undefined,
    answered,
    settle: (response) => {
      inbox.response = response;
      resolve(response);
    },
    correlationKeys,
  };
  ctx.state.inboxes.push(inbox);
  ctx.world.correlator.add(inbox, correlationKeys);
  return inbox;
}

/** Gives up the correlation keys of a case: what comes of its requests later is unsolicited. */
export function closeInboxes({ state, world }: CaseContext): void {
  for (const inbox of state.inboxes) world.correlator.forget(inbox, inbox.correlationKeys);
}

/** Adds a delivery and wakes what waits for it. */
export function deliver<D>(inbox: Inbox<D>, delivery: D): void {
  inbox.deliveries.push(delivery);
  for (const wake of Array.from(inbox.listeners)) wake();
}

/** The deliveries that were not taken before: all, or the first of them. */
export function takeDeliveries<D>(inbox: Inbox<D>, all: boolean): readonly D[] {
  const begin = inbox.taken;
  inbox.taken = all ? inbox.deliveries.length : Math.min(begin + 1, inbox.deliveries.length);
  return inbox.deliveries.slice(begin, inbox.taken);
}

/** Ends a wait with the next delivery to one of these. */
export const wakeOnDelivery =
  (inboxes: readonly Pick<Inbox, 'listeners'>[]) =>
  (wake: () => void): (() => void) => {
    for (const { listeners } of inboxes) listeners.add(wake);
    return () => {
      for (const { listeners } of inboxes) listeners.delete(wake);
    };
  };

/** Name of the inbox for what one SP hears about one subscriber. */
export const eventKey = (client: string, sub: string): string => `${client} ${sub}`;

/** Seconds after which a request that is still pending is no longer observed. */
export const longestWindow = 600;
/** Seconds for which a request is observed after its life is over, and after its result. */
export const windowAfterLife = 300;
export const windowAfterResult = 120;

/** Seconds of the life of a request, asked for or granted, for which it is observed. */
export const observedLife = (value: unknown): number =>
  typeof value === 'number' && value > 0 ? Math.min(value, longestWindow) : windowAfterLife;

/** Seconds: until when a request is observed, five minutes after its granted life or two minutes after its result. */
export function observedUntil({ response, deliveries }: RequestInbox): number {
  if (response === undefined) return 0;
  const last = deliveries.at(-1);
  if (last !== undefined) return last.receivedAt + windowAfterResult;
  const life =
    response.outcome === 'accepted' ? observedLife(response.granted) : observedLife(response.claims?.['expires_in']);
  return response.sentAt + life + windowAfterLife;
}

/** Milliseconds. §6: a carrier drops events like those it sent within 60 minutes, so the subscriber cools down. */
export const coolDownAfterEvents = 61 * 60 * 1000;
