import { type CaseBounds, defaultBounds, exclusiveSubscribers } from '../case/locks.ts';
import type { LockRequest } from '../clock/scheduler.ts';
import type { TimedCase } from './assign.ts';

const subscriberLockPrefix = 'subscriber:';

export const hasExclusive = ({ wants }: Pick<TimedCase, 'wants'>, what = ''): boolean =>
  wants.some(({ lock, exclusive }) => exclusive && lock.startsWith(what));

/** Seconds after which a shared case has usually ended. */
const usualHeldSeconds = 300;

function packItem(timed: TimedCase) {
  const { wants, planned, time } = timed;
  const parties = wants.filter(({ lock }) => !lock.startsWith(subscriberLockPrefix));
  return {
    timed,
    wants,
    owner: planned.assignment.subscriber.name,
    exclusive: hasExclusive(timed),
    /** Names of the subscribers it holds exclusively, and whether for longer than other cases last. */
    held: exclusiveSubscribers(wants),
    lasts: time.held >= usualHeldSeconds,
    /** Its locks on registrations and keys, if one of them is exclusive. */
    keeps: parties.some(({ exclusive }) => exclusive) ? parties : [],
  };
}

type PackedItem = ReturnType<typeof packItem>;

/** Case and its start, in seconds from the start of the run. */
export interface StartedCase {
  readonly timed: TimedCase;
  readonly begins: number;
}

interface PackUse {
  shared: number;
  exclusive: boolean;
}

interface Packing {
  readonly places: { readonly all: number; readonly ofOne: number };
  readonly hides: boolean;
  readonly uses: Map<string, PackUse>;
  /** Open cases by subscriber; `all` is their sum. */
  readonly open: Map<string, number>;
  all: number;
  /** Seconds from the start of the run. */
  now: number;
  /** Later events, by their moment. */
  readonly later: Map<number, (() => void)[]>;
  /** Cases still to begin, by subscriber: long exclusive ones in `lasting`, shared ones in `sharing`. */
  readonly lasting: Map<string, number>;
  readonly sharing: Map<string, number>;
}

function packUse({ uses }: Packing, lock: string): PackUse {
  const known = uses.get(lock);
  if (known !== undefined) return known;
  const use = { shared: 0, exclusive: false };
  uses.set(lock, use);
  return use;
}

/** Locks reserved for a waiting case, because others would use them without a gap: true if no other case may share them. */
type ReservedLocks = Map<string, boolean>;

const areLocksFree = (packing: Packing, { wants }: PackedItem, kept: ReservedLocks): boolean =>
  wants.every(({ lock, exclusive }) => {
    const { shared, exclusive: taken } = packUse(packing, lock);
    if (taken || (exclusive && shared > 0)) return false;
    const keptAlone = kept.get(lock);
    return keptAlone === undefined || (!keptAlone && !exclusive);
  });

const casesAt = (counts: Map<string, number>, name: string): number => counts.get(name) ?? 0;
const addCount = (counts: Map<string, number>, name: string, by: number): void => {
  counts.set(name, casesAt(counts, name) + by);
};

/** Whether shared cases fit in while the exclusive cases of a subscriber cool down. */
const fitsCoolDown = ({ places, lasting, sharing, hides }: Packing, subscriber: string): boolean =>
  hides && casesAt(lasting, subscriber) * (places.ofOne - 1) >= casesAt(sharing, subscriber);

/** Whether a place is free. Shared cases leave places to exclusive ones: one per subscriber, and one of its own if both fit. */
function hasPlace({ owner, exclusive }: PackedItem, packing: Packing): boolean {
  const { places, open, all, lasting } = packing;
  const isLeft = !exclusive && fitsCoolDown(packing, owner);
  const mostOfAll = exclusive ? places.all : Math.max(1, places.all - lasting.size);
  return all < mostOfAll && casesAt(open, owner) < places.ofOne - Number(isLeft);
}

/** Whether a long exclusive case would delay the shared cases that go before it. */
const wouldDelayShared = ({ held, lasts }: PackedItem, packing: Packing): boolean =>
  lasts && held.some((name) => casesAt(packing.sharing, name) > 0 && !fitsCoolDown(packing, name));

/** Counts a case among those still to begin. */
function addWaiting({ lasting, sharing }: Packing, { exclusive, lasts, held, owner }: PackedItem, by: number): void {
  if (!exclusive) addCount(sharing, owner, by);
  else if (lasts) for (const name of held) addCount(lasting, name, by);
}

function useLocks(packing: Packing, wants: readonly LockRequest[], by: 1 | -1): void {
  for (const { lock, exclusive } of wants) {
    const one = packUse(packing, lock);
    if (exclusive) one.exclusive = by === 1;
    else one.shared += by;
  }
}

function scheduleLater({ later }: Packing, at: number, what: () => void): void {
  const already = later.get(at);
  if (already === undefined) later.set(at, [what]);
  else already.push(what);
}

function beginItem(packing: Packing, item: PackedItem): void {
  const { wants, owner, timed } = item;
  const { now } = packing;
  addWaiting(packing, item, -1);
  if (timed.time.held > 0) {
    useLocks(packing, wants, 1);
    scheduleLater(packing, now + timed.time.held, () => useLocks(packing, wants, -1));
  }
  if (timed.time.total === 0) return;
  packing.all += 1;
  addCount(packing.open, owner, 1);
  scheduleLater(packing, now + timed.time.total, () => {
    packing.all -= 1;
    addCount(packing.open, owner, -1);
  });
}

/** Whether a case may reserve locks; not while it waits for a subscriber that cools down, perhaps for a day. */
const mayReserve = (packing: Packing, { wants, keeps }: PackedItem): boolean =>
  keeps.length > 0 && wants.every((want) => keeps.includes(want) || !packUse(packing, want.lock).exclusive);

/** Begins the cases that can begin now, in order. Returns the others. */
function beginReady(packing: Packing, waiting: readonly PackedItem[], begun: StartedCase[]): readonly PackedItem[] {
  const kept: ReservedLocks = new Map();
  return waiting.filter((item) => {
    if (!hasPlace(item, packing) || wouldDelayShared(item, packing)) return true;
    if (areLocksFree(packing, item, kept)) {
      beginItem(packing, item);
      begun.push({ timed: item.timed, begins: packing.now });
      return false;
    }
    if (mayReserve(packing, item))
      for (const { lock, exclusive } of item.keeps) kept.set(lock, exclusive || kept.get(lock) === true);
    return true;
  });
}

function startPacking(items: readonly PackedItem[], { all, ofOne }: CaseBounds, hides: boolean): Packing {
  const places = { all: all ?? defaultBounds.all, ofOne: ofOne ?? defaultBounds.ofOne };
  const counts = { open: new Map(), lasting: new Map(), sharing: new Map() };
  const packing = {
    places,
    hides: hides && places.ofOne > 1,
    uses: new Map(),
    all: 0,
    now: 0,
    later: new Map(),
    ...counts,
  };
  for (const item of items) addWaiting(packing, item, 1);
  return packing;
}

/** Simulates a run in which each case begins as soon as its resources are free. */
export function packCases(order: readonly TimedCase[], bounds: CaseBounds, hides: boolean): readonly StartedCase[] {
  const items = order.map(packItem);
  const packing = startPacking(items, bounds, hides);
  const begun: StartedCase[] = [];
  let waiting: readonly PackedItem[] = items;
  while (waiting.length > 0 && Number.isFinite(packing.now)) {
    for (const happens of packing.later.get(packing.now) ?? []) happens();
    packing.later.delete(packing.now);
    waiting = beginReady(packing, waiting, begun);
    packing.now = Math.min(...packing.later.keys());
  }
  return [...begun, ...waiting.map(({ timed }) => ({ timed, begins: Number.POSITIVE_INFINITY }))];
}
