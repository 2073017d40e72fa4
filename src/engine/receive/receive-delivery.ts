import { type JsonObject, plainText } from '../../lib/json.ts';
import { defined } from '../../lib/optional.ts';
import type { ReceiverResponse } from '../../model/suite.ts';
import { defaultResponse, type Client } from '../../model/target.ts';
import type { Inbound } from '../../wire/receive/receive.ts';
import { createRedactor } from '../../wire/record/redact.ts';
import { inTimeline } from '../clock/timeline.ts';
import type { CaseContext, World } from '../context/case-context.ts';
import { nextMessageId, observationContext } from '../context/open-context.ts';
import { type Parsed, parseDelivery, record, observeCallback, observeEvent, responseFrom } from './delivery.ts';
import { deliver, eventKey } from '../context/inbox.ts';
import { resolveUri } from '../context/scope.ts';

/** The case that a delivery is for, and what becomes of it there. */
interface Recipient {
  readonly ctx: CaseContext;
  /** The step it is recorded with. */
  readonly step: string;
  /** The next response of the case's script; called once. */
  readonly respond: () => ReceiverResponse;
  /** Judges the delivery by the invariants, and puts it into its inbox. */
  readonly accept: (message: string) => void | Promise<void>;
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

/** Path and query of a client's registered event endpoint. */
function endpointOf({ eventUri }: Client, { receiver }: World): string | undefined {
  const url = eventUri === undefined ? undefined : resolveUri(eventUri, receiver);
  return url !== undefined && URL.canParse(url) ? `${new URL(url).pathname}${new URL(url).search}` : undefined;
}

/** The registration an event came to, or, where it came elsewhere, the one that it says it is for. */
function clientOf(parsed: Parsed, world: World): Client | undefined {
  const { clients } = world.target;
  const path = pathOf(parsed.inbound.target);
  const there = clients.find((client) => pathOf(endpointOf(client, world) ?? '') === path);
  if (there !== undefined) return there;
  const { audience } = observeEvent(parsed, { messages: world.interface.messages });
  return clients.find(({ clientId, eventUri }) => eventUri !== undefined && clientId === audience);
}

const lastRaised = ({ state }: CaseContext): number => Math.max(0, ...state.eventsRaised.values());

/**
 * The case that holds the subscriber an event is about. Where it names no subscriber of the target, the case that waits at
 * this endpoint for what it raised last. An event about a subscriber whom no case holds came late, or was raised by something
 * else: it is no case's.
 */
function listenerFor(client: Client, sub: string, { registry, target }: World): [string, CaseContext] | undefined {
  const key = eventKey(client.name, sub);
  const ctx = registry.events.get(key);
  if (ctx !== undefined) return [key, ctx];
  if (target.subscribers.some(({ subs }) => subs[client.name] === sub)) return undefined;
  const waiting = [...registry.events].filter(([other]) => other.startsWith(`${client.name} `));
  return waiting.toSorted(([, a], [, b]) => lastRaised(b) - lastRaised(a))[0];
}

/** The first kind that an event may be: the attempts of two events about one subscriber have a script each. */
const kindOf = (set: JsonObject | undefined, { interface: { eventKinds } }: World): string =>
  Object.keys(eventKinds).find((name) => eventKinds[name]?.(set)) ?? 'another';

function eventOf(parsed: Parsed, world: World): Recipient | undefined {
  const client = clientOf(parsed, world);
  if (client === undefined) return undefined;
  const registration = { client: client.name, endpoint: endpointOf(client, world) };
  const { set } = observeEvent(parsed, { messages: world.interface.messages });
  const found = listenerFor(client, plainText(set?.['sub']), world);
  if (found === undefined) return undefined;
  const [key, ctx] = found;
  return {
    ctx,
    step: 'events',
    respond: () => {
      const attempts = `${key} ${kindOf(set, world)}`;
      const given = ctx.state.eventsAnswered.get(attempts) ?? 0;
      ctx.state.eventsAnswered.set(attempts, given + 1);
      return responseFrom(ctx.case.eventReceiver ?? [], given, ctx.scope());
    },
    accept: (message) => {
      const delivery = observeEvent(parsed, { message, messages: world.interface.messages, registration });
      ctx.world.invariants.onMessage('event', delivery, observationContext(ctx.as(client.name), { delivery }));
      const inbox = ctx.state.events.get(key);
      if (inbox !== undefined) deliver(inbox, delivery);
    },
  };
}

function callbackOf(parsed: Parsed, world: World): Recipient | undefined {
  const inbox = world.correlator.find(
    world.interface.correlation.ofCallback(parsed.body, parsed.headers['authorization']),
  );
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
      const delivery = observeCallback(message, parsed, {
        sent,
        messages: world.interface.messages,
        ...defined({ ahead }),
      });
      ctx.world.invariants.onCallback(delivery, observationContext(ctx, { sent, response: sent, delivery }));
      deliver(inbox, delivery);
    },
  };
}

/** The case that a delivery is for: by its path, by the subscriber it is about, or by the request it answers. */
const recipientOf = (parsed: Parsed, world: World): Recipient | undefined =>
  canaryOf(parsed, world) ?? eventOf(parsed, world) ?? callbackOf(parsed, world);

/** Unsolicited deliveries that are kept in full. */
const mostUnsolicited = 100;

function keepUnsolicited(parsed: Parsed, world: World): ReceiverResponse {
  const { unsolicited } = world.state;
  if (unsolicited.length < mostUnsolicited) {
    const id = `unsolicited#${unsolicited.length + 1}`;
    unsolicited.push(
      record({ id, response: defaultResponse, messages: world.interface.messages }, parsed, {
        recorder: world.recorder,
        redactor: createRedactor(world.interface.secretMembers),
      }),
    );
  }
  return defaultResponse;
}

/** The response, after the time it is to take. */
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

/** What the receiver does with a delivery: finds its case, records and judges it, and responds as the case says. */
export const onDelivery = (inbound: Inbound, world: World): Promise<ReceiverResponse> =>
  inTimeline(world.timeline, async () => {
    world.state.deliveries += 1;
    const parsed = parseDelivery(inbound);
    const recipient = recipientOf(parsed, world);
    if (recipient === undefined) return keepUnsolicited(parsed, world);
    const { ctx, step, accept } = recipient;
    const response = recipient.respond();
    const id = nextMessageId(ctx, 'delivery');
    const entry = { id, response, step, messages: world.interface.messages };
    const attempt = defined({ attempt: ctx.attempt?.name });
    ctx.state.messages.push({
      ...record(entry, parsed, { recorder: world.recorder, redactor: ctx.redactor }),
      ...attempt,
    });
    inTimeline(world.timeline, async () => accept(id)).catch(world.onInternalError);
    return delayed(response, ctx);
  });
