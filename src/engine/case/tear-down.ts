import type { CaseContext, Undo } from '../context/case-context.ts';
import { denyRequest } from '../drive/deny-request.ts';
import { restAfterEvents } from './locks.ts';
import type { Inbox } from '../context/inbox.ts';
import { takeBackAll } from '../drive/undo.ts';
import { longestWatch } from '../context/observation-window.ts';
import type { LeftBehind, World } from '../context/world.ts';

const isPending = ({ response, deliveries }: Inbox): boolean =>
  response?.outcome === 'accepted' && deliveries.length === 0;

/** Denies a request. False where that cannot be. */
async function deny({ step, response }: Inbox, ctx: CaseContext, world: World): Promise<boolean> {
  const driver = world.target.drivers['deny'];
  if (driver === undefined || response === undefined) return false;
  return (await denyRequest({ step, response }, driver, ctx, world))?.done === true;
}

/** Requests that would outlive the watch are denied, so that no stray of theirs reaches another case. */
export async function endLongLives(ctx: CaseContext, world: World): Promise<void> {
  for (const inbox of ctx.inboxes) {
    if (isPending(inbox) && (inbox.response?.granted ?? 0) > longestWatch) await deny(inbox, ctx, world);
  }
}

/** Once the run is stopped programs may run a last time, and nobody is asked for anything. */
function afterTheStop(stopped: World): World {
  const { operator: _, timeline, ...world } = stopped;
  return { ...world, timeline: { ...timeline, stopped: new AbortController().signal } };
}

const momentOf = (milliseconds: number): string => new Date(milliseconds).toISOString();

const stillChanged = ({ lock, undoing }: Undo): string =>
  `${lock.replace(':', ' ')} is changed, and ${undoing.action} still to be done`;

/** What a case that came to its end could not take back; why is in its reason. */
export const changesLeftBy = ({ undo, case: { id } }: CaseContext): readonly LeftBehind[] =>
  undo.map((one) => ({ about: 'change', words: `${id}: ${stillChanged(one)}` }));

async function undoAll(ctx: CaseContext, world: World): Promise<readonly LeftBehind[]> {
  return (await takeBackAll(ctx, world)).map(({ undo, error }) => {
    const why = error instanceof Error ? error.message : String(error);
    return { about: 'change', words: `${stillChanged(undo)}: ${why}` };
  });
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

async function denyAll(ctx: CaseContext, world: World): Promise<readonly LeftBehind[]> {
  const left: LeftBehind[] = [];
  const denied: Inbox[] = [];
  for (const inbox of ctx.inboxes.filter(isPending)) {
    const { sentAt = 0, granted } = inbox.response ?? {};
    const until = (sentAt + (granted ?? longestWatch)) * 1000;
    if (until <= world.timeline.now()) continue;
    if (performance.now() < (world.stopping.until ?? 0) && (await deny(inbox, ctx, world))) {
      denied.push(inbox);
      continue;
    }
    const known = granted === undefined ? '' : ` until ${momentOf(until)}`;
    const words = `the request of step ${inbox.step} to subscriber ${ctx.subscriber.name} is pending${known}`;
    left.push({ about: 'request', words });
  }
  if (world.timeline.kind === 'real') await lastCallbacks(denied);
  return left;
}

/** §6: a carrier drops what it has sent within 60 minutes. */
const eventsOf = ({ eventsRaised }: CaseContext, { timeline }: World): readonly LeftBehind[] =>
  [...eventsRaised].flatMap(([subscriber, at]): readonly LeftBehind[] => {
    const until = at + restAfterEvents;
    if (until <= timeline.now()) return [];
    const words = `events of subscriber ${subscriber} were raised: until ${momentOf(until)} the carrier may drop the like`;
    return [{ about: 'events', words }];
  });

/** A case that is stopped takes back what it changed, and denies what is pending. Gives what it leaves behind. */
export async function windUp(ctx: CaseContext, stopped: World): Promise<readonly LeftBehind[]> {
  const world = afterTheStop(stopped);
  world.stopping.until ??= performance.now() + longestStop;
  const left = [...(await undoAll(ctx, world)), ...(await denyAll(ctx, world)), ...eventsOf(ctx, world)];
  return left.map(({ about, words }) => ({ about, words: `${ctx.case.id}: ${ctx.redactor.text(words)}` }));
}

/** Pending requests that are told one by one. */
const mostRequests = 25;

/** Changes first, then events: all of them. */
export function leftInWords(left: readonly LeftBehind[]): readonly string[] {
  const of = (about: LeftBehind['about']): readonly string[] =>
    left.flatMap((one) => (one.about === about ? [one.words] : []));
  const requests = of('request');
  const more = requests.length - mostRequests;
  return [
    ...of('change'),
    ...of('events'),
    ...requests.slice(0, mostRequests),
    ...(more > 0 ? [`and ${more} more requests are pending`] : []),
  ];
}
