import type { CaseContext, RequestInbox, Undo } from '../context/case-context.ts';
import type { LeftBehind } from '../context/run-state.ts';
import { undoAll } from '../drive/changes.ts';
import { messageOf } from '../../lib/errors.ts';
import { deny, isPending } from '../drive/drive.ts';

/** Waits until the carrier shows the changes of the case, and has forgotten the events that it raised. */
export async function coolDown({ state, now, wait, world }: CaseContext): Promise<void> {
  if (state.shownAt > now()) await wait({ due: state.shownAt, for: 'the carrier to know what was undone' });
  if (state.eventsRaised.size === 0) return;
  const due = Math.max(...state.eventsRaised.values()) + world.interface.timing.coolDown * 1000;
  if (due > now()) await wait({ due, for: 'the carrier to forget the events' });
}

const momentOf = (milliseconds: number): string => new Date(milliseconds).toISOString();

const stillChanged = ({ lock, undoing }: Undo): string =>
  `${lock.replace(':', ' ')} is changed, and ${undoing.action} still to be done`;

/** Changes that a finished case could not undo; its reason says why. */
export const changesLeftBy = ({ state, case: { id } }: CaseContext): readonly LeftBehind[] =>
  state.undo.map((one) => ({ about: 'change', words: `${id}: ${stillChanged(one)}` }));

/** Longest time for denying requests after a stop, in milliseconds: an unresponsive carrier must not block the end. */
const longestStop = 60_000;

/** Wait for the callbacks of denied requests, in milliseconds: later they would be unsolicited in the next run. */
const lastWait = 2000;

/** Resolves when every request has had its callback, or the time is up. */
function lastCallbacks(denied: readonly RequestInbox[]): Promise<void> {
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

function pendingRequest({ step, response }: RequestInbox, until: number, { subscriber }: CaseContext): LeftBehind {
  const known = response?.granted === undefined ? '' : ` until ${momentOf(until)}`;
  return { about: 'request', words: `the request of step ${step} to subscriber ${subscriber.name} is pending${known}` };
}

interface Pending {
  readonly inbox: RequestInbox;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

function pendingIn({ state, world, now }: CaseContext): readonly Pending[] {
  return state.inboxes.filter(isPending).flatMap((inbox) => {
    const { sentAt = 0, granted = world.interface.timing.longestWatch } = inbox.response ?? {};
    const until = (sentAt + granted) * 1000;
    return until <= now() ? [] : [{ inbox, until }];
  });
}

async function denyStopped(ctx: CaseContext): Promise<readonly LeftBehind[]> {
  const { state, timeline } = ctx.world;
  const left: LeftBehind[] = [];
  const denied: RequestInbox[] = [];
  for (const { inbox, until } of pendingIn(ctx)) {
    const inTime = performance.now() < (state.denyUntil ?? 0);
    if (inTime && (await deny(inbox, ctx))) denied.push(inbox);
    else left.push(pendingRequest(inbox, until, ctx));
  }
  if (timeline.kind === 'real') await lastCallbacks(denied);
  return left;
}

/** Events that the case raised less than a cool-down ago: the carrier may drop similar ones. */
const eventsLeftBy = ({ state, now, world }: CaseContext): readonly LeftBehind[] =>
  [...state.eventsRaised].flatMap(([subscriber, at]): readonly LeftBehind[] => {
    const until = at + world.interface.timing.coolDown * 1000;
    if (until <= now()) return [];
    const words = `events of subscriber ${subscriber} were raised: until ${momentOf(until)} the carrier may drop the like`;
    return [{ about: 'events', words }];
  });

/** Returns what a case with none after it leaves at the carrier. */
export const whatStays = (ctx: CaseContext): readonly LeftBehind[] =>
  [...pendingIn(ctx).map(({ inbox, until }) => pendingRequest(inbox, until, ctx)), ...eventsLeftBy(ctx)].map(
    ({ about, words }) => ({ about, words: ctx.redactor.text(words) }),
  );

/** Undoes the changes of a stopped case and denies its pending requests. Returns what it leaves behind. */
export async function tearDown(stopped: CaseContext): Promise<readonly LeftBehind[]> {
  // Programs may run once more, but the operator is not asked again.
  const { operator: _, timeline, ...rest } = stopped.world;
  const ctx = stopped.within({ ...rest, timeline: { ...timeline, stopped: new AbortController().signal } });
  ctx.world.state.denyUntil ??= performance.now() + longestStop;
  const changes = (await undoAll(ctx)).map(
    ({ undo, error }): LeftBehind => ({ about: 'change', words: `${stillChanged(undo)}: ${messageOf(error)}` }),
  );
  const left = [...changes, ...(await denyStopped(ctx)), ...eventsLeftBy(ctx)];
  return left.map(({ about, words }) => ({ about, words: `${ctx.case.id}: ${ctx.redactor.text(words)}` }));
}

/** Most pending requests reported one by one. */
const mostRequests = 25;

/** Describes what is left behind: changes first, then events, then requests. */
export function describeLeft(left: readonly LeftBehind[]): readonly string[] {
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
