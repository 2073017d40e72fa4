import type { EventObservation } from '../../judge/observation.ts';
import { type JsonObject, plainText } from '../../lib/json.ts';
import { defined } from '../../lib/optional.ts';
import type { CorrelationKeys } from '../../model/interface.ts';
import type { ReceiverResponse } from '../../model/suite.ts';
import type { Client } from '../../model/target.ts';
import { inTimeline } from '../clock/timeline.ts';
import type { CaseContext, World } from '../context/case-context.ts';
import { deliver, eventKey } from '../context/inbox.ts';
import { observationContext } from '../context/open-context.ts';
import { decisionsMade, historyOf } from '../context/request-history.ts';
import { resolveUri } from '../context/scope.ts';
import { observeCallback, observeEvent, type Parsed, responseFrom } from './delivery.ts';

/** The case that a delivery is for, and what becomes of it there. */
export interface Recipient {
  readonly ctx: CaseContext;
  /** The step it is recorded with. */
  readonly step: string;
  /** The next response of the case's script; called once. */
  readonly respond: () => ReceiverResponse;
  /** Judges the delivery by the invariants, and puts it into its inbox. */
  readonly accept: (message: string) => void | Promise<void>;
}

/** A delivery, and whether it came as only the carrier's come. */
export interface Came {
  readonly parsed: Parsed;
  readonly through: boolean;
  readonly world: World;
}

const pathOf = (target: string): string => target.replace(/[?#].*$/s, '');

function canaryOf(parsed: Parsed, { registry }: World): Recipient | undefined {
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
const telling = 16;

/** Something came to an event endpoint that may be the carrier's, and nothing shows it: what is missing there may be this. */
function noteUnattributed({ name, eventUri }: Client, { through, world: { lock, state, timeline } }: Came): void {
  if (through || eventUri === undefined || lock.kindOf(eventUri) !== undefined) return;
  state.around.events.set(name, timeline.now());
}

/** Path and query of a client's registered event endpoint. */
function endpointOf({ eventUri }: Client, { receiver }: World): string | undefined {
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

/** The case that holds the subscriber an event is about. */
function listenerAbout(client: Client, sub: string, { registry }: World): Listener | undefined {
  const key = eventKey(client.name, sub);
  const ctx = registry.events.get(key);
  return ctx === undefined ? undefined : [key, ctx];
}

/**
 * Where an event names no subscriber of the target, the case that waits at this endpoint for what it raised last. An event about
 * a subscriber whom no case holds came late, or was raised by something else: it is no case's.
 */
function listenerAt(client: Client, sub: string, { registry, target }: World): Listener | undefined {
  if (target.subscribers.some(({ subs }) => subs[client.name] === sub)) return undefined;
  const waiting = [...registry.events].filter(([other]) => other.startsWith(`${client.name} `));
  return waiting.toSorted(([, a], [, b]) => lastRaised(b) - lastRaised(a))[0];
}

/** The first kind that an event may be: the attempts of two events about one subscriber have a script each. */
const kindOf = (set: JsonObject | undefined, { interface: { eventKinds } }: World): string =>
  Object.keys(eventKinds).find((name) => eventKinds[name]?.(set)) ?? 'another';

/** An event as it is heard: where it came, and what it says. */
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

/**
 * The case that hears an event. One that names a subscriber whom anybody could name, or none, has to be shown to be the carrier's:
 * by the lock of the receiver, or by its signature.
 */
async function findListener({ client, sub, jws }: HeardEvent, { through, world }: Came): Promise<Listener | undefined> {
  const about = listenerAbout(client, sub, world);
  // Who has seen a result of an earlier run knows the subscribers.
  const isLocked = world.lock.kindOf(client.eventUri ?? '') !== undefined;
  if (about !== undefined && (through || (!isLocked && sub.length >= telling))) return about;
  const found = about ?? listenerAt(client, sub, world);
  if (found === undefined) return undefined;
  if (through) return found;
  // While the keys are read the clock stands: the event has come now.
  return (await inTimeline(world.timeline, () => world.carrierKeys.signed(jws))) ? found : undefined;
}

async function eventOf(came: Came): Promise<Recipient | undefined> {
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
function telltale(keys: CorrelationKeys, { interface: { correlation }, isDrawn }: World): CorrelationKeys {
  const [id] = correlation.order;
  const tells = ([name, value]: readonly [string, string]): boolean =>
    name === id ? value.length >= telling : isDrawn(value);
  return Object.fromEntries(Object.entries(keys).filter(tells));
}

function callbackOf({ parsed, through, world }: Came): Recipient | undefined {
  const keys = world.interface.correlation.ofCallback(parsed.body, parsed.headers['authorization']);
  const inbox = world.correlator.find(through ? keys : telltale(keys, world));
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
export const recipientOf = async (came: Came): Promise<Recipient | undefined> =>
  canaryOf(came.parsed, came.world) ?? (await eventOf(came)) ?? callbackOf(came);
