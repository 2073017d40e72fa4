import { decodeCompactJws } from '../judge/compact-jws.ts';
import type { EventSeen } from '../judge/observation.ts';
import { isJsonObject, plainText } from '../model/json.ts';
import type { ReceiverAnswer } from '../model/suite.ts';
import type { Client } from '../model/target.ts';
import { type CaseRoom, nextMessageId } from './case-room.ts';
import { mailboxKey, post } from './mailbox.ts';
import type { Parsed } from './parsed-delivery.ts';
import { answerFrom, record } from './record-delivery.ts';
import { createScope, resolveUri } from './scope.ts';
import { sightingIn } from './sighting.ts';
import type { World } from './world.ts';

const pathOf = (target: string): string => target.replace(/[?#].*$/s, '');

/** The registration whose event endpoint a request came to (§4.8). */
function clientAt(path: string, { target, receiver }: World): Client | undefined {
  return target.clients.find(({ eventUri }) => {
    if (eventUri === undefined) return false;
    const url = resolveUri(eventUri, receiver);
    return URL.canParse(url) && new URL(url).pathname === path;
  });
}

function seenAs(message: string, parsed: Parsed, client: Client | undefined): EventSeen {
  const { inbound, headers, text, body } = parsed;
  const jws = isJsonObject(body) ? body['set'] : undefined;
  const set = decodeCompactJws(jws);
  return {
    kind: 'event',
    message,
    receivedAt: inbound.receivedAt / 1000,
    method: inbound.method,
    target: inbound.target,
    headers,
    headerLines: inbound.headers,
    text,
    ...(client === undefined ? {} : { client: client.name }),
    ...(body === undefined ? {} : { body }),
    ...(typeof jws === 'string' ? { jws } : {}),
    ...(set === undefined ? {} : { set: set.claims, setHeader: set.header }),
  };
}

/** The case that holds the subscriber an event is about; where the SET names nobody, one that waits at this endpoint. */
function roomOf(client: Client, seen: EventSeen, { desk }: World): readonly [CaseRoom, key: string] | undefined {
  const key = mailboxKey(client.name, plainText(seen.set?.['sub']));
  const room = desk.events.get(key);
  if (room !== undefined) return [room, key];
  for (const [other, waiting] of desk.events) if (other.startsWith(`${client.name} `)) return [waiting, other];
  return undefined;
}

function takeEvent(
  parsed: Parsed,
  client: Client,
  world: World,
): { room: CaseRoom; answer: ReceiverAnswer } | undefined {
  const found = roomOf(client, seenAs('', parsed, client), world);
  if (found === undefined) return undefined;
  const [room, key] = found;
  const scope = createScope(room, world);
  const given = room.eventsAnswered.get(key) ?? 0;
  const answer = answerFrom(room.case.eventReceiver ?? [], given, scope);
  room.eventsAnswered.set(key, given + 1);
  const id = nextMessageId(room, 'delivery');
  const seen = seenAs(id, parsed, client);
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
    post(canary.canary.mailbox, seenAs(id, parsed, undefined));
    return { room: canary, answer };
  }
  const client = clientAt(path, world);
  return client === undefined ? undefined : takeEvent(parsed, client, world);
}
