import type { CallbackObservation, ResponseObservation } from '../../judge/observation.ts';
import { omitUndefined } from '../../lib/json.ts';
import type { CorrelationKeys } from '../../model/interface.ts';
import type { Client } from '../../model/target.ts';
import type { Destination, RequestInbox, RunServices } from '../context/case-context.ts';
import { awaitDecisions, deliverTo, requestHistory } from '../context/inbox.ts';
import { observationContext } from '../context/open-context.ts';
import { resolveUri } from '../context/scope.ts';
import { observeCallback, observeEvent, type ParsedDelivery, scriptedResponse } from './delivery.ts';
import { findEventEndpoint, type InboundDelivery, type Recipient, requestPath } from './inbound.ts';
import { lockAdvice } from './lock.ts';

/** Whether only the carrier can have called the drawn URI: it came through the lock, or this URI cannot be guessed. */
function isAtSecretUri({ parsed: { inbound }, through, services }: InboundDelivery): boolean {
  const { target } = inbound;
  return through || services.isDrawn(target.toLowerCase()) || services.lock.kindOf(target) === 'segment';
}

/** Case or request that the URI of a delivery shows. */
export const shownDestination = (came: InboundDelivery): Destination | undefined =>
  came.destination !== undefined && !came.destination.ctx.state.isOver && isAtSecretUri(came)
    ? came.destination
    : undefined;

/** Recipient of a request to the canary of a case. */
export function findCanaryRecipient(came: InboundDelivery): Recipient | undefined {
  const { ctx, inbox } = shownDestination(came) ?? {};
  if (ctx === undefined || inbox !== undefined) return undefined;
  return {
    ctx,
    step: 'canary',
    respond: () => ({ status: 200 }),
    accept: (message) =>
      deliverTo(ctx.canary.inbox, observeEvent(came.parsed, { message, messages: ctx.services.interface.messages })),
  };
}

/** Whether a delivery may be an event: it is neither empty nor a callback. */
function mayBeEvent({ text, body }: ParsedDelivery, { messages }: RunServices['interface']): boolean {
  const { tokens, error } = messages.callbackKind(body);
  return messages.tokenIn('event', body) !== undefined || (text !== '' && !tokens && !error);
}

/**
 * Finds the case or request for which the run drew the URI of a delivery: the latest that is under way, if there are several. A request may
 * name the event endpoint of a client: what may be an event there, or comes when the case is over, is not attributed to it.
 */
export function findDestination(
  parsed: ParsedDelivery,
  services: RunServices,
): Pick<InboundDelivery, 'destination' | 'besides'> {
  const { inbound } = parsed;
  const all = services.destinations.find(inbound);
  const underWay = all.filter(({ ctx }) => !ctx.state.isOver);
  const found = underWay[0] ?? all[0];
  const isAnEvent =
    found?.inbox !== undefined &&
    findEventEndpoint(inbound.target, services) !== undefined &&
    (found.ctx.state.isOver || mayBeEvent(parsed, services.interface));
  if (found === undefined || isAnEvent) return { destination: undefined, besides: [] };
  return { destination: found, besides: underWay.map(({ ctx }) => ctx).filter((ctx) => ctx !== found.ctx) };
}

/** Notes a delivery at a URI that several cases under way have named: it may be for any, so the others run once more. */
function noteBesides({ besides, parsed }: InboundDelivery): void {
  const path = requestPath(parsed.inbound.target);
  for (const { state } of besides) {
    state.incomplete ??= `a delivery came to ${path}, which another case had named too`;
    state.again = true;
  }
}

/** Length from which an id that the carrier drew is unguessable, in characters. */
const unguessableLength = 16;

/** Places in which the ids of two requests differ, unless one can be counted up from the other. */
const minDifferentPlaces = 12;

/** Whether strangers cannot guess an id, even from the other ids of the run: results show those of earlier runs. */
function isUnguessableId(id: string, others: ReadonlySet<string>): boolean {
  const isApart = (other: string): boolean =>
    other === id || Array.from(id).filter((character, at) => character !== other[at]).length >= minDifferentPlaces;
  return id.length >= unguessableLength && [...others].every(isApart);
}

/** Keeps the unguessable keys: the id that the carrier drew, and values that this run drew. */
function unguessableKeys(
  keys: CorrelationKeys,
  { interface: { correlation }, isDrawn, state }: Pick<RunServices, 'interface' | 'isDrawn' | 'state'>,
): CorrelationKeys {
  const [id] = correlation.order;
  const tells = ([name, value]: readonly [string, string]): boolean =>
    name === id ? isUnguessableId(value, state.requestIds) : isDrawn(value);
  return Object.fromEntries(Object.entries(keys).filter(tells));
}

/** Notes an unauthenticated delivery to callback endpoints: a missing callback may be this one. */
function noteUnattributed({ parsed: { inbound }, through, services }: InboundDelivery): void {
  if (through || inbound.method !== 'POST') return;
  const { receiver, lock, state, timeline, target } = services;
  const isHere = (uri: string): boolean => {
    const url = resolveUri(uri, receiver);
    return lock.kindOf(uri) === undefined && URL.canParse(url) && new URL(url).pathname === requestPath(inbound.target);
  };
  const noted = ({ notificationUris }: Client): boolean => notificationUris.some(isHere);
  for (const { name } of target.clients.filter(noted)) state.around.callbacks.set(name, timeline.now());
}

/** Notes a delivery that nothing attributes. If the case named its URI, the case cannot pass any more. */
export function noteUnknownSender(came: InboundDelivery): void {
  const { destination, parsed } = came;
  noteUnattributed(came);
  if (destination === undefined || isAtSecretUri(came)) return;
  const path = requestPath(parsed.inbound.target);
  for (const { state } of [destination.ctx, ...came.besides])
    state.incomplete ??= `no delivery to ${path}, which the case named, could be attributed to the carrier, but one came: ${lockAdvice}`;
}

interface AnsweredInbox {
  readonly inbox: RequestInbox;
  readonly sent: ResponseObservation;
  /** The delivery itself names the request. */
  readonly isNamed: boolean;
  readonly ahead?: number | undefined;
}

function observeForRequest(
  message: string,
  { parsed, services, destination }: InboundDelivery,
  { inbox, sent, isNamed, ahead }: AnsweredInbox,
): CallbackObservation {
  const { messages } = services.interface;
  const isStray = destination?.inbox !== undefined && !(isNamed && sent.outcome === 'accepted');
  const stray = isStray ? (true as const) : undefined;
  const history = requestHistory(inbox, sent);
  return observeCallback(message, parsed, { sent, messages, history, ...omitUndefined({ ahead, stray }) });
}

/** Finds the request of a delivery by the values in it, else by the URI that this request named. */
export function findRequestRecipient(came: InboundDelivery): Recipient | undefined {
  const { parsed, through, services } = came;
  const keys = services.interface.correlation.ofCallback(parsed.body, parsed.headers['authorization']);
  const named = services.correlator.find(through ? keys : unguessableKeys(keys, services));
  const inbox = named ?? shownDestination(came)?.inbox;
  if (inbox === undefined) return undefined;
  if (named === undefined) noteBesides(came);
  const { ctx, step } = inbox;
  return {
    ctx,
    step,
    respond: () => {
      ctx.state.responsesGiven += 1;
      return scriptedResponse(ctx.case.receiver, ctx.state.responsesGiven - 1, ctx.scope());
    },
    accept: async (message) => {
      // A callback may overtake the response to its request, which it is judged with.
      const overtakes = inbox.response === undefined;
      const arrived = performance.now();
      const sent = await inbox.answered;
      if (sent === undefined) return;
      const ahead = overtakes ? performance.now() - arrived : undefined;
      await awaitDecisions(ctx, sent);
      const delivery = observeForRequest(message, came, { inbox, sent, isNamed: named !== undefined, ahead });
      ctx.services.invariants.onCallback(delivery, observationContext(ctx, { sent, response: sent, delivery }));
      deliverTo(inbox, delivery);
    },
  };
}

/** Judges a delivery at a URI that a case named which is over: what must not come may come late. */
export function judgeAfterCase(came: InboundDelivery): void {
  const { ctx, inbox } = came.destination ?? {};
  if (ctx === undefined || inbox?.response === undefined || !ctx.state.isOver || !isAtSecretUri(came)) return;
  // A control may be of a case that the run did not select.
  if (ctx.attempt?.name === 'control') return;
  const { response: sent } = inbox;
  const delivery = observeForRequest('', came, { inbox, sent, isNamed: false });
  came.services.invariants.onCallback(delivery, observationContext(ctx, { sent, response: sent, delivery }));
}
