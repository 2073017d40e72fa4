import { findAction } from '../model/action.ts';
import { CarrierspecError } from '../model/problem.ts';
import type { Suites } from '../model/suite.ts';
import { drive } from './act-trigger.ts';
import { type Cast, openRoom, Unmet } from './case-room.ts';
import { newCanary, restAfterEvents } from './hold-case.ts';
import { planRun } from './plan.ts';
import type { Change } from './resume.ts';
import { Interrupted } from './timeline.ts';
import type { World } from './world.ts';

/** The case of a change, with the subscriber it was about. */
function castOf(change: Change, { cases }: Pick<Suites, 'cases'>, { target }: World) {
  const [planned] = planRun({ cases: cases.filter(({ id }) => id === change.case) }, target, cases);
  const subscriber = target.subscribers.find(({ name }) => name === change.subscriber);
  if (planned === undefined || !('cast' in planned) || subscriber === undefined) return undefined;
  const cast: Cast = { ...planned.cast, subscriber };
  return { case: planned.case, cast };
}

async function takeBackOne(change: Change, suites: Pick<Suites, 'cases'>, world: World): Promise<void> {
  const undo = findAction(change.action)?.undo;
  const driver = undo === undefined ? undefined : world.target.drivers[undo];
  const found = castOf(change, suites, world);
  if (undo === undefined || driver === undefined || found === undefined) return;
  const room = openRoom(found.case, found.cast, {
    order: 0,
    startedAt: world.timeline.now(),
    canary: newCanary(world),
  });
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

async function restOne(subscriber: string, due: number, { lanes, timeline }: World): Promise<void> {
  const label = { case: subscriber, for: 'the carrier to forget the events of the run that was cut off' };
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

/** §6: subscribers whose events a case that was cut off had raised rest until the carrier has forgotten them. */
export async function restAfterKill(changes: readonly Change[], world: World): Promise<void> {
  const raised = new Map<string, number>();
  for (const { action, subscriber, at } of changes) {
    if (findAction(action)?.raisesEvents !== true) continue;
    raised.set(subscriber, Math.max(at, raised.get(subscriber) ?? 0));
  }
  const due = [...raised].map(([subscriber, at]) => [subscriber, at + restAfterEvents] as const);
  const rests = due.filter(([, until]) => until > world.timeline.now());
  await Promise.all(rests.map(([subscriber, until]) => restOne(subscriber, until, world)));
}
