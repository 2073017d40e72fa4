import type { EventObservation } from '../../judge/observation.ts';
import { type JsonObject, plainText, defined } from '../../lib/json.ts';
import type { CorrelationKeys } from '../../model/interface.ts';
import type { ReceiverResponse } from '../../model/suite.ts';
import { type Client, defaultResponse } from '../../model/target.ts';
import { inTimeline } from '../clock/timeline.ts';
import type { CaseContext, World, InboundServices, RunServices } from '../context/case-context.ts';
import type { RunState } from '../context/run-state.ts';
import { deliver, eventKey, decisionsMade, historyOf } from '../context/inbox.ts';
import { observationContext, nextMessageId } from '../context/open-context.ts';
import { resolveUri } from '../context/scope.ts';
import { observeCallback, observeEvent, type Parsed, responseFrom, parseDelivery, record } from './delivery.ts';
import type { Inbound } from '../../wire/receive/receive.ts';
import { createRedactor } from '../../wire/record/redact.ts';

interface Recipient {
  readonly ctx: CaseContext;
  readonly step: string;
  /** Next response of the case's script; called once. */
  readonly respond: () => ReceiverResponse;
  /** Judges the delivery by the invariants, and puts it into its inbox. */
  readonly accept: (message: string) => void | Promise<void>;
}

/** Delivery; `through` if it is authenticated by the receiver lock. */
interface InboundDelivery {
  readonly parsed: Parsed;
  readonly through: boolean;
  readonly world: World;
}

const pathOf = (target: string): string => target.replace(/[?#].*$/s, '');

function canaryOf(parsed: Parsed, { registry }: InboundServices): Recipient | undefined {
  const ctx = registry.canaries.get(pathOf(parsed.inbound.target));
  if (ctx === undefined) return undefined;
  return {
    ctx,
    step: 'canary',
    respond: () => ({ status: 200 }),
    accept: (message) =>
      deliver(ctx.canary.inbox, observeEvent(parsed, { message, messages: ctx.world.interface.messages })),
  };
}

/** Length from which an id that the carrier drew is unguessable, in characters. */
const unguessableLength = 16;

/** Notes an unauthenticated delivery to an event endpoint: a missing event may be this one. */
function noteUnattributed(
  { name, eventUri }: Client,
  { through, world: { lock, state, timeline } }: InboundDelivery,
): void {
  if (through || eventUri === undefined || lock.kindOf(eventUri) !== undefined) return;
  state.around.events.set(name, timeline.now());
}

/** Path and query of a client's registered event endpoint. */
function endpointOf({ eventUri }: Client, { receiver }: RunServices): string | undefined {
  const url = eventUri === undefined ? undefined : resolveUri(eventUri, receiver);
  return url !== undefined && URL.canParse(url) ? `${new URL(url).pathname}${new URL(url).search}` : undefined;
}

/** Registration that received an event, or the one in its audience if it arrived elsewhere. */
function clientOf(parsed: Parsed, { audience }: EventObservation, world: World): Client | undefined {
  const { clients } = world.target;
  const path = pathOf(parsed.inbound.target);
  const there = clients.find((client) => pathOf(endpointOf(client, world) ?? '') === path);
  return there ?? clients.find(({ clientId, eventUri }) => eventUri !== undefined && clientId === audience);
}

const lastRaised = ({ state }: CaseContext): number => Math.max(0, ...state.eventsRaised.values());

type Listener = readonly [key: string, ctx: CaseContext];

/** Case that waits at this endpoint for an event that names no subscriber of the target. */
function listenerAt(client: Client, sub: string, { registry, target }: World): Listener | undefined {
  if (target.subscribers.some(({ subs }) => subs[client.name] === sub)) return undefined;
  const waiting = [...registry.events].filter(([other]) => other.startsWith(`${client.name} `));
  return waiting.toSorted(([, a], [, b]) => lastRaised(b) - lastRaised(a))[0];
}

/** First kind that matches an event: the events of different kinds about one subscriber have separate scripts. */
const kindOf = (set: JsonObject | undefined, { interface: { eventKinds } }: RunServices): string =>
  Object.keys(eventKinds).find((name) => eventKinds[name]?.(set)) ?? 'another';

interface HeardEvent {
  readonly client: Client;
  readonly set: JsonObject | undefined;
  readonly sub: string;
  readonly jws: string | undefined;
}

function hearEvent(parsed: Parsed, world: World): HeardEvent | undefined {
  const event = observeEvent(parsed, { messages: world.interface.messages });
  const client = clientOf(parsed, event, world);
  if (client === undefined) return undefined;
  const { set, jws } = event;
  return { client, set, sub: plainText(set?.['sub']), jws };
}

/** Finds the case for an event. A guessable event needs the lock or a signature. */
async function findListener(
  { client, sub, jws }: HeardEvent,
  { through, world }: InboundDelivery,
): Promise<Listener | undefined> {
  const key = eventKey(client.name, sub);
  const holder = world.registry.events.get(key);
  const about: Listener | undefined = holder && [key, holder];
  // The result of an earlier run reveals the subscribers.
  const isLocked = world.lock.kindOf(client.eventUri ?? '') !== undefined;
  if (about !== undefined && (through || (!isLocked && sub.length >= unguessableLength))) return about;
  const found = about ?? listenerAt(client, sub, world);
  if (found === undefined) return undefined;
  if (through) return found;
  // The run's time stands still while the keys are read: the event has arrived now.
  return (await inTimeline(world.timeline, () => world.carrierKeys.signed(jws))) ? found : undefined;
}

async function eventOf(came: InboundDelivery): Promise<Recipient | undefined> {
  const { parsed, world } = came;
  const heard = hearEvent(parsed, world);
  if (heard === undefined) return undefined;
  const { client, set, sub } = heard;
  const about = eventKey(client.name, sub);
  const registration = { client: client.name, endpoint: endpointOf(client, world) };
  const found = await findListener(heard, came);
  if (found === undefined) {
    noteUnattributed(client, came);
    return undefined;
  }
  const [key, ctx] = found;
  return {
    ctx,
    step: 'events',
    respond: () => {
      const attempts = `${about} ${kindOf(set, world)}`;
      const given = ctx.state.eventsAnswered.get(attempts) ?? 0;
      ctx.state.eventsAnswered.set(attempts, given + 1);
      return responseFrom(ctx.case.eventReceiver ?? [], given, ctx.scope());
    },
    accept: (message) => {
      const seen = observeEvent(parsed, { message, messages: world.interface.messages, registration });
      const delivery = key === about || sub === '' ? seen : { ...seen, astray: true as const };
      ctx.world.invariants.onMessage('event', delivery, observationContext(ctx.as(client.name), { delivery }));
      const inbox = ctx.state.events.get(key);
      if (inbox !== undefined) deliver(inbox, delivery);
    },
  };
}

/** Keeps the unguessable keys: an id that the carrier drew, and values that this run drew. */
function unguessableKeys(keys: CorrelationKeys, { interface: { correlation }, isDrawn }: World): CorrelationKeys {
  const [id] = correlation.order;
  const tells = ([name, value]: readonly [string, string]): boolean =>
    name === id ? value.length >= unguessableLength : isDrawn(value);
  return Object.fromEntries(Object.entries(keys).filter(tells));
}

function callbackOf({ parsed, through, world }: InboundDelivery): Recipient | undefined {
  const keys = world.interface.correlation.ofCallback(parsed.body, parsed.headers['authorization']);
  const inbox = world.correlator.find(through ? keys : unguessableKeys(keys, world));
  if (inbox === undefined) return undefined;
  const { ctx, step } = inbox;
  return {
    ctx,
    step,
    respond: () => {
      ctx.state.responsesGiven += 1;
      return responseFrom(ctx.case.receiver, ctx.state.responsesGiven - 1, ctx.scope());
    },
    accept: async (message) => {
      // A callback may overtake the response to its request, which it is judged with.
      const overtakes = inbox.response === undefined;
      const arrived = performance.now();
      const sent = await inbox.answered;
      if (sent === undefined) return;
      const ahead = overtakes ? performance.now() - arrived : undefined;
      await decisionsMade(ctx, sent);
      const delivery = observeCallback(message, parsed, {
        sent,
        messages: world.interface.messages,
        history: historyOf(inbox, sent),
        ...defined({ ahead }),
      });
      ctx.world.invariants.onCallback(delivery, observationContext(ctx, { sent, response: sent, delivery }));
      deliver(inbox, delivery);
    },
  };
}

/** Finds the case for a delivery: by its path, its subscriber, or the request it answers. */
const recipientOf = async (came: InboundDelivery): Promise<Recipient | undefined> =>
  canaryOf(came.parsed, came.world) ?? (await eventOf(came)) ?? callbackOf(came);

/** Most unsolicited deliveries kept, of the authenticated and of the unauthenticated ones each. */
const mostUnsolicited = 100;

/** Most unauthenticated deliveries answered in a second of real time; connections of the others are closed. */
const mostInSecond = 1000;

/** Counts an unauthenticated delivery. Returns true above the limit: a sender that awaits no response could starve the run. */
function isOneTooMany({ second }: RunState['around']): boolean {
  const now = performance.now();
  if (now - second.begun >= 1000) Object.assign(second, { begun: now, count: 0 });
  second.count += 1;
  return second.count > mostInSecond;
}

function keepUnsolicited({ parsed, through, world }: InboundDelivery, begun: number): ReceiverResponse {
  const { unsolicited, around } = world.state;
  if (!through) around.count += 1;
  if (!through && isOneTooMany(around)) return { ...defaultResponse, reset: true };
  const kept = unsolicited.filter(({ stranger = false }) => stranger !== through);
  if (kept.length < mostUnsolicited) {
    const id = `unsolicited#${unsolicited.length + 1}`;
    const redactor = createRedactor(world.interface.secretMembers, world.secrets);
    const entry = { id, response: defaultResponse, messages: world.interface.messages };
    const recorded = {
      ...record(entry, parsed, { recorder: world.recorder, redactor }),
      ...(through ? {} : { stranger: true as const }),
    };
    unsolicited.push(recorded);
    world.progress({ kind: 'message', message: recorded, took: performance.now() - begun });
  }
  return defaultResponse;
}

async function delayed(response: ReceiverResponse, ctx: CaseContext): Promise<ReceiverResponse> {
  if (response.delay === undefined) return response;
  const { state } = ctx.world;
  state.held += 1;
  try {
    await ctx.wait({ due: ctx.now() + response.delay * 1000, for: 'our own delayed response' });
  } finally {
    state.held -= 1;
  }
  return response;
}

function take(
  { ctx, step, accept, respond }: Recipient,
  { parsed, world }: InboundDelivery,
  begun: number,
): Promise<ReceiverResponse> {
  const response = respond();
  const id = nextMessageId(ctx, 'delivery');
  const entry = { id, response, step, messages: world.interface.messages };
  const attempt = defined({ attempt: ctx.attempt?.name });
  const recorded = { ...record(entry, parsed, { recorder: world.recorder, redactor: ctx.redactor }), ...attempt };
  ctx.state.messages.push(recorded);
  world.progress({ kind: 'message', id: ctx.case.id, message: recorded, took: performance.now() - begun });
  inTimeline(world.timeline, async () => accept(id)).catch(world.onInternalError);
  return delayed(response, ctx);
}

/** Parses a delivery and finds its recipient; undefined if it is for no case. */
async function understand(inbound: Inbound, world: World): Promise<readonly [InboundDelivery, Recipient | undefined]> {
  const through = world.lock.isThrough(inbound);
  const { bodies } = world;
  const parsed = parseDelivery(inbound, through, bodies);
  const came = { parsed, through, world };
  const recipient = await recipientOf(came);
  if (recipient === undefined || came.parsed.isSkimmed !== true) return [came, recipient];
  const whole = { ...came, parsed: parseDelivery(inbound, true, bodies) };
  return [whole, await recipientOf(whole)];
}

/** Finds the case of a delivery, records and judges it, and responds as the case says. */
export async function onDelivery(inbound: Inbound, world: World): Promise<ReceiverResponse> {
  world.state.deliveries += 1;
  const begun = performance.now();
  const [came, recipient] = await understand(inbound, world);
  if (recipient === undefined) return keepUnsolicited(came, begun);
  return inTimeline(world.timeline, () => take(recipient, came, begun));
}
