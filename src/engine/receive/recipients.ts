import { overBudgetReason } from '../../wire/read/read-body.ts';
import type { EventObservation } from '../../judge/observation.ts';
import { type JsonObject, renderPlain, omitUndefined, readMember } from '../../lib/json.ts';
import type { ReceiverResponse } from '../../model/suite.ts';
import { effectiveLatency } from '../../model/declaration.ts';
import { type Client, defaultResponse } from '../../model/target.ts';
import { runInTimeline } from '../clock/timeline.ts';
import type { CaseContext, CaseWith, RunServices } from '../context/case-context.ts';
import type { RunState, StrayEvent } from '../context/run-state.ts';
import { deliverTo, eventKey, findEventKind } from '../context/inbox.ts';
import { observationContext, nextMessageId } from '../context/open-context.ts';
import { observeEvent, type ParsedDelivery, scriptedResponse, parseDelivery, recordDelivery } from './delivery.ts';
import {
  eventEndpointPath,
  findEventEndpoint,
  type InboundDelivery,
  isChallenge,
  isProbe,
  type Recipient,
  requestPath,
} from './inbound.ts';
import {
  findCanaryRecipient,
  findRequestRecipient,
  shownDestination,
  findDestination,
  judgeAfterCase,
  noteUnknownSender,
} from './request-recipient.ts';
import { maxUnsolicited } from '../../model/result.ts';
import type { Inbound } from '../../wire/receive/receiver.ts';
import { createRedactor } from '../../wire/record/redactor.ts';
import { afterSeconds } from '../../lib/time.ts';

/** Notes an unauthenticated delivery to an event endpoint: a missing event may be this one. */
function noteUnattributed(
  { name, eventUri }: Client,
  { through, services: { lock, state, timeline } }: InboundDelivery,
): void {
  if (through || eventUri === undefined || lock.kindOf(eventUri) !== undefined) return;
  state.around.events.set(name, timeline.now());
}

/** Registration that received an event, or the one in its audience if it arrived elsewhere. */
function findEventClient(
  parsed: ParsedDelivery,
  { audience }: EventObservation,
  services: RunServices,
): Client | undefined {
  const { clients } = services.target;
  const there = findEventEndpoint(parsed.inbound.target, services);
  return there ?? clients.find(({ clientId, eventUri }) => eventUri !== undefined && clientId === audience);
}

const lastRaisedTime = ({ state }: Pick<CaseContext, 'state'>): number => Math.max(0, ...state.eventsRaised.values());

type Listener = readonly [key: string, ctx: CaseContext];

/** Case that last raised events at this endpoint: an event about an unknown subject may be meant for it. */
function lastListener({ client, sub }: ReadEvent, { registry, target }: RunServices): Listener | undefined {
  if (target.subscribers.some(({ subs }) => subs[client.name] === sub)) return undefined;
  return [...registry.events]
    .filter(([key]) => key.startsWith(`${client.name} `))
    .toSorted(([, a], [, b]) => lastRaisedTime(b) - lastRaisedTime(a))[0];
}

/** Notes a stray event: the last of each kind, because others may come meanwhile. */
function noteStray(
  { client: { name }, event }: { readonly client: Pick<Client, 'name'>; readonly event: StrayEvent },
  services: RunServices,
): void {
  const { strayEvents } = services.state;
  const kind = event.set === undefined ? 'unread' : (findEventKind(event.set, services) ?? 'another');
  strayEvents.set(name, new Map(strayEvents.get(name)).set(kind, event));
}

/** Notes an event about a subscriber without a recent action of the run: it may be one about another subscriber with a wrong sub. */
function noteUnraised({ client, sub, set }: ReadEvent, services: RunServices): void {
  const { state, target, timeline, interface: certified } = services;
  const about = target.subscribers.find(({ subs }) => subs[client.name] === sub);
  const raised = about && state.lastRaised.get(about.name);
  const late = effectiveLatency(target).event + certified.timing.longestWatch;
  const isRecent = raised !== undefined && timeline.now() - raised <= late * 1000;
  if (about !== undefined && !isRecent)
    noteStray({ client, event: { at: timeline.now(), sub, ...omitUndefined({ set }) } }, services);
}

interface ReadEvent {
  readonly client: Client;
  readonly set: JsonObject | undefined;
  readonly sub: string;
  readonly jws: string | undefined;
}

/** Subject of an event: `sub`, or the subject identifier of RFC 9493 that stands in its place. */
const eventSubject = (set: JsonObject | undefined): string =>
  renderPlain(set?.['sub'] ?? readMember(set?.['sub_id'], 'sub') ?? readMember(set?.['sub_id'], 'id'));

function readEvent(parsed: ParsedDelivery, services: RunServices): ReadEvent | undefined {
  const event = observeEvent(parsed, { messages: services.interface.messages });
  const client = findEventClient(parsed, event, services);
  if (client === undefined) return undefined;
  const { set, jws } = event;
  return { client, set, sub: eventSubject(set), jws };
}

/**
 * Whether an event came through the lock, or a published key has signed it. Nothing else in it shows the carrier: results publish the
 * subscribers. No keys are read while no case awaits events.
 */
async function isAuthentic({ client, jws }: ReadEvent, { through, services }: InboundDelivery): Promise<boolean> {
  if (through) return true;
  const isAwaited = [...services.registry.events.keys()].some((key) => key.startsWith(`${client.name} `));
  // The run's time stands still while the keys are read: the event has arrived now.
  return isAwaited && runInTimeline(services.timeline, () => services.carrierKeys.signed(jws));
}

/** Finds the case for an event. */
function findListener(heard: ReadEvent, services: RunServices): Listener | undefined {
  const key = eventKey(heard.client.name, heard.sub);
  const holder = services.registry.events.get(key);
  return holder === undefined ? lastListener(heard, services) : [key, holder];
}

async function findEventRecipient(came: InboundDelivery): Promise<Recipient | undefined> {
  const { parsed, services } = came;
  const heard = readEvent(parsed, services);
  if (heard === undefined) return undefined;
  const { client, set, sub } = heard;
  const about = eventKey(client.name, sub);
  const registration = { client: client.name, endpoint: eventEndpointPath(client, services) };
  if (!(await isAuthentic(heard, came))) {
    noteUnattributed(client, came);
    return undefined;
  }
  noteUnraised(heard, services);
  const found = findListener(heard, services);
  if (found === undefined) return undefined;
  const [key, ctx] = found;
  return {
    ctx,
    step: 'events',
    respond: () => {
      const attempts = `${about} ${findEventKind(set, services) ?? 'another'}`;
      const given = ctx.state.eventsAnswered.get(attempts) ?? 0;
      ctx.state.eventsAnswered.set(attempts, given + 1);
      return scriptedResponse(ctx.case.eventReceiver ?? [], given, ctx.scope());
    },
    accept: (message) => {
      const delivery = observeEvent(parsed, { message, messages: services.interface.messages, registration });
      const isUnread = set === undefined;
      const isAstray = key !== about && !isUnread;
      ctx.services.invariants.onMessage('event', delivery, observationContext(ctx.as(client.name), { delivery }));
      const stray = {
        at: services.timeline.now(),
        case: ctx.case.id,
        message,
        ...omitUndefined({ sub: isUnread ? undefined : sub, set }),
      };
      if (isAstray || isUnread) noteStray({ client, event: stray }, services);
      if (isAstray) return;
      const inbox = ctx.state.events.get(key);
      if (inbox !== undefined) deliverTo(inbox, delivery);
    },
  };
}

/** Finds the case for a delivery: by its URI, its subscriber, or the request it answers. */
async function findRecipient(came: InboundDelivery): Promise<Recipient | undefined> {
  const canary = findCanaryRecipient(came);
  if (canary !== undefined) return canary;
  const isForRequest = shownDestination(came)?.inbox !== undefined;
  if (isProbe(came.parsed.inbound) && !isForRequest) return undefined;
  const event = isForRequest || isChallenge(came.parsed.inbound) ? undefined : await findEventRecipient(came);
  return event ?? findRequestRecipient(came);
}

/** Most unauthenticated deliveries answered in a second of real time; connections of the others are closed. */
const maxPerSecond = 1000;

/** Counts an unauthenticated delivery. Returns true above the limit: a sender that awaits no response could starve the run. */
function exceedsRate({ second }: RunState['around']): boolean {
  const now = performance.now();
  if (now - second.begun >= 1000) Object.assign(second, { begun: now, count: 0 });
  second.count += 1;
  return second.count > maxPerSecond;
}

function keepUnsolicited(came: InboundDelivery, begun: number): ReceiverResponse {
  const { parsed, through, services } = came;
  const { unsolicited, around } = services.state;
  judgeAfterCase(came);
  noteUnknownSender(came);
  if (!through) around.count += 1;
  if (!through && exceedsRate(around)) return { ...defaultResponse, reset: true };
  const kept = unsolicited.filter(({ stranger = false }) => stranger !== through);
  if (kept.length < maxUnsolicited) {
    const id = `unsolicited#${unsolicited.length + 1}`;
    const redactor = createRedactor(services.interface.secretMembers, services.secrets);
    const entry = { id, response: defaultResponse, messages: services.interface.messages };
    const recorded = {
      ...recordDelivery(entry, parsed, { recorder: services.recorder, redactor }),
      ...(through ? {} : { stranger: true as const }),
    };
    unsolicited.push(recorded);
    services.progress({ kind: 'message', message: recorded, took: performance.now() - begun });
  }
  return defaultResponse;
}

/** Waits before the response. A carrier that has closed the connection no longer counts the delivery among those under way. */
async function delayResponse(
  response: ReceiverResponse,
  { gone }: Pick<Inbound, 'gone'>,
  ctx: CaseWith<'now' | 'wait', 'state'>,
): Promise<ReceiverResponse> {
  if (response.delay === undefined) return response;
  const { state } = ctx.services;
  let isHeld = true;
  const letGo = (): void => {
    if (isHeld) state.held -= 1;
    isHeld = false;
  };
  state.held += 1;
  gone?.addEventListener('abort', letGo);
  try {
    await ctx.wait({ due: afterSeconds(ctx.now(), response.delay), for: 'our own delayed response' });
  } finally {
    letGo();
  }
  return response;
}

/** Messages that a case keeps. A later delivery gets its response and is lost, so that the case can no longer pass. */
const maxCaseMessages = 2000;

/** Notes a delivery that the script of a case refuses, until another comes to the endpoint. */
function noteRefused(path: string, { status, reset }: ReceiverResponse, { case: { id }, services }: CaseContext): void {
  const { refusedLast } = services.state;
  refusedLast.delete(path);
  if (reset === true || status >= 300)
    refusedLast.set(path, { case: id, answer: reset === true ? 'a reset' : `${status}` });
}

function takeDelivery(
  { ctx, step, accept, respond }: Recipient,
  { parsed, services }: InboundDelivery,
  begun: number,
): Promise<ReceiverResponse> {
  const response = respond();
  noteRefused(requestPath(parsed.inbound.target), response, ctx);
  if (ctx.state.messages.length >= maxCaseMessages) {
    ctx.state.incomplete = `more than ${maxCaseMessages} messages: deliveries were not kept, and not judged`;
    return Promise.resolve(response);
  }
  const id = nextMessageId(ctx, 'delivery');
  const entry = { id, response, step, messages: services.interface.messages };
  const attempt = omitUndefined({ attempt: ctx.attempt?.name });
  const recorded = {
    ...recordDelivery(entry, parsed, { recorder: services.recorder, redactor: ctx.redactor }),
    ...attempt,
  };
  ctx.state.messages.push(recorded);
  services.progress({ kind: 'message', id: ctx.case.id, message: recorded, took: performance.now() - begun });
  runInTimeline(services.timeline, async () => accept(id)).catch(services.onInternalError);
  return delayResponse(response, parsed.inbound, ctx);
}

/** Parses a delivery and finds its recipient; undefined if it is for no case. */
async function parseInbound(
  inbound: Inbound,
  services: RunServices,
): Promise<readonly [InboundDelivery, Recipient | undefined]> {
  const through = services.lock.isThrough(inbound);
  const { bodies } = services;
  const parsed = parseDelivery(inbound, through, bodies);
  const came = { parsed, through, services, ...findDestination(parsed, services) };
  const recipient = await findRecipient(came);
  if (recipient === undefined || came.parsed.isSkimmed !== true) return [came, recipient];
  const whole = { ...came, parsed: parseDelivery(inbound, true, bodies) };
  return [whole, await findRecipient(whole)];
}

/** Finds the case of a delivery, records and judges it, and responds as the case says. */
export async function onDelivery(inbound: Inbound, services: RunServices): Promise<ReceiverResponse> {
  services.state.deliveries += 1;
  const begun = performance.now();
  const [came, recipient] = await parseInbound(inbound, services);
  if (came.parsed.overBudget === true) {
    services.disturbances?.note(overBudgetReason);
    return defaultResponse;
  }
  if (recipient === undefined) return keepUnsolicited(came, begun);
  return runInTimeline(services.timeline, () => takeDelivery(recipient, came, begun));
}
