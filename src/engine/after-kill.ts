import { findAction } from '../model/action.ts';
import { CarrierspecError } from '../model/problem.ts';
import type { Suites } from '../model/suite.ts';
import type { Driver } from '../model/target.ts';
import { drive } from './act-trigger.ts';
import { type Cast, openRoom, Unmet } from './case-room.ts';
import { newCanary, restAfterEvents } from './hold-case.ts';
import { planRun } from './plan.ts';
import type { Change, LeftRequest, Restored } from './resume.ts';
import { Interrupted } from './timeline.ts';
import { longestWatch } from './watch-case.ts';
import type { World } from './world.ts';

/** A room for the case that did it, with the subscriber it was about. */
function roomOf(done: Pick<Change, 'case' | 'subscriber'>, { cases }: Pick<Suites, 'cases'>, world: World) {
  const { target, timeline } = world;
  const [planned] = planRun({ cases: cases.filter(({ id }) => id === done.case) }, target, cases);
  const subscriber = target.subscribers.find(({ name }) => name === done.subscriber);
  if (planned === undefined || !('cast' in planned) || subscriber === undefined) return undefined;
  const cast: Cast = { ...planned.cast, subscriber };
  return openRoom(planned.case, cast, { order: 0, startedAt: timeline.now(), canary: newCanary(world) });
}

async function takeBackOne(change: Change, suites: Pick<Suites, 'cases'>, world: World): Promise<void> {
  const undo = findAction(change.action)?.undo;
  const driver = undo === undefined ? undefined : world.target.drivers[undo];
  const room = roomOf(change, suites, world);
  if (undo === undefined || driver === undefined || room === undefined) return;
  const { of, given, step } = change;
  try {
    await drive({ action: undo, driver, of, given }, `undo of ${step}`, room, world);
  } catch (error) {
    if (!(error instanceof Unmet)) throw error;
    const message = `--resume: what ${change.case} had changed when the run was cut off could not be taken back: ${error.message}`;
    throw new CarrierspecError(message, { kind: 'unreachable', code: 'not-taken-back', cause: error });
  }
}

/** Takes back, the last first, what cases that were cut off had changed. Throws where that cannot be. */
export async function takeBackAfterKill(
  changes: readonly Change[],
  suites: Pick<Suites, 'cases'>,
  world: World,
): Promise<void> {
  world.timeline.enter();
  try {
    for (const change of changes.toReversed()) await takeBackOne(change, suites, world);
  } finally {
    world.timeline.leave();
  }
}

/** Milliseconds: when a request is over by itself; who is watched for no longer is not waited for any longer. */
const expiryOf = ({ answer }: LeftRequest): number =>
  (answer.sentAt + Math.min(answer.granted ?? 0, longestWatch)) * 1000;

const isPending = (request: LeftRequest, { timeline }: World): boolean => expiryOf(request) > timeline.now();

/** A driver that needs nobody: a person would have to find each of them on the phone. */
function denyDriver({ target }: World): Driver | undefined {
  const driver = target.drivers['deny'];
  return driver?.kind === 'ask' ? undefined : driver;
}

/** Denies what cases that were cut off left pending; what cannot be denied is over, or is waited out (`restAfterKill`). */
export async function denyAfterKill(
  requests: readonly LeftRequest[],
  suites: Pick<Suites, 'cases'>,
  world: World,
): Promise<void> {
  const driver = denyDriver(world);
  if (driver === undefined) return;
  world.timeline.enter();
  try {
    for (const request of requests.filter((one) => isPending(one, world))) {
      const room = roomOf(request, suites, world);
      if (room === undefined) continue;
      room.traces.set(request.step, request.answer);
      try {
        await drive({ action: 'deny', driver, of: request.step, given: {} }, `end of ${request.step}`, room, world);
      } catch (error) {
        if (!(error instanceof Unmet)) throw error;
      }
    }
  } finally {
    world.timeline.leave();
  }
}

async function restOne(subscriber: string, due: number, { lanes, timeline }: World): Promise<void> {
  const label = { case: subscriber, for: 'the carrier to forget what the run that was cut off had begun' };
  timeline.enter();
  try {
    const giveBack = await lanes.take([{ lane: `subscriber:${subscriber}`, alone: true }], label);
    if (due > timeline.now()) await timeline.park({ due, label });
    giveBack();
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
  } finally {
    timeline.leave();
  }
}

/** What is left of cases that were cut off. */
export type Left = Omit<Restored, 'strays'>;

/**
 * §6: subscribers whose events a case that was cut off had raised rest until the carrier has forgotten them; those whose
 * requests nobody can deny, or may be pending for all that was heard of them, until these are over.
 */
export async function restAfterKill({ changes, requests, unanswered }: Left, world: World): Promise<void> {
  const until = new Map<string, number>();
  const wait = (subscriber: string, due: number): void => {
    if (due > world.timeline.now()) until.set(subscriber, Math.max(due, until.get(subscriber) ?? 0));
  };
  for (const { action, subscriber, at } of changes) {
    if (findAction(action)?.raisesEvents === true) wait(subscriber, at + restAfterEvents);
  }
  for (const { subscriber, until: due } of unanswered) wait(subscriber, due);
  if (denyDriver(world) === undefined) for (const request of requests) wait(request.subscriber, expiryOf(request));
  await Promise.all([...until].map(([subscriber, due]) => restOne(subscriber, due, world)));
}
