import type { AnswerSeen, Seen, TriggerSeen } from '../judge/observation.ts';
import { findAction, type Undoing, undoOf } from '../model/action.ts';
import type { Json } from '../model/json.ts';
import type { Act, Step } from '../model/suite.ts';
import type { Driver, HttpDriver } from '../model/target.ts';
import { MissingValue, type Scope } from '../model/template.ts';
import { driverRequest } from '../wire/http-request.ts';
import { askToDo } from './ask-driver.ts';
import { type CaseRoom, Unmet } from './case-room.ts';
import { type Driven, learnCall } from './driven.ts';
import { exchange } from './exchange.ts';
import { execDriver } from './exec-driver.ts';
import { noteChange } from './note-change.ts';
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

/** By one request, whose status says what came of it. */
async function driveHttp(
  { action, driver, scope }: Driving<HttpDriver>,
  step: string,
  room: CaseRoom,
  world: World,
): Promise<Driven> {
  const { url, json = [], headers, env } = driver;
  learnCall({ headers, others: [url, ...json.map(([, value]) => value)], env }, scope, room.redactor);
  const http = driverRequest(driver, scope);
  const answer = await exchange({ step, purpose: `driver ${action}`, http, differences: [] }, room, world);
  const { status, summary, message, body } = answer;
  const came = {
    summary,
    message,
    ...(status === undefined ? {} : { status }),
    ...(body === undefined ? {} : { body }),
  };
  if (status !== undefined && driver.done.includes(status)) return { done: true, ...came };
  if (status !== undefined && driver.impossible.includes(status)) return { done: false, ...came };
  throw new Unmet(`the driver for ${action} did not work: ${summary}`);
}

interface Driving<D extends Driver> {
  readonly action: string;
  readonly driver: D;
  readonly scope: Scope;
}

function driveBy({ driver, given, action }: Drive, scope: Scope, { step, subject, ...at }: Place): Promise<Driven> {
  const order = { action, scope };
  switch (driver.kind) {
    case 'http':
      return driveHttp({ ...order, driver }, step, at.room, at.world);
    case 'exec':
      return execDriver({ ...order, driver }, at.room, at.world);
    case 'ask':
      return askToDo({ ...order, driver, step, subject }, given, at.room, at.world);
  }
}

interface Place {
  readonly step: string;
  readonly subject: AnswerSeen | undefined;
  readonly room: CaseRoom;
  readonly world: World;
}

/** A request lives on while a program runs and while somebody takes up a phone: what came too late shows nothing. */
export function requireAlive(
  action: string,
  subject: AnswerSeen | undefined,
  { asked, at }: { asked: number; at: number },
): void {
  if (findAction(action)?.ofRequest !== true || subject?.granted === undefined) return;
  const end = (subject.sentAt + subject.granted) * 1000;
  if (asked >= end || at < end) return;
  const took = ((at - asked) / 1000).toFixed(1);
  throw new Unmet(`the driver for ${action} took ${took} s, and the request expired meanwhile`);
}

/** Makes an action happen through the target's driver. What it speaks of may not be there: then it is not possible. */
export async function drive(order: Drive, step: string, room: CaseRoom, world: World): Promise<Driven> {
  const { action, driver, of, given } = order;
  const subject = subjectOf(of, room);
  const scope = createScope(room, world, { request: subject, with: given, env: driver.env });
  const asked = world.timeline.now();
  try {
    const driven = await driveBy(order, scope, { step, subject, room, world });
    if (driven.done && driven.at !== undefined) requireAlive(action, subject, { asked, at: driven.at });
    return driven;
  } catch (error) {
    if (error instanceof MissingValue) return { done: false, summary: error.message };
    throw error;
  }
}

export function requireDriver(action: string, world: World): Driver {
  const driver = world.target.drivers[action];
  if (driver === undefined) throw new Unmet(`the target has no driver for ${action}`);
  return driver;
}

/** The room with another subscriber in it, where the trigger names one. */
function subscriberOf({ subscriber }: TriggerAct, room: CaseRoom, { target }: World): CaseRoom {
  if (subscriber === undefined) return room;
  const found = subscriberFor(target, subscriber, room.subscriber);
  if (found === undefined) throw new Unmet(`the target has no other subscriber ${subscriber}`);
  return { ...room, subscriber: found };
}

/** Milliseconds a program or a person may take for what was due at a moment. */
const slowest = 60_000;

type TriggerAct = Act & { readonly verb: 'trigger' };
type Order = { readonly step: Step; readonly whose: CaseRoom };

/** Where a change by an action can be seen. */
export function laneOf(action: string, { client, subscriber }: Pick<CaseRoom, 'client' | 'subscriber'>): string {
  const lanes = { subscriber: `subscriber:${subscriber.name}`, client: `client:${client.name}`, keys: 'keys' };
  return lanes[findAction(action)?.mutates ?? 'subscriber'];
}

/** The driver works, and says that there is no way, or nothing to take back. */
export class NotPossible extends Unmet {}

/** Takes a change back by its own driver. Throws Unmet where that cannot be. */
export async function driveBack(
  { action, given, lacks }: Undoing,
  { step, of }: { readonly step: string; readonly of: string | undefined },
  whose: CaseRoom,
  world: World,
): Promise<void> {
  if (lacks !== undefined) throw new NotPossible(`the target file has no ${lacks} of ${whose.subscriber.name}`);
  const driver = requireDriver(action, world);
  const { done, summary } = await drive({ action, driver, of, given }, `undo of ${step}`, whose, world);
  if (!done) throw new NotPossible(`${action} was not possible: ${summary}`);
}

/** What takes it back, when the case ends. */
function undoLater({ action, of, given }: Drive, { step, whose }: Order, room: CaseRoom, world: World): void {
  const undo = undoOf(action, given, whose.subscriber);
  if (undo === undefined) return;
  const run = async (): Promise<void> => {
    if (findAction(undo.action)?.raisesEvents === true) room.eventsRaisedAt = world.timeline.now();
    await driveBack(undo, { step: step.name, of }, whose, world);
  };
  room.undo = [...room.undo, { action: undo.action, lane: laneOf(action, whose), run }];
}

/** The case has taken a change back by itself. */
function forgetUndone({ action }: Drive, { whose }: Order, room: CaseRoom): void {
  const lane = laneOf(action, whose);
  room.undo = room.undo.filter((undo) => undo.action !== action || undo.lane !== lane);
}

/** Drives; what may have been changed although it failed is taken back as well. */
async function driveOrTakeBack(order: Drive, rest: Order, room: CaseRoom, world: World): Promise<Driven> {
  const raises = findAction(order.action)?.raisesEvents === true;
  noteChange({ ...order, step: rest.step.name, subscriber: rest.whose.subscriber.name }, room, world);
  if (raises) room.eventsRaisedAt = world.timeline.now();
  try {
    const driven = await drive(order, rest.step.name, rest.whose, world);
    if (raises && driven.at !== undefined) room.eventsRaisedAt = driven.at;
    if (driven.done) forgetUndone(order, rest, room);
    if (driven.done) undoLater(order, rest, room, world);
    return driven;
  } catch (error) {
    if (error instanceof Unmet) {
      if (raises) room.eventsRaisedAt = world.timeline.now();
      undoLater(order, rest, room, world);
    }
    throw error;
  }
}

/** `trigger`: makes something happen at the carrier or on the phone. */
export async function trigger(act: TriggerAct, step: Step, room: CaseRoom, world: World): Promise<Seen> {
  const driver = requireDriver(act.action, world);
  const scope = createScope(room, world);
  const given = Object.fromEntries(act.with.map(([name, value]) => [name, value.evaluate(scope)]));
  const whose = subscriberOf(act, room, world);
  const asked = world.timeline.now();
  const order: Drive = { action: act.action, driver, of: act.of, given };
  const driven = await driveOrTakeBack(order, { step, whose }, room, world);
  const { done, summary, at = asked } = driven;
  if (!done && !act.ifPossible) throw new Unmet(`${act.action} was not possible: ${summary}`);
  if (step.at !== undefined && at - asked > slowest) {
    throw new Unmet(
      `the driver for ${act.action} took ${((at - asked) / 1000).toFixed(0)} s, so it was not done when it was due`,
    );
  }
  const seen: TriggerSeen = {
    kind: 'trigger',
    step: step.name,
    sentAt: at / 1000,
    done,
    summary: `${act.action} ${done ? 'done' : 'not possible'}${driver.kind === 'http' ? '' : `: ${summary}`}`,
    ...(driven.message === undefined ? {} : { message: driven.message }),
    ...(driven.status === undefined ? {} : { status: driven.status }),
    ...(driven.body === undefined ? {} : { body: driven.body }),
  };
  return seen;
}
