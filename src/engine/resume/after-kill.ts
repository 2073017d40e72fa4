import { findAction, undoOf } from '../../model/action.ts';
import { CarrierspecError } from '../../model/problem.ts';
import type { Suites } from '../../model/suite.ts';
import type { Driver } from '../../model/target.ts';
import { denyRequest } from '../drive/deny-request.ts';
import { driveBack, lockOf, NotPossible } from '../drive/undo.ts';
import { type Assignment, openContext, Unmet } from '../world/case-room.ts';
import { newCanary, restAfterEvents } from '../case/hold-case.ts';
import { planRun } from '../plan/plan.ts';
import type { Change, LeftChange, LeftRequest } from '../world/aside.ts';
import type { Restored } from './resume.ts';
import { Quarantined } from '../clock/lanes.ts';
import { Interrupted } from '../clock/timeline.ts';
import { watchedLife } from '../world/watched-life.ts';
import type { World } from '../world/world.ts';

/** A room for the case that did it, with the subscriber it was about. */
function roomOf(done: Pick<Change, 'case' | 'subscriber'>, { cases }: Pick<Suites, 'cases'>, world: World) {
  const { target, timeline } = world;
  const [planned] = planRun({ cases: cases.filter(({ id }) => id === done.case) }, target, cases);
  const subscriber = target.subscribers.find(({ name }) => name === done.subscriber);
  if (planned === undefined || !('assignment' in planned) || subscriber === undefined) return undefined;
  const assignment: Assignment = { ...planned.assignment, subscriber };
  return openContext(planned.case, assignment, { order: 0, startedAt: timeline.now(), canary: newCanary(world) });
}

/** True where it is taken back. Where the driver says that it is not possible, nobody sees what is left of it, if anything is. */
async function takeBackChange(change: Change, suites: Pick<Suites, 'cases'>, world: World): Promise<boolean> {
  const { action, given } = change;
  const needed = findAction(action)?.undo;
  if (needed === undefined) return false;
  const what = `what ${change.case} had changed when the run was cut off could not be taken back`;
  const ctx = roomOf(change, suites, world);
  try {
    if (ctx === undefined) throw new Unmet(`${needed} needs what the target has no longer, or somebody at a terminal`);
    const undo = undoOf(action, given, ctx.subscriber);
    if (undo === undefined) return false;
    await driveBack(undo, change, ctx, world);
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

/** Takes back, the last first, what is still changed. Gives all changes, with those times. Throws where that cannot be. */
export async function takeBackAfterKill(
  changes: readonly LeftChange[],
  suites: Pick<Suites, 'cases'>,
  world: World,
): Promise<readonly LeftChange[]> {
  const all: LeftChange[] = [];
  world.timeline.enter();
  try {
    for (const change of changes.toReversed()) {
      const undone = change.undoneAt === undefined && (await takeBackChange(change, suites, world));
      all.push(undone ? { ...change, ended: false, undoneAt: world.timeline.now() } : change);
    }
    return all;
  } finally {
    world.timeline.leave();
  }
}

/** Milliseconds: until when a request is waited for, as if its case were watched. */
const expiryOf = ({ response }: LeftRequest): number => (response.sentAt + watchedLife(response.granted)) * 1000;

/** It lives for as long as was granted; who knows for how long, where the answer did not say. */
const isPending = ({ response }: LeftRequest, { timeline }: World): boolean =>
  response.granted === undefined || (response.sentAt + response.granted) * 1000 > timeline.now();

/** A driver that needs nobody: a person would have to find each of them on the phone. */
function denyDriver({ target }: World): Driver | undefined {
  const driver = target.drivers['deny'];
  return driver?.kind === 'ask' ? undefined : driver;
}

/** Denies what cases that were cut off left pending. Gives what could not be denied: that is waited out (`restAfterKill`). */
export async function denyAfterKill(
  requests: readonly LeftRequest[],
  suites: Pick<Suites, 'cases'>,
  world: World,
): Promise<readonly LeftRequest[]> {
  const pending = requests.filter((one) => isPending(one, world));
  const driver = denyDriver(world);
  if (driver === undefined) return pending;
  const left: LeftRequest[] = [];
  world.timeline.enter();
  try {
    for (const request of pending) if (!(await denyOne(request, driver, suites, world))) left.push(request);
  } finally {
    world.timeline.leave();
  }
  return left;
}

/** True where it is denied, or the carrier knows nothing of it any more. */
async function denyOne(
  request: LeftRequest,
  driver: Driver,
  suites: Pick<Suites, 'cases'>,
  world: World,
): Promise<boolean> {
  const ctx = roomOf(request, suites, world);
  return ctx !== undefined && (await denyRequest(request, driver, ctx, world)) !== undefined;
}

async function restOne(subscriber: string, due: number, { locks, timeline, stopping }: World): Promise<void> {
  const label = { case: subscriber, for: 'the carrier to forget what the run that was cut off had begun' };
  timeline.enter();
  try {
    const giveBack = await locks.take([{ lock: `subscriber:${subscriber}`, exclusive: true }], label);
    if (due > timeline.now()) await timeline.park({ due, label });
    giveBack();
  } catch (error) {
    if (!(error instanceof Interrupted || error instanceof Quarantined)) throw error;
    if (error instanceof Interrupted) {
      const words = `subscriber ${subscriber} rests until ${new Date(due).toISOString()}, for what was begun before`;
      stopping.left.push({ about: 'events', words });
    }
  } finally {
    timeline.leave();
  }
}

/** What is left of cases that were cut off; of their requests those that nobody could deny. */
export type Left = Omit<Restored, 'unsolicited' | 'correlationKeys'>;

/**
 * §6: subscribers whose events a case that was cut off had raised rest until the carrier has forgotten them; those whose
 * requests nobody could deny, or may be pending for all that was heard of them, until these are over.
 */
export async function restAfterKill({ changes, requests, unanswered }: Left, world: World): Promise<void> {
  const until = new Map<string, number>();
  const wait = (subscriber: string, due: number): void => {
    if (due > world.timeline.now()) until.set(subscriber, Math.max(due, until.get(subscriber) ?? 0));
  };
  for (const { action, subscriber, at, undoneAt = at, ended } of changes) {
    if (findAction(action)?.raisesEvents === true && !ended) wait(subscriber, undoneAt + restAfterEvents);
  }
  for (const { subscriber, until: due } of unanswered) wait(subscriber, due);
  for (const request of requests) wait(request.subscriber, expiryOf(request));
  await Promise.all([...until].map(([subscriber, due]) => restOne(subscriber, due, world)));
}
