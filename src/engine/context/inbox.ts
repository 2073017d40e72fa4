import type { CallbackObservation, ResponseObservation, RequestHistory } from '../../judge/observation.ts';
import type { CorrelationKeys, Interface } from '../../model/interface.ts';
import { observedLife } from './walk.ts';
import type { CarrierServices, CaseContext, CaseWith, Inbox, RequestInbox, RunServices } from './case-context.ts';
import { type JsonObject, readTextMember } from '../../lib/json.ts';
import { effectiveLatency } from '../../model/declaration.ts';
import type { Driver, Subscriber } from '../../model/target.ts';
import { resolveUri } from './scope.ts';

/** First kind that matches an event; undefined if none does. Events of different kinds about one subscriber have separate scripts. */
export const findEventKind = (
  set: JsonObject | undefined,
  { interface: { eventKinds } }: CarrierServices,
): string | undefined => Object.keys(eventKinds).find((name) => eventKinds[name]?.(set));

export const createInbox = <D>(): Inbox<D> => ({ deliveries: [], taken: new Set(), listeners: new Set() });

/** Opens the inbox of a request that is about to be sent; `uris` are those that it names. */
export function openInbox(
  ctx: CaseContext,
  step: string,
  correlationKeys: CorrelationKeys,
  uris: readonly string[] = [],
): RequestInbox {
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
  ctx.services.correlator.add(inbox, correlationKeys);
  // The canary of the case is awaited as such, also where a request names it.
  ctx.services.destinations.add(
    { ctx, inbox },
    uris.filter((uri) => uri !== ctx.canary.url),
  );
  return inbox;
}

/** Ids kept to see how the carrier makes them. */
const maxRequestIds = 32;

/** Records the response: from now on callbacks are also correlated by the id in it. */
export function settleInbox(inbox: RequestInbox, response: ResponseObservation): void {
  const { interface: certified, correlator, state } = inbox.ctx.services;
  const given = certified.correlation.ofResponse(response.body);
  const id = given[certified.correlation.order[0]];
  if (id !== undefined && state.requestIds.size < maxRequestIds) state.requestIds.add(id);
  correlator.answered(inbox, inbox.correlationKeys);
  inbox.correlationKeys = { ...inbox.correlationKeys, ...given };
  correlator.add(inbox, given);
  inbox.settle(response);
}

/** Releases the correlation keys and the canary of a case: later deliveries for it are unsolicited. */
export function closeInboxes({
  state,
  services,
  canary,
}: CaseWith<'canary' | 'state', 'correlator' | 'destinations'>): void {
  state.isOver = true;
  services.destinations.forget([canary.url]);
  for (const inbox of state.inboxes) services.correlator.forget(inbox, inbox.correlationKeys);
}

export function deliverTo<D>(inbox: Inbox<D>, delivery: D): void {
  inbox.deliveries.push(delivery);
  for (const wake of Array.from(inbox.listeners)) wake();
}

/** Wanted deliveries that no await has taken. */
export const untakenDeliveries = <D>(
  { deliveries, taken }: Inbox<D>,
  isWanted: (delivery: D) => boolean,
): readonly D[] => deliveries.filter((delivery) => !taken.has(delivery) && isWanted(delivery));

/** Marks deliveries as taken: no later await gets them. */
export function markTaken<D>({ taken }: Inbox<D>, deliveries: readonly D[]): readonly D[] {
  for (const delivery of deliveries) taken.add(delivery);
  return deliveries;
}

/** Arms a wait to wake at the next delivery to one of these inboxes. */
export const armDeliveryWake =
  (inboxes: readonly Pick<Inbox, 'listeners'>[]) =>
  (wake: () => void): (() => void) => {
    for (const { listeners } of inboxes) listeners.add(wake);
    return () => {
      for (const { listeners } of inboxes) listeners.delete(wake);
    };
  };

export const eventKey = (client: string, sub: string): string => `${client} ${sub}`;

/** End of a request's observation, in seconds since the epoch: after its result, or after its granted life. */
export function observationEnd({ response, deliveries }: RequestInbox, { timing, messages }: Interface): number {
  if (response === undefined) return 0;
  const last = deliveries.at(-1);
  if (last !== undefined) return last.receivedAt + timing.watchAfterResult;
  const life = response.outcome === 'accepted' ? response.granted : messages.askedSeconds(response.claims);
  return response.sentAt + observedLife(life, timing) + timing.watchAfter;
}

/** Name of a request in the log of driver calls: the carrier's id, or else the message id of the exchange. */
export const requestLogName = (
  { body, message }: ResponseObservation,
  { interface: { requestId } }: CarrierServices,
): string => readTextMember(body, requestId) ?? message;

/** Subscriber of the target that a request names; undefined if it names none. */
export function findNamedSubscriber(
  { claims }: ResponseObservation,
  services: Pick<RunServices, 'interface' | 'target'>,
): Subscriber | undefined {
  const { subscriber: hint } = services.interface.messages.partiesOf(claims ?? {});
  if (hint === undefined) return undefined;
  return services.target.subscribers.find(({ subs, phone }) => phone === hint || Object.values(subs).includes(hint));
}

const isManualDriver = (driver: Driver | undefined): boolean => driver === undefined || driver.kind === 'ask';

/** Whether programs decide requests; a person at a phone may also act without a driver call. */
const decidesByProgram = ({ case: given, services: { target } }: CaseWith<'case', 'target'>): boolean =>
  given.alone !== true && !isManualDriver(target.drivers['approve']) && !isManualDriver(target.drivers['deny']);

/** Resolves when the driver calls about a request have ended: a callback may arrive before its driver is done. */
export async function awaitDecisions(ctx: CaseContext, sent: ResponseObservation): Promise<void> {
  if (decidesByProgram(ctx)) await ctx.services.state.calls.settled(requestLogName(sent, ctx.services));
}

/** Seconds before the end of a request in which its time-out may be delivered. */
const timeoutSkew = 5;

/** Driver calls about a request. A delivery at its end does not show that a person acted, so their calls are left open (P22). */
function provenCalls(request: string, sent: ResponseObservation, ctx: CaseWith<'now', 'state'>) {
  const calls = ctx.services.state.calls.ofRequest(request);
  const isOver = sent.granted !== undefined && ctx.now() / 1000 >= sent.sentAt + sent.granted - timeoutSkew;
  if (!isOver || calls.every(({ attended }) => attended !== true)) return calls;
  return calls.map(({ done, ...call }) => (call.attended === true || done === undefined ? call : { ...call, done }));
}

/** Driver calls of the run about a request so far, with its subscriber and client. */
export function requestHistory({ ctx, deliveries }: RequestInbox, sent: ResponseObservation): RequestHistory {
  const { services } = ctx;
  const { target, state } = services;
  const { sp } = services.interface.messages.partiesOf(sent.claims ?? {});
  const request = requestLogName(sent, services);
  const subscriber = findNamedSubscriber(sent, services);
  const client = target.clients.find(({ name, clientId }) => name === sent.client && clientId === sp);
  const { wrongCertificate } = target.receiver;
  const registered =
    client === undefined ? [] : [...client.notificationUris, ...(wrongCertificate ? [wrongCertificate.uri] : [])];
  return {
    request,
    calls: provenCalls(request, sent, ctx),
    ofSubscriber: subscriber === undefined ? [] : state.calls.ofSubscriber(subscriber.name),
    ofClient: client === undefined ? [] : state.calls.ofClient(client.name),
    tags: subscriber?.tags ?? [],
    flags: client?.flags ?? {},
    // Path and query of each valid URL.
    registered: registered.flatMap((uri) => {
      const url = resolveUri(uri, services.receiver);
      return URL.canParse(url) ? [`${new URL(url).pathname}${new URL(url).search}`] : [];
    }),
    settles: effectiveLatency(target).consent,
    earlier: deliveries.length,
    isDriven: client !== undefined && decidesByProgram(ctx),
  };
}
