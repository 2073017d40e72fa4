import type { CallbackObservation, ResponseObservation } from '../../judge/observation.ts';
import type { CorrelationKeys, Interface } from '../../model/interface.ts';
import { observedLife } from './walk.ts';
import type { CaseContext, Inbox, RequestInbox } from './case-context.ts';

export const createInbox = <D>(): Inbox<D> => ({ deliveries: [], taken: new Set(), listeners: new Set() });

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
    decided: false,
    correlationKeys,
  };
  ctx.state.inboxes.push(inbox);
  ctx.world.correlator.add(inbox, correlationKeys);
  return inbox;
}

/** The response is in: callbacks are found by the id in it from now on. */
export function settleInbox(inbox: RequestInbox, response: ResponseObservation): void {
  const { interface: certified, correlator } = inbox.ctx.world;
  const given = certified.correlation.ofResponse(response.body);
  inbox.correlationKeys = { ...inbox.correlationKeys, ...given };
  correlator.add(inbox, given);
  inbox.settle(response);
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

/** The deliveries that were not taken before, as far as they are wanted. */
export const untaken = <D>({ deliveries, taken }: Inbox<D>, isWanted: (delivery: D) => boolean): readonly D[] =>
  deliveries.filter((delivery) => !taken.has(delivery) && isWanted(delivery));

/** Takes deliveries: no later await gets them. */
export function take<D>({ taken }: Inbox<D>, deliveries: readonly D[]): readonly D[] {
  for (const delivery of deliveries) taken.add(delivery);
  return deliveries;
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

/** Seconds: until when a request is observed, after its granted life or after its result. */
export function observedUntil({ response, deliveries }: RequestInbox, { timing, messages }: Interface): number {
  if (response === undefined) return 0;
  const last = deliveries.at(-1);
  if (last !== undefined) return last.receivedAt + timing.watchAfterResult;
  const life = response.outcome === 'accepted' ? response.granted : messages.askedSeconds(response.claims);
  return response.sentAt + observedLife(life, timing) + timing.watchAfter;
}
