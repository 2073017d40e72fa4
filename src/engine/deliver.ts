import { callbackKind, headersByName } from '../judge/classify.ts';
import { decodeCompactJws } from '../judge/compact-jws.ts';
import type { AnswerSeen, CallbackSeen } from '../judge/observation.ts';
import type { Delivery } from '../model/exchange.ts';
import { isJsonObject, type Json, parseJson } from '../model/json.ts';
import type { ReceiverAnswer } from '../model/suite.ts';
import { defaultAnswer } from '../model/target.ts';
import type { Ties } from '../wire/correlate.ts';
import type { Inbound } from '../wire/receive.ts';
import { recordMessage } from '../wire/record.ts';
import { createRedactor, type Redactor } from '../wire/redact.ts';
import { type CaseRoom, nextMessageId } from './case-room.ts';
import { deliver, type Inbox } from './inbox.ts';
import { createScope } from './scope.ts';
import { sightingIn } from './sighting.ts';
import type { World } from './world.ts';

/** Strays that are kept in full. */
const keptStrays = 100;

function tiesOf(body: Json | undefined, authorization: string | undefined): Ties {
  const member = (name: string): string | undefined => {
    const value = isJsonObject(body) ? body[name] : undefined;
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const bearer = /^bearer +(.+)$/i.exec(authorization ?? '')?.[1];
  const authReqId = member('auth_req_id');
  const state = member('state');
  return {
    ...(authReqId === undefined ? {} : { authReqId }),
    ...(bearer === undefined ? {} : { bearer }),
    ...(state === undefined ? {} : { state }),
  };
}

interface Parsed {
  readonly inbound: Inbound;
  readonly headers: Record<string, string>;
  readonly text: string;
  readonly body: Json | undefined;
}

type Decoded = NonNullable<Delivery['idToken']>;

interface Entry {
  readonly id: string;
  readonly answer: ReceiverAnswer;
  readonly step?: string;
}

function record({ id, answer, step }: Entry, { inbound, text, body }: Parsed, redactor: Redactor): Delivery {
  redactor.learnMembers(body);
  const idToken = isJsonObject(body) ? decodeCompactJws(body['id_token']) : undefined;
  return {
    id,
    kind: 'delivery',
    ...(step === undefined ? {} : { step }),
    receivedAt: inbound.receivedAt,
    method: inbound.method,
    target: redactor.text(inbound.target),
    request: recordMessage(inbound.headers, text, redactor),
    ...(idToken === undefined ? {} : { idToken: recordedToken(idToken, redactor) }),
    answered: answer.reset === true ? 'reset' : answer.status,
  };
}

function recordedToken({ header, claims }: Decoded, redactor: Redactor): Decoded {
  const kept = redactor.json(claims);
  return { header: redactor.json(header), claims: isJsonObject(kept) ? kept : {} };
}

function seenAs(message: string, parsed: Parsed, sent: AnswerSeen): CallbackSeen {
  const { inbound, headers, text, body } = parsed;
  const idToken = isJsonObject(body) ? decodeCompactJws(body['id_token']) : undefined;
  return {
    kind: 'callback',
    message,
    receivedAt: inbound.receivedAt / 1000,
    method: inbound.method,
    target: inbound.target,
    headers,
    headerLines: inbound.headers,
    text,
    ...(body === undefined ? {} : { body }),
    ...(idToken === undefined ? {} : { idToken: idToken.claims, idTokenHeader: idToken.header }),
    ...callbackKind(body),
    sent,
  };
}

function stray(parsed: Parsed, world: World): ReceiverAnswer {
  if (world.strays.length < keptStrays) {
    const id = `stray#${world.strays.length + 1}`;
    world.strays.push(record({ id, answer: defaultAnswer }, parsed, createRedactor()));
  }
  return defaultAnswer;
}

function nextAnswer(room: CaseRoom): ReceiverAnswer {
  const script = room.case.receiver;
  const answer = script[Math.min(room.answersGiven, script.length - 1)] ?? defaultAnswer;
  room.answersGiven += 1;
  return answer;
}

async function hold(seconds: number, room: CaseRoom, world: World): Promise<void> {
  world.held.count += 1;
  const due = world.timeline.now() + seconds * 1000;
  try {
    await world.timeline.park({ due, label: { case: room.case.id, for: 'our own delayed answer' } });
  } finally {
    world.held.count -= 1;
  }
}

interface Taken {
  readonly id: string;
  readonly parsed: Parsed;
  readonly inbox: Inbox;
}

/** Judged only once the answer to the request is in: a callback may overtake it. */
async function judge({ id, parsed, inbox }: Taken, world: World): Promise<void> {
  const callback = seenAs(id, parsed, await inbox.answered);
  const { room } = inbox;
  const scope = createScope(room, world, { sent: callback.sent, answer: callback.sent, delivery: callback });
  world.invariants.onCallback(callback, sightingIn(room, scope));
  deliver(inbox, callback);
}

/** What the receiver does with a delivery: finds its request, records and judges it, and answers as the case says. */
export async function onDelivery(inbound: Inbound, world: World): Promise<ReceiverAnswer> {
  const { timeline } = world;
  timeline.enter();
  try {
    const text = inbound.body.toString('utf8');
    const parsed: Parsed = { inbound, headers: headersByName(inbound.headers), text, body: parseJson(text) };
    world.counts.deliveries += 1;
    const inbox = world.correlator.find(tiesOf(parsed.body, parsed.headers['authorization']));
    if (inbox === undefined) return stray(parsed, world);
    const { room } = inbox;
    const answer = nextAnswer(room);
    const id = nextMessageId(room, 'delivery');
    room.messages.push(record({ id, answer, step: inbox.step }, parsed, room.redactor));
    timeline.enter();
    judge({ id, parsed, inbox }, world).catch(world.onInternalError).finally(timeline.leave);
    if (answer.delay !== undefined) await hold(answer.delay, room, world);
    return answer;
  } finally {
    timeline.leave();
  }
}
