import type { CaseContext, CaseWith, PendingUndo, RequestInbox } from '../context/case-context.ts';
import type { Remnant } from '../context/run-state.ts';
import { undoAll } from '../drive/changes.ts';
import { errorMessage } from '../../lib/errors.ts';
import { denyInbox, isInboxPending } from '../drive/drive.ts';
import { afterSeconds, dueMillis, latest, type Millis } from '../../lib/time.ts';

/** Waits until the carrier shows the changes of the case, and has forgotten the events that it raised. */
export async function coolDown({
  state,
  now,
  wait,
  services,
}: CaseWith<'now' | 'state' | 'wait', 'interface'>): Promise<void> {
  if (state.shownAt > now()) await wait({ due: state.shownAt, for: 'the carrier to know what was undone' });
  if (state.eventsRaised.size === 0) return;
  const due = afterSeconds(latest(...state.eventsRaised.values()), services.interface.timing.coolDown);
  if (due > now()) await wait({ due, for: 'the carrier to forget the events' });
}

const formatUtc = (milliseconds: Millis): string => new Date(milliseconds).toISOString();

const describeRemaining = ({ lock, undoing }: PendingUndo): string =>
  `${lock.replace(':', ' ')} is changed, and ${undoing.action} still to be done`;

/** Changes that a finished case could not undo; its reason says why. */
export const remainingChanges = ({ state, case: { id } }: Pick<CaseContext, 'case' | 'state'>): readonly Remnant[] =>
  state.undo.map((one) => ({ about: 'change', words: `${id}: ${describeRemaining(one)}` }));

/** Longest time for denying requests after a stop, in milliseconds: an unresponsive carrier must not block the end. */
const maxTearDown = 60_000;

/** Wait for the callbacks of denied requests, in milliseconds: later they would be unsolicited in the next run. */
const maxCallbackWait = 2000;

/** Resolves when every request has had its callback, or the time is up. */
function awaitLastCallbacks(denied: readonly RequestInbox[]): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, maxCallbackWait);
    const look = (): void => {
      if (denied.some(isInboxPending)) return;
      clearTimeout(timer);
      resolve();
    };
    for (const { listeners } of denied) listeners.add(look);
    look();
  });
}

function describePending(
  { step, response }: RequestInbox,
  until: Millis,
  { subscriber }: Pick<CaseContext, 'subscriber'>,
): Remnant {
  const known = response?.granted === undefined ? '' : ` until ${formatUtc(until)}`;
  return { about: 'request', words: `the request of step ${step} to subscriber ${subscriber.name} is pending${known}` };
}

interface PendingRequest {
  readonly inbox: RequestInbox;
  readonly until: Millis;
}

function pendingRequests({ state, services, now }: CaseWith<'now' | 'state', 'interface'>): readonly PendingRequest[] {
  return state.inboxes.filter(isInboxPending).flatMap((inbox) => {
    const { sentAt = 0, granted = services.interface.timing.longestWatch } = inbox.response ?? {};
    const until = dueMillis(sentAt + granted);
    return until <= now() ? [] : [{ inbox, until }];
  });
}

async function denyStopped(ctx: CaseContext): Promise<readonly Remnant[]> {
  const { state, timeline } = ctx.services;
  const left: Remnant[] = [];
  const denied: RequestInbox[] = [];
  for (const { inbox, until } of pendingRequests(ctx)) {
    const inTime = performance.now() < (state.denyUntil ?? 0);
    if (inTime && (await denyInbox(inbox, ctx))) denied.push(inbox);
    else left.push(describePending(inbox, until, ctx));
  }
  if (timeline.kind === 'real') await awaitLastCallbacks(denied);
  return left;
}

/** Events that the case raised less than a cool-down ago: the carrier may drop similar ones. */
const remainingEvents = ({ state, now, services }: CaseWith<'now' | 'state', 'interface'>): readonly Remnant[] =>
  [...state.eventsRaised].flatMap(([subscriber, at]): readonly Remnant[] => {
    const until = afterSeconds(at, services.interface.timing.coolDown);
    if (until <= now()) return [];
    const words = `events of subscriber ${subscriber} were raised: until ${formatUtc(until)} the carrier may drop the like`;
    return [{ about: 'events', words }];
  });

/** Returns what a case with none after it leaves at the carrier. */
export const remainsOfCase = (
  ctx: CaseWith<'now' | 'redactor' | 'state' | 'subscriber', 'interface'>,
): readonly Remnant[] =>
  [...pendingRequests(ctx).map(({ inbox, until }) => describePending(inbox, until, ctx)), ...remainingEvents(ctx)].map(
    ({ about, words }) => ({ about, words: ctx.redactor.text(words) }),
  );

/** Undoes the changes of a stopped case and denies its pending requests. Returns what it leaves behind. */
export async function tearDownStopped(stopped: CaseContext): Promise<readonly Remnant[]> {
  // Programs may run once more, but the operator is not asked again.
  const { operator: _, timeline, ...rest } = stopped.services;
  const ctx = stopped.within({ ...rest, timeline: { ...timeline, stopped: new AbortController().signal } });
  ctx.services.state.denyUntil ??= performance.now() + maxTearDown;
  const changes = (await undoAll(ctx)).map(
    ({ undo, error }): Remnant => ({ about: 'change', words: `${describeRemaining(undo)}: ${errorMessage(error)}` }),
  );
  const left = [...changes, ...(await denyStopped(ctx)), ...remainingEvents(ctx)];
  return left.map(({ about, words }) => ({ about, words: `${ctx.case.id}: ${ctx.redactor.text(words)}` }));
}

/** Most pending requests reported one by one. */
const maxListedRequests = 25;

/** Describes what is left behind: changes first, then events, then requests. */
export function describeRemains(left: readonly Remnant[]): readonly string[] {
  const of = (about: Remnant['about']): readonly string[] =>
    left.flatMap((one) => (one.about === about ? [one.words] : []));
  const requests = of('request');
  const more = requests.length - maxListedRequests;
  return [
    ...of('change'),
    ...of('events'),
    ...requests.slice(0, maxListedRequests),
    ...(more > 0 ? [`and ${more} more requests are pending`] : []),
  ];
}
