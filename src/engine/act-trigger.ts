import type { AnswerSeen, Seen, TriggerSeen } from '../judge/observation.ts';
import { findAction } from '../model/action.ts';
import type { Json } from '../model/json.ts';
import type { Act, Step } from '../model/suite.ts';
import type { Driver } from '../model/target.ts';
import { MissingValue, type Scope, type Template } from '../model/template.ts';
import { driverRequest, type HttpRequest } from '../wire/http-request.ts';
import { type CaseRoom, Unmet } from './case-room.ts';
import { exchange } from './exchange.ts';
import { createScope, subscriberFor } from './scope.ts';
import type { World } from './world.ts';

/** The answer of the step a trigger or a look is about: the one named, or the last authorize. */
export function subjectOf(of: string | undefined, room: CaseRoom): AnswerSeen | undefined {
  const name = of ?? room.lastAuthorize;
  const trace = name === undefined ? undefined : room.traces.get(name);
  return trace?.kind === 'answer' ? trace : undefined;
}

interface Drive {
  readonly action: string;
  readonly driver: Driver;
  readonly of: string | undefined;
  readonly given: Readonly<Record<string, Json>>;
}

/** What a driver's headers hold is the operator's secret. */
function learnHeader(name: string, template: Template, scope: Scope, { redactor }: CaseRoom): void {
  try {
    const value = template.evaluate(scope);
    if (typeof value === 'string') redactor.learn(name, value);
  } catch (error) {
    if (!(error instanceof MissingValue)) throw error;
  }
}

type Driven = { readonly done: boolean; readonly summary: string; readonly answer?: AnswerSeen };

/** Makes an action happen through the target's driver. What it speaks of may not be there: then it is not possible. */
export async function drive(order: Drive, step: string, room: CaseRoom, world: World): Promise<Driven> {
  const { action, driver, of, given } = order;
  const scope = createScope(room, world, { request: subjectOf(of, room), with: given, env: driver.env });
  for (const [name, template] of driver.headers ?? []) learnHeader(name, template, scope, room);
  let http: HttpRequest;
  try {
    http = driverRequest(driver, scope);
  } catch (error) {
    if (error instanceof MissingValue) return { done: false, summary: error.message };
    throw error;
  }
  const answer = await exchange({ step, purpose: `driver ${action}`, http, differences: [] }, room, world);
  const { status, summary } = answer;
  if (status !== undefined && driver.done.includes(status)) return { done: true, summary, answer };
  if (status !== undefined && driver.impossible.includes(status)) return { done: false, summary, answer };
  throw new Unmet(`the driver for ${action} did not work: ${summary}`);
}

export function requireDriver(action: string, world: World): Driver {
  const driver = world.target.drivers[action];
  if (driver === undefined) throw new Unmet(`the target has no driver for ${action}`);
  return driver;
}

/** The room with another subscriber in it, where the trigger names one. */
function subscriberOf({ subscriber }: Act & { verb: 'trigger' }, room: CaseRoom, { target }: World): CaseRoom {
  if (subscriber === undefined) return room;
  const found = subscriberFor(target, subscriber, room.subscriber);
  if (found === undefined) throw new Unmet(`the target has no other subscriber ${subscriber}`);
  return { ...room, subscriber: found };
}

/** `trigger`: makes something happen at the carrier or on the phone. */
export async function trigger(act: Act & { verb: 'trigger' }, step: Step, room: CaseRoom, world: World): Promise<Seen> {
  const driver = requireDriver(act.action, world);
  const scope = createScope(room, world);
  const given = Object.fromEntries(act.with.map(([name, value]) => [name, value.evaluate(scope)]));
  const sentAt = world.timeline.now() / 1000;
  const whose = subscriberOf(act, room, world);
  if (findAction(act.action)?.raisesEvents === true) room.eventsRaisedAt = world.timeline.now();
  const order: Drive = { action: act.action, driver, of: act.of, given };
  const { done, summary, answer } = await drive(order, step.name, whose, world);
  if (!done && !act.ifPossible) throw new Unmet(`${act.action} was not possible: ${summary}`);
  const undo = done ? findAction(act.action)?.undo : undefined;
  const undoDriver = undo === undefined ? undefined : world.target.drivers[undo];
  if (undo !== undefined && undoDriver !== undefined) {
    const back: Drive = { action: undo, driver: undoDriver, of: act.of, given };
    room.undo.push(async () => {
      await drive(back, `undo of ${step.name}`, whose, world);
    });
  }
  const seen: TriggerSeen = {
    kind: 'trigger',
    step: step.name,
    sentAt,
    done,
    summary: `${act.action} ${done ? 'done' : 'not possible'}`,
    ...(answer === undefined ? {} : { message: answer.message }),
    ...(answer?.status === undefined ? {} : { status: answer.status }),
    ...(answer?.body === undefined ? {} : { body: answer.body }),
  };
  return seen;
}

/** `look`: what the phone shows of a request. */
export async function look(act: Act & { verb: 'look' }, step: Step, room: CaseRoom, world: World): Promise<Seen> {
  const sentAt = world.timeline.now() / 1000;
  const driver = requireDriver('look', world);
  const { done, answer } = await drive({ action: 'look', driver, of: act.of, given: {} }, step.name, room, world);
  const card: Json = done && answer?.body !== undefined ? cardOf(answer.body) : { shown: false };
  const sent = subjectOf(act.of, room);
  const rest = {
    ...(answer === undefined ? {} : { message: answer.message }),
    ...(sent === undefined ? {} : { sent }),
  };
  return { kind: 'look', step: step.name, sentAt, card, summary: 'what the phone shows', ...rest };
}

const cardOf = (body: Json): Json =>
  typeof body === 'object' && body !== null && 'card' in body ? (body['card'] ?? null) : body;
