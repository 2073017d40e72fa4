import type { AnswerSeen, Seen, TriggerSeen } from '../judge/observation.ts';
import { findAction } from '../model/action.ts';
import type { Json } from '../model/json.ts';
import type { Act, Step } from '../model/suite.ts';
import type { Driver } from '../model/target.ts';
import { type CaseRoom, Unmet } from './case-room.ts';
import { exchange } from './exchange.ts';
import { createScope } from './scope.ts';
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

/** Makes an action happen through the target's driver. */
export async function drive({ action, driver, of, given }: Drive, step: string, room: CaseRoom, world: World) {
  const scope = createScope(room, world, { request: subjectOf(of, room), with: given });
  const headers: [string, string][] = driver.json === undefined ? [] : [['content-type', 'application/json']];
  const members = (driver.json ?? []).map(([name, value]) => [name, value.evaluate(scope)] as const);
  const answer = await exchange(
    {
      step,
      purpose: `driver ${action}`,
      http: {
        method: driver.method,
        url: String(driver.url.evaluate(scope)),
        headers,
        ...(driver.json === undefined ? {} : { body: JSON.stringify(Object.fromEntries(members)) }),
      },
      differences: [],
    },
    room,
    world,
  );
  const { status } = answer;
  if (status !== undefined && driver.done.includes(status)) return { done: true, answer };
  if (status !== undefined && driver.impossible.includes(status)) return { done: false, answer };
  throw new Unmet(`the driver for ${action} did not work: ${answer.summary}`);
}

export function requireDriver(action: string, world: World): Driver {
  const driver = world.target.drivers[action];
  if (driver === undefined) throw new Unmet(`the target has no driver for ${action}`);
  return driver;
}

/** `trigger`: makes something happen at the carrier or on the phone. */
export async function trigger(act: Act & { verb: 'trigger' }, step: Step, room: CaseRoom, world: World): Promise<Seen> {
  const driver = requireDriver(act.action, world);
  const scope = createScope(room, world);
  const given = Object.fromEntries(act.with.map(([name, value]) => [name, value.evaluate(scope)]));
  const sentAt = world.timeline.now() / 1000;
  const { done, answer } = await drive({ action: act.action, driver, of: act.of, given }, step.name, room, world);
  if (!done && !act.ifPossible) throw new Unmet(`${act.action} was not possible: ${answer.summary}`);
  const undo = done ? findAction(act.action)?.undo : undefined;
  const undoDriver = undo === undefined ? undefined : world.target.drivers[undo];
  if (undo !== undefined && undoDriver !== undefined) {
    const back: Drive = { action: undo, driver: undoDriver, of: act.of, given };
    room.undo.push(async () => {
      await drive(back, `undo of ${step.name}`, room, world);
    });
  }
  const seen: TriggerSeen = {
    kind: 'trigger',
    step: step.name,
    sentAt,
    done,
    summary: `${act.action} ${done ? 'done' : 'not possible'}`,
    message: answer.message,
  };
  return seen;
}

/** `look`: what the phone shows of a request. */
export async function look(act: Act & { verb: 'look' }, step: Step, room: CaseRoom, world: World): Promise<Seen> {
  const sentAt = world.timeline.now() / 1000;
  const driver = requireDriver('look', world);
  const { done, answer } = await drive({ action: 'look', driver, of: act.of, given: {} }, step.name, room, world);
  const card: Json = done && answer.body !== undefined ? cardOf(answer.body) : { shown: false };
  return { kind: 'look', step: step.name, sentAt, card, summary: 'what the phone shows', message: answer.message };
}

const cardOf = (body: Json): Json =>
  typeof body === 'object' && body !== null && 'card' in body ? (body['card'] ?? null) : body;
