import { audienceOf } from '../../judge/audience.ts';
import { decodeCompactJws } from '../../judge/compact-jws.ts';
import type { EventSeen } from '../../judge/observation.ts';
import { isJsonObject, plainText } from '../../model/json.ts';
import type { ReceiverAnswer } from '../../model/suite.ts';
import type { Client } from '../../model/target.ts';
import { type CaseRoom, nextMessageId } from '../world/case-room.ts';
import { mailboxKey, post } from '../world/mailbox.ts';
import { frameOf, type Parsed } from './parsed-delivery.ts';
import { answerFrom, record } from './record-delivery.ts';
import { createScope, resolveUri } from '../world/scope.ts';
import { sightingIn } from '../world/sighting.ts';
import type { World } from '../world/world.ts';

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

function seenAs(message: string, parsed: Parsed, client: Client | undefined, world: World): EventSeen {
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

const lastRaised = ({ eventsRaised }: CaseRoom): number => Math.max(0, ...eventsRaised.values());

/**
 * The case that holds the subscriber an event is about; where the SET names nobody we know, the one that waits at this endpoint
 * for what it raised last. An event about a subscriber whom no case holds is late news, or somebody else's doing: no case's business.
 */
function roomOf(
  client: Client,
  seen: EventSeen,
  { desk, target }: World,
): readonly [CaseRoom, key: string] | undefined {
  const sub = plainText(seen.set?.['sub']);
  const key = mailboxKey(client.name, sub);
  const room = desk.events.get(key);
  if (room !== undefined) return [room, key];
  if (target.subscribers.some(({ subs }) => subs[client.name] === sub)) return undefined;
  const waiting = [...desk.events].filter(([other]) => other.startsWith(`${client.name} `));
  const latest = waiting.toSorted(([, a], [, b]) => lastRaised(b) - lastRaised(a))[0];
  return latest === undefined ? undefined : [latest[1], latest[0]];
}

function takeEvent(
  parsed: Parsed,
  client: Client,
  world: World,
): { room: CaseRoom; answer: ReceiverAnswer } | undefined {
  const found = roomOf(client, seenAs('', parsed, client, world), world);
  if (found === undefined) return undefined;
  const [room, key] = found;
  const scope = createScope(room, world);
  const given = room.eventsAnswered.get(key) ?? 0;
  const answer = answerFrom(room.case.eventReceiver ?? [], given, scope);
  room.eventsAnswered.set(key, given + 1);
  const id = nextMessageId(room, 'delivery');
  const seen = seenAs(id, parsed, client, world);
  room.messages.push(record({ id, answer, step: 'events' }, parsed, room.redactor));
  const whose = createScope({ ...room, client }, world, { delivery: seen });
  world.invariants.onMessage('event', seen, sightingIn(room, whose));
  const mailbox = room.events.get(key);
  if (mailbox !== undefined) post(mailbox, seen);
  return { room, answer };
}

/** A request to an event endpoint or to a canary; undefined where it is neither, or nobody waits for it. */
export function deliverEvent(parsed: Parsed, world: World): { room: CaseRoom; answer: ReceiverAnswer } | undefined {
  const path = pathOf(parsed.inbound.target);
  const canary = world.desk.canaries.get(path);
  if (canary !== undefined) {
    const answer = { status: 200 };
    const id = nextMessageId(canary, 'delivery');
    canary.messages.push(record({ id, answer, step: 'canary' }, parsed, canary.redactor));
    post(canary.canary.mailbox, seenAs(id, parsed, undefined, world));
    return { room: canary, answer };
  }
  const client = clientOf(parsed, world);
  return client === undefined ? undefined : takeEvent(parsed, client, world);
}
