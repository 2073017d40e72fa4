import { callbackKind, headersByName } from '../../judge/classify.ts';
import { decodeCompactJws } from '../../judge/compact-jws.ts';
import type { ResponseObservation, CallbackObservation } from '../../judge/observation.ts';
import { isJsonObject, type Json, parseJson } from '../../model/json.ts';
import type { ReceiverResponse } from '../../model/suite.ts';
import { defaultResponse } from '../../model/target.ts';
import type { CorrelationKeys } from '../../wire/correlate.ts';
import type { Inbound } from '../../wire/receive.ts';
import { createRedactor } from '../../wire/redact.ts';
import { type CaseContext, nextMessageId } from '../context/case-context.ts';
import { deliverEvent } from './deliver-event.ts';
import { deliver, type Inbox } from '../context/inbox.ts';
import { frameOf, type Parsed } from './parsed-delivery.ts';
import { responseFrom, record } from './record-delivery.ts';
import { createScope } from '../context/scope.ts';
import { observationContext } from '../context/sighting.ts';
import type { World } from '../context/world.ts';

/** Strays that are kept in full. */
const restoredUnsolicited = 100;

function correlationKeysOf(body: Json | undefined, authorization: string | undefined): CorrelationKeys {
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

function seenAs(message: string, parsed: Parsed, sent: ResponseObservation): CallbackObservation {
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

function unsolicitedDelivery(parsed: Parsed, world: World): ReceiverResponse {
  if (world.unsolicited.length < restoredUnsolicited) {
    const id = `stray#${world.unsolicited.length + 1}`;
    world.unsolicited.push(record({ id, response: defaultResponse }, parsed, createRedactor()));
  }
  return defaultResponse;
}

async function hold(seconds: number, ctx: CaseContext, world: World): Promise<void> {
  world.held.count += 1;
  const due = world.timeline.now() + seconds * 1000;
  try {
    await world.timeline.park({ due, label: { case: ctx.case.id, for: 'our own delayed answer' } });
  } finally {
    world.held.count -= 1;
  }
}

/** The answer, after the time it is to take. */
async function answered(response: ReceiverResponse, ctx: CaseContext, world: World): Promise<ReceiverResponse> {
  if (response.delay !== undefined) await hold(response.delay, ctx, world);
  return response;
}

interface Taken {
  readonly id: string;
  readonly parsed: Parsed;
  readonly inbox: Inbox;
}

/** Judged only once the answer to the request is in: a callback may overtake it. */
async function judge({ id, parsed, inbox }: Taken, world: World): Promise<void> {
  const response = await inbox.answered;
  if (response === undefined) return;
  const callback = seenAs(id, parsed, response);
  const { ctx } = inbox;
  const scope = createScope(ctx, world, { sent: callback.sent, response: callback.sent, delivery: callback });
  world.invariants.onCallback(callback, observationContext(ctx, scope));
  deliver(inbox, callback);
}

/** What the receiver does with a delivery: finds its request, records and judges it, and answers as the case says. */
export async function onDelivery(inbound: Inbound, world: World): Promise<ReceiverResponse> {
  const { timeline } = world;
  timeline.enter();
  try {
    const text = inbound.body.toString('utf8');
    const parsed: Parsed = { inbound, headers: headersByName(inbound.headers), text, body: parseJson(text) };
    world.counts.deliveries += 1;
    const event = deliverEvent(parsed, world);
    if (event !== undefined) return await answered(event.response, event.ctx, world);
    const inbox = world.correlator.find(correlationKeysOf(parsed.body, parsed.headers['authorization']));
    if (inbox === undefined) return unsolicitedDelivery(parsed, world);
    const { ctx } = inbox;
    const response = responseFrom(ctx.case.receiver, ctx.responsesGiven, createScope(ctx, world));
    ctx.responsesGiven += 1;
    const id = nextMessageId(ctx, 'delivery');
    ctx.messages.push(record({ id, response, step: inbox.step }, parsed, ctx.redactor));
    timeline.enter();
    judge({ id, parsed, inbox }, world).catch(world.onInternalError).finally(timeline.leave);
    return await answered(response, ctx, world);
  } finally {
    timeline.leave();
  }
}
