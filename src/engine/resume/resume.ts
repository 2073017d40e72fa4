import { CarrierspecError } from '../../model/problem.ts';
import type { RecordCipher } from '../../wire/record/encrypt.ts';
import { Interrupted } from '../clock/timeline.ts';
import type { RunOptions } from '../run-options.ts';
import { type Assignment, Unmet, type World } from '../context/case-context.ts';
import { type Left, nothingLeft, recover } from './recover.ts';
import { observedLife } from '../context/walk.ts';
import { findAction, undoOf } from '../../model/action.ts';
import type { Suites } from '../../suite/suites.ts';
import { denyRequest, isAttended } from '../drive/drive.ts';
import { driveBack, lockOf, NotPossible } from '../drive/changes.ts';
import { openContext } from '../context/open-context.ts';
import { planRun } from '../plan/assign.ts';
import type { Change, LeftChange, LeftRequest } from '../context/recovery-record.ts';
import { Quarantined } from '../clock/scheduler.ts';

/** Context of the case that acted, with the subscriber concerned; undefined if the target no longer has them. */
function contextOf(done: Pick<Change, 'case' | 'subscriber'>, { cases }: Pick<Suites, 'cases'>, world: World) {
  const { target } = world;
  const [planned] = planRun({ cases: cases.filter(({ id }) => id === done.case) }, target, {
    interface: world.interface,
    all: cases,
  });
  const subscriber = target.subscribers.find(({ name }) => name === done.subscriber);
  if (planned === undefined || !('assignment' in planned) || subscriber === undefined) return undefined;
  const assignment: Assignment = { ...planned.assignment, subscriber };
  return openContext(world, { case: planned.case, assignment });
}

/** Returns true if the change is undone. If its driver reports that as impossible, the resource is quarantined. */
async function undoChange(change: Change, suites: Pick<Suites, 'cases'>, world: World): Promise<boolean> {
  const { action, given } = change;
  const definition = findAction(action, world.interface.actions);
  const needed = definition?.undo;
  if (definition === undefined || needed === undefined) return false;
  const what = `what ${change.case} had changed when the run was cut off could not be undone`;
  const ctx = contextOf(change, suites, world);
  try {
    if (ctx === undefined)
      throw new Unmet(`${needed} needs what the target no longer has, or an operator at a terminal, or --live`);
    const undo = undoOf(definition, given, ctx.subscriber);
    if (undo === undefined) return false;
    await driveBack(undo, change, ctx);
    return true;
  } catch (error) {
    if (!(error instanceof Unmet)) throw error;
    if (error instanceof NotPossible && ctx !== undefined) {
      world.locks.quarantine(lockOf(action, ctx), `${what}: ${error.message}`);
      return false;
    }
    const message = `--resume: ${what}: ${error.message}`;
    throw new CarrierspecError(message, { code: 'not-taken-back', cause: error });
  }
}

/** Undoes the remaining changes, the last first. Returns all changes, with the times. Throws if a change cannot be undone. */
export async function undoChanges(
  changes: readonly LeftChange[],
  suites: Pick<Suites, 'cases'>,
  world: World,
): Promise<readonly LeftChange[]> {
  const all: LeftChange[] = [];
  world.timeline.enter();
  try {
    for (const change of changes.toReversed()) {
      const undone = change.undoneAt === undefined && (await undoChange(change, suites, world));
      all.push(undone ? { ...change, ended: false, undoneAt: world.timeline.now() } : change);
    }
    return all;
  } finally {
    world.timeline.leave();
  }
}

/** End of the observation window that the request's own case would have had, in milliseconds. */
const expiryOf = ({ response }: LeftRequest, { timing }: World['interface']): number =>
  (response.sentAt + observedLife(response.granted, timing)) * 1000;

/** Whether the granted life goes on; a request without a known life counts as pending. */
const isPending = ({ response }: LeftRequest, { timeline }: World): boolean =>
  response.granted === undefined || (response.sentAt + response.granted) * 1000 > timeline.now();

/** Whether requests are denied without an operator: a person would have to find each request on the phone. */
const deniesUnattended = ({ target }: World): boolean => {
  const driver = target.drivers['deny'];
  return driver !== undefined && !isAttended(driver);
};

/** Denies the pending requests of interrupted cases. Returns those not denied: `coolDownLeft` waits for their end. */
export async function denyPending(
  requests: readonly LeftRequest[],
  suites: Pick<Suites, 'cases'>,
  world: World,
): Promise<readonly LeftRequest[]> {
  const pending = requests.filter((one) => isPending(one, world));
  if (!deniesUnattended(world)) return pending;
  const left: LeftRequest[] = [];
  world.timeline.enter();
  try {
    for (const request of pending) if (!(await denyOne(request, suites, world))) left.push(request);
  } finally {
    world.timeline.leave();
  }
  return left;
}

/** Returns true if the request is denied, or the carrier no longer knows it. */
async function denyOne(request: LeftRequest, suites: Pick<Suites, 'cases'>, world: World): Promise<boolean> {
  const ctx = contextOf(request, suites, world);
  return ctx !== undefined && (await denyRequest(request, ctx)) !== undefined;
}

async function coolDownOne(subscriber: string, due: number, { locks, timeline, state }: World): Promise<void> {
  const label = { case: subscriber, for: 'the carrier to forget what the run that was cut off had begun' };
  timeline.enter();
  try {
    const giveBack = await locks.take([{ lock: `subscriber:${subscriber}`, exclusive: true }], label);
    if (due > timeline.now()) await timeline.wait({ due, label });
    giveBack();
  } catch (error) {
    if (!(error instanceof Interrupted || error instanceof Quarantined)) throw error;
    if (error instanceof Interrupted) {
      const words = `subscriber ${subscriber} cools down until ${new Date(due).toISOString()}, for what was begun before`;
      state.left.push({ about: 'events', words });
    }
  } finally {
    timeline.leave();
  }
}

/** Lets the subscribers of an interrupted run cool down, until the carrier has forgotten its events and requests. */
export async function coolDownLeft({ changes, requests, unanswered }: Left, world: World): Promise<void> {
  const until = new Map<string, number>();
  const coolDown = world.interface.timing.coolDown;
  const wait = (subscriber: string, due: number): void => {
    if (due > world.timeline.now()) until.set(subscriber, Math.max(due, until.get(subscriber) ?? 0));
  };
  for (const { action, subscriber, at, undoneAt = at, ended } of changes) {
    if (findAction(action, world.interface.actions)?.raisesEvents === true && !ended)
      wait(subscriber, undoneAt + coolDown * 1000);
  }
  for (const { subscriber, until: due } of unanswered) wait(subscriber, due);
  for (const request of requests) wait(request.subscriber, expiryOf(request, world.interface));
  await Promise.all([...until].map(([subscriber, due]) => coolDownOne(subscriber, due, world)));
}

/** Restores an interrupted run's results and undoes its changes. Throws if a change cannot be undone. */
export async function resumeRun(
  ids: readonly string[],
  world: World,
  { seal, options }: { readonly seal: RecordCipher; readonly options: RunOptions },
): Promise<Left> {
  const { resume: interrupted, suites } = options;
  if (interrupted === undefined) return nothingLeft;
  const { unsolicited, correlationKeys, ...left } = recover(interrupted, ids, {
    seal,
    invariants: world.invariants,
    correlation: world.interface.correlation,
  });
  world.state.unsolicited.push(...unsolicited);
  for (const one of correlationKeys) world.correlator.disown(one);
  for (const { exchanges, deliveries } of interrupted.cases.values()) {
    world.state.exchanges += exchanges;
    world.state.deliveries += deliveries;
  }
  try {
    const changes = await undoChanges(left.changes, suites, world);
    return { ...left, changes, requests: await denyPending(left.requests, suites, world) };
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    const message =
      '--resume: interrupted while it undid what the run that was cut off had changed; its journal is as it was';
    throw new CarrierspecError(message, { code: 'interrupted', cause: error });
  }
}
