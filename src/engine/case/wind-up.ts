import { type CaseRoom, Unmet } from '../world/case-room.ts';
import { drive } from '../drive/drive.ts';
import { restAfterEvents } from './hold-case.ts';
import type { Inbox } from '../world/inbox.ts';
import { takeBackOne } from '../drive/undo.ts';
import { longestWatch } from '../world/watched-life.ts';
import type { World } from '../world/world.ts';

const isPending = ({ answer, deliveries }: Inbox): boolean => answer?.outcome === 'accepted' && deliveries.length === 0;

/** Denies a request. False where that cannot be. */
async function deny({ step }: Inbox, room: CaseRoom, world: World): Promise<boolean> {
  const driver = world.target.drivers['deny'];
  if (driver === undefined) return false;
  try {
    return (await drive({ action: 'deny', driver, of: step, given: {} }, `end of ${step}`, room, world)).done;
  } catch (error) {
    if (!(error instanceof Unmet)) throw error;
    return false;
  }
}

/** Requests that would outlive the watch are denied, so that no stray of theirs reaches another case. */
export async function endLongLives(room: CaseRoom, world: World): Promise<void> {
  for (const inbox of room.inboxes) {
    if (isPending(inbox) && (inbox.answer?.granted ?? 0) > longestWatch) await deny(inbox, room, world);
  }
}

/** Once the run is stopped programs may run a last time, and nobody is asked for anything. */
function afterTheStop(stopped: World): World {
  const { operator: _, timeline, ...world } = stopped;
  return { ...world, timeline: { ...timeline, stopped: new AbortController().signal } };
}

const momentOf = (milliseconds: number): string => new Date(milliseconds).toISOString();

async function takeBackAll(room: CaseRoom, world: World): Promise<readonly string[]> {
  const left: string[] = [];
  for (const undo of room.undo.toReversed()) {
    try {
      await takeBackOne(undo, room, world);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      left.push(`${undo.lane.replace(':', ' ')} is changed, and ${undo.undoing.action} still to be done: ${why}`);
    }
  }
  return left;
}

/** Milliseconds for which the run denies after the stop: a carrier that does not answer must not keep it for ever. */
const longestStop = 60_000;

/** Milliseconds for which the callbacks of what was denied are awaited: later they would be strays of the next run. */
const lastWait = 2000;

/** Resolves when each of them has been called back, or the time is over. */
function lastCallbacks(denied: readonly Inbox[]): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, lastWait);
    const look = (): void => {
      if (denied.some(isPending)) return;
      clearTimeout(timer);
      resolve();
    };
    for (const { listeners } of denied) listeners.add(look);
    look();
  });
}

async function denyAll(room: CaseRoom, world: World): Promise<readonly string[]> {
  const left: string[] = [];
  const denied: Inbox[] = [];
  for (const inbox of room.inboxes.filter(isPending)) {
    const { sentAt = 0, granted } = inbox.answer ?? {};
    const until = (sentAt + (granted ?? longestWatch)) * 1000;
    if (until <= world.timeline.now()) continue;
    if (performance.now() < (world.stopping.until ?? 0) && (await deny(inbox, room, world))) {
      denied.push(inbox);
      continue;
    }
    const known = granted === undefined ? '' : ` until ${momentOf(until)}`;
    left.push(`the request of step ${inbox.step} to subscriber ${room.subscriber.name} is pending${known}`);
  }
  if (world.timeline.kind === 'real') await lastCallbacks(denied);
  return left;
}

/** §6: a carrier drops what it has sent within 60 minutes. */
function eventsOf({ eventsRaisedAt = 0, subscriber }: CaseRoom, { timeline }: World): readonly string[] {
  const until = eventsRaisedAt + restAfterEvents;
  if (until <= timeline.now()) return [];
  return [
    `events of subscriber ${subscriber.name} were raised: until ${momentOf(until)} the carrier may drop the like`,
  ];
}

/** A case that is stopped takes back what it changed, and denies what is pending. Gives in words what it leaves behind. */
export async function windUp(room: CaseRoom, stopped: World): Promise<readonly string[]> {
  const world = afterTheStop(stopped);
  world.stopping.until ??= performance.now() + longestStop;
  const left = [...(await takeBackAll(room, world)), ...(await denyAll(room, world)), ...eventsOf(room, world)];
  return left.map((words) => `${room.case.id}: ${room.redactor.text(words)}`);
}
