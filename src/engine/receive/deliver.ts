import { callbackKind, headersByName } from '../../judge/classify.ts';
import { decodeCompactJws } from '../../judge/compact-jws.ts';
import type { AnswerSeen, CallbackSeen } from '../../judge/observation.ts';
import { isJsonObject, type Json, parseJson } from '../../model/json.ts';
import type { ReceiverAnswer } from '../../model/suite.ts';
import { defaultAnswer } from '../../model/target.ts';
import type { Ties } from '../../wire/correlate.ts';
import type { Inbound } from '../../wire/receive.ts';
import { createRedactor } from '../../wire/redact.ts';
import { type CaseRoom, nextMessageId } from '../world/case-room.ts';
import { deliverEvent } from './deliver-event.ts';
import { deliver, type Inbox } from '../world/inbox.ts';
import { frameOf, type Parsed } from './parsed-delivery.ts';
import { answerFrom, record } from './record-delivery.ts';
import { createScope } from '../world/scope.ts';
import { sightingIn } from '../world/sighting.ts';
import type { World } from '../world/world.ts';

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

function seenAs(message: string, parsed: Parsed, sent: AnswerSeen): CallbackSeen {
  const { body } = parsed;
  const idToken = isJsonObject(body) ? decodeCompactJws(body['id_token']) : undefined;
  return {
    kind: 'callback',
    ...frameOf(message, parsed),
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

async function hold(seconds: number, room: CaseRoom, world: World): Promise<void> {
  world.held.count += 1;
  const due = world.timeline.now() + seconds * 1000;
  try {
    await world.timeline.park({ due, label: { case: room.case.id, for: 'our own delayed answer' } });
  } finally {
    world.held.count -= 1;
  }
}

/** The answer, after the time it is to take. */
async function answered(answer: ReceiverAnswer, room: CaseRoom, world: World): Promise<ReceiverAnswer> {
  if (answer.delay !== undefined) await hold(answer.delay, room, world);
  return answer;
}

interface Taken {
  readonly id: string;
  readonly parsed: Parsed;
  readonly inbox: Inbox;
}

/** Judged only once the answer to the request is in: a callback may overtake it. */
async function judge({ id, parsed, inbox }: Taken, world: World): Promise<void> {
  const answer = await inbox.answered;
  if (answer === undefined) return;
  const callback = seenAs(id, parsed, answer);
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
    const event = deliverEvent(parsed, world);
    if (event !== undefined) return await answered(event.answer, event.room, world);
    const inbox = world.correlator.find(tiesOf(parsed.body, parsed.headers['authorization']));
    if (inbox === undefined) return stray(parsed, world);
    const { room } = inbox;
    const answer = answerFrom(room.case.receiver, room.answersGiven, createScope(room, world));
    room.answersGiven += 1;
    const id = nextMessageId(room, 'delivery');
    room.messages.push(record({ id, answer, step: inbox.step }, parsed, room.redactor));
    timeline.enter();
    judge({ id, parsed, inbox }, world).catch(world.onInternalError).finally(timeline.leave);
    return await answered(answer, room, world);
  } finally {
    timeline.leave();
  }
}
