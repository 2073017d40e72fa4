import { type Bounds, defaultBounds, heldBy } from '../case/locks.ts';
import type { Want } from '../clock/scheduler.ts';
import type { Timed } from './assign.ts';

const ofSubscriber = 'subscriber:';

export const hasExclusive = ({ wants }: Pick<Timed, 'wants'>, what = ''): boolean =>
  wants.some(({ lock, exclusive }) => exclusive && lock.startsWith(what));

/** Seconds after which a shared case has usually ended. */
const usual = 300;

function itemOf(timed: Timed) {
  const { wants, planned, time } = timed;
  const parties = wants.filter(({ lock }) => !lock.startsWith(ofSubscriber));
  return {
    timed,
    wants,
    owner: planned.assignment.subscriber.name,
    exclusive: hasExclusive(timed),
    /** Names of the subscribers it holds exclusively, and whether for longer than other cases last. */
    held: heldBy(wants),
    lasts: time.held >= usual,
    /** Its locks on registrations and keys, if one of them is exclusive. */
    keeps: parties.some(({ exclusive }) => exclusive) ? parties : [],
  };
}

type Item = ReturnType<typeof itemOf>;

/** Case and its start, in seconds from the start of the run. */
export interface Begun {
  readonly timed: Timed;
  readonly begins: number;
}

interface Use {
  shared: number;
  exclusive: boolean;
}

interface Packing {
  readonly places: { readonly all: number; readonly ofOne: number };
  readonly hides: boolean;
  readonly uses: Map<string, Use>;
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

function useOf({ uses }: Packing, lock: string): Use {
  const known = uses.get(lock);
  if (known !== undefined) return known;
  const use = { shared: 0, exclusive: false };
  uses.set(lock, use);
  return use;
}

/** Locks reserved for a waiting case, because others would use them without a gap: true if no other case may share them. */
type Kept = Map<string, boolean>;

const isFree = (packing: Packing, { wants }: Item, kept: Kept): boolean =>
  wants.every(({ lock, exclusive }) => {
    const { shared, exclusive: taken } = useOf(packing, lock);
    if (taken || (exclusive && shared > 0)) return false;
    const keptAlone = kept.get(lock);
    return keptAlone === undefined || (!keptAlone && !exclusive);
  });

const countOf = (counts: Map<string, number>, name: string): number => counts.get(name) ?? 0;
const add = (counts: Map<string, number>, name: string, by: number): void => {
  counts.set(name, countOf(counts, name) + by);
};

/** Whether shared cases fit in while the exclusive cases of a subscriber cool down. */
const canHide = ({ places, lasting, sharing, hides }: Packing, subscriber: string): boolean =>
  hides && countOf(lasting, subscriber) * (places.ofOne - 1) >= countOf(sharing, subscriber);

/** Whether a place is free. Shared cases leave places to exclusive ones: one per subscriber, and one of its own if both fit. */
function hasPlace({ owner, exclusive }: Item, packing: Packing): boolean {
  const { places, open, all, lasting } = packing;
  const isLeft = !exclusive && canHide(packing, owner);
  const mostOfAll = exclusive ? places.all : Math.max(1, places.all - lasting.size);
  return all < mostOfAll && countOf(open, owner) < places.ofOne - Number(isLeft);
}

/** Whether a long exclusive case would delay the shared cases that go before it. */
const isTooSoon = ({ held, lasts }: Item, packing: Packing): boolean =>
  lasts && held.some((name) => countOf(packing.sharing, name) > 0 && !canHide(packing, name));

/** Counts a case among those still to begin. */
function count({ lasting, sharing }: Packing, { exclusive, lasts, held, owner }: Item, by: number): void {
  if (!exclusive) add(sharing, owner, by);
  else if (lasts) for (const name of held) add(lasting, name, by);
}

function use(packing: Packing, wants: readonly Want[], by: 1 | -1): void {
  for (const { lock, exclusive } of wants) {
    const one = useOf(packing, lock);
    if (exclusive) one.exclusive = by === 1;
    else one.shared += by;
  }
}

function afterwards({ later }: Packing, at: number, what: () => void): void {
  const already = later.get(at);
  if (already === undefined) later.set(at, [what]);
  else already.push(what);
}

function begin(packing: Packing, item: Item): void {
  const { wants, owner, timed } = item;
  const { now } = packing;
  count(packing, item, -1);
  if (timed.time.held > 0) {
    use(packing, wants, 1);
    afterwards(packing, now + timed.time.held, () => use(packing, wants, -1));
  }
  if (timed.time.total === 0) return;
  packing.all += 1;
  add(packing.open, owner, 1);
  afterwards(packing, now + timed.time.total, () => {
    packing.all -= 1;
    add(packing.open, owner, -1);
  });
}

/** Whether a case may reserve locks; not while it waits for a subscriber that cools down, perhaps for a day. */
const mayKeep = (packing: Packing, { wants, keeps }: Item): boolean =>
  keeps.length > 0 && wants.every((want) => keeps.includes(want) || !useOf(packing, want.lock).exclusive);

/** Begins the cases that can begin now, in order. Returns the others. */
function beginAll(packing: Packing, waiting: readonly Item[], begun: Begun[]): readonly Item[] {
  const kept: Kept = new Map();
  return waiting.filter((item) => {
    if (!hasPlace(item, packing) || isTooSoon(item, packing)) return true;
    if (isFree(packing, item, kept)) {
      begin(packing, item);
      begun.push({ timed: item.timed, begins: packing.now });
      return false;
    }
    if (mayKeep(packing, item))
      for (const { lock, exclusive } of item.keeps) kept.set(lock, exclusive || kept.get(lock) === true);
    return true;
  });
}

function startPacking(items: readonly Item[], { all, ofOne }: Bounds, hides: boolean): Packing {
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
  for (const item of items) count(packing, item, 1);
  return packing;
}

/** Simulates a run in which each case begins as soon as its resources are free. */
export function pack(order: readonly Timed[], bounds: Bounds, hides: boolean): readonly Begun[] {
  const items = order.map(itemOf);
  const packing = startPacking(items, bounds, hides);
  const begun: Begun[] = [];
  let waiting: readonly Item[] = items;
  while (waiting.length > 0 && Number.isFinite(packing.now)) {
    for (const happens of packing.later.get(packing.now) ?? []) happens();
    packing.later.delete(packing.now);
    waiting = beginAll(packing, waiting, begun);
    packing.now = Math.min(...packing.later.keys());
  }
  return [...begun, ...waiting.map(({ timed }) => ({ timed, begins: Number.POSITIVE_INFINITY }))];
}
