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
  /** The step it is recorded with. */
  readonly step: string;
  /** The next response of the case's script; called once. */
  readonly respond: () => ReceiverResponse;
  /** Judges the delivery by the invariants, and puts it into its inbox. */
  readonly accept: (message: string) => void | Promise<void>;
}

/** A delivery, and whether it came as only the carrier's come. */
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

/** Characters of an id that nobody guesses, where the carrier drew it. */
const unguessableLength = 16;

/** Something came to an event endpoint that may be the carrier's, and nothing shows it: what is missing there may be this. */
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

/** The registration an event came to, or, where it came elsewhere, the one that it says it is for. */
function clientOf(parsed: Parsed, { audience }: EventObservation, world: World): Client | undefined {
  const { clients } = world.target;
  const path = pathOf(parsed.inbound.target);
  const there = clients.find((client) => pathOf(endpointOf(client, world) ?? '') === path);
  return there ?? clients.find(({ clientId, eventUri }) => eventUri !== undefined && clientId === audience);
}

const lastRaised = ({ state }: CaseContext): number => Math.max(0, ...state.eventsRaised.values());

type Listener = readonly [key: string, ctx: CaseContext];

/** The case that waits at this endpoint, for an event that names no subscriber of the target. */
function listenerAt(client: Client, sub: string, { registry, target }: World): Listener | undefined {
  if (target.subscribers.some(({ subs }) => subs[client.name] === sub)) return undefined;
  const waiting = [...registry.events].filter(([other]) => other.startsWith(`${client.name} `));
  return waiting.toSorted(([, a], [, b]) => lastRaised(b) - lastRaised(a))[0];
}

/** The first kind that an event may be: the attempts of two events about one subscriber have a script each. */
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

/** The case that an event is for. An event that anybody could have made needs the lock or a signature. */
async function findListener(
  { client, sub, jws }: HeardEvent,
  { through, world }: InboundDelivery,
): Promise<Listener | undefined> {
  // The case that holds the subscriber the event is about.
  const key = eventKey(client.name, sub);
  const holder = world.registry.events.get(key);
  const about: Listener | undefined = holder && [key, holder];
  // Who has seen a result of an earlier run knows the subscribers.
  const isLocked = world.lock.kindOf(client.eventUri ?? '') !== undefined;
  if (about !== undefined && (through || (!isLocked && sub.length >= unguessableLength))) return about;
  const found = about ?? listenerAt(client, sub, world);
  if (found === undefined) return undefined;
  if (through) return found;
  // While the keys are read the clock stands: the event has come now.
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

/** What anybody could have guessed, or read in the suites, shows nothing: the carrier draws the id, and the run what is its own. */
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

/** The case that a delivery is for: by its path, by the subscriber it is about, or by the request it answers. */
const recipientOf = async (came: InboundDelivery): Promise<Recipient | undefined> =>
  canaryOf(came.parsed, came.world) ?? (await eventOf(came)) ?? callbackOf(came);

/** Unsolicited deliveries that are kept: of the carrier's, and of those that nothing shows to be the carrier's. */
const mostUnsolicited = 100;

/** Strangers in a second of wall time that are answered; the connections of others are closed. */
const mostInSecond = 1000;

/** Who waits for no answer would leave the run no time. */
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

/** Whose a delivery is, and what it is for; nothing where it is for no case. */
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
