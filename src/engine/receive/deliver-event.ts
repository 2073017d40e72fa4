import { audienceOf } from '../../judge/audience.ts';
import { decodeCompactJws } from '../../judge/compact-jws.ts';
import type { EventObservation } from '../../judge/observation.ts';
import { isJsonObject, plainText } from '../../model/json.ts';
import type { ReceiverResponse } from '../../model/suite.ts';
import type { Client } from '../../model/target.ts';
import { type CaseContext, nextMessageId } from '../context/case-context.ts';
import { mailboxKey, post } from '../context/mailbox.ts';
import { frameOf, type Parsed } from './parsed-delivery.ts';
import { responseFrom, record } from './record-delivery.ts';
import { createScope, resolveUri } from '../context/scope.ts';
import { observationContext } from '../context/sighting.ts';
import type { World } from '../context/world.ts';

const pathOf = (target: string): string => target.replace(/[?#].*$/s, '');

/** Path and query of a client's registered event endpoint (§4.8). */
function endpointOf({ eventUri }: Client, { receiver }: World): string | undefined {
  const url = eventUri === undefined ? undefined : resolveUri(eventUri, receiver);
  return url !== undefined && URL.canParse(url) ? `${new URL(url).pathname}${new URL(url).search}` : undefined;
}

/** The registration an event came to, or, where it came elsewhere, the one its SET says it is for. */
function clientOf({ inbound, body }: Parsed, world: World): Client | undefined {
  const { clients } = world.target;
  const path = pathOf(inbound.target);
  const there = clients.find((client) => pathOf(endpointOf(client, world) ?? '') === path);
  if (there !== undefined || !isJsonObject(body)) return there;
  const audience = audienceOf(decodeCompactJws(body['set'])?.claims ?? {});
  return clients.find(({ clientId, eventUri }) => eventUri !== undefined && clientId === audience);
}

function seenAs(message: string, parsed: Parsed, client: Client | undefined, world: World): EventObservation {
  const { body } = parsed;
  const jws = isJsonObject(body) ? body['set'] : undefined;
  const set = decodeCompactJws(jws);
  const endpoint = client === undefined ? undefined : endpointOf(client, world);
  const audience = audienceOf(set?.claims ?? {});
  return {
    kind: 'event',
    ...frameOf(message, parsed),
    ...(client === undefined ? {} : { client: client.name }),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(typeof jws === 'string' ? { jws } : {}),
    ...(set === undefined ? {} : { set: set.claims, setHeader: set.header }),
    ...(audience === undefined ? {} : { audience }),
  };
}

const lastRaised = ({ eventsRaised }: CaseContext): number => Math.max(0, ...eventsRaised.values());

/**
 * The case that holds the subscriber an event is about; where the SET names nobody we know, the one that waits at this endpoint
 * for what it raised last. An event about a subscriber whom no case holds is late news, or somebody else's doing: no case's business.
 */
function roomOf(
  client: Client,
  observation: EventObservation,
  { desk, target }: World,
): readonly [CaseContext, key: string] | undefined {
  const sub = plainText(observation.set?.['sub']);
  const key = mailboxKey(client.name, sub);
  const ctx = desk.events.get(key);
  if (ctx !== undefined) return [ctx, key];
  if (target.subscribers.some(({ subs }) => subs[client.name] === sub)) return undefined;
  const waiting = [...desk.events].filter(([other]) => other.startsWith(`${client.name} `));
  const latest = waiting.toSorted(([, a], [, b]) => lastRaised(b) - lastRaised(a))[0];
  return latest === undefined ? undefined : [latest[1], latest[0]];
}

function takeEvent(
  parsed: Parsed,
  client: Client,
  world: World,
): { ctx: CaseContext; response: ReceiverResponse } | undefined {
  const found = roomOf(client, seenAs('', parsed, client, world), world);
  if (found === undefined) return undefined;
  const [ctx, key] = found;
  const scope = createScope(ctx, world);
  const given = ctx.eventsAnswered.get(key) ?? 0;
  const response = responseFrom(ctx.case.eventReceiver ?? [], given, scope);
  ctx.eventsAnswered.set(key, given + 1);
  const id = nextMessageId(ctx, 'delivery');
  const observation = seenAs(id, parsed, client, world);
  ctx.messages.push(record({ id, response, step: 'events' }, parsed, ctx.redactor));
  const whose = createScope({ ...ctx, client }, world, { delivery: observation });
  world.invariants.onMessage('event', observation, observationContext(ctx, whose));
  const mailbox = ctx.events.get(key);
  if (mailbox !== undefined) post(mailbox, observation);
  return { ctx, response };
}

/** A request to an event endpoint or to a canary; undefined where it is neither, or nobody waits for it. */
export function deliverEvent(
  parsed: Parsed,
  world: World,
): { ctx: CaseContext; response: ReceiverResponse } | undefined {
  const path = pathOf(parsed.inbound.target);
  const canary = world.desk.canaries.get(path);
  if (canary !== undefined) {
    const response = { status: 200 };
    const id = nextMessageId(canary, 'delivery');
    canary.messages.push(record({ id, response, step: 'canary' }, parsed, canary.redactor));
    post(canary.canary.mailbox, seenAs(id, parsed, undefined, world));
    return { ctx: canary, response };
  }
  const client = clientOf(parsed, world);
  return client === undefined ? undefined : takeEvent(parsed, client, world);
}
