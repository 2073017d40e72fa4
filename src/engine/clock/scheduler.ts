import type { Timeline, WaitLabel } from './timeline.ts';

/** A share in one resource, or all of it. */
export interface Want {
  /** `subscriber:first`, `client:main`, `exchanges`. */
  readonly lock: string;
  readonly exclusive: boolean;
}

interface Entry {
  readonly wants: readonly Want[];
  /** The lowest goes first; of equal ones the one that came first. */
  readonly order: number;
  /** False: refused, because of a quarantine. */
  readonly wake: (granted: boolean) => void;
}

interface Placed {
  readonly entry: Entry;
  readonly number: number;
}

const keyOf = ({ wants }: Entry): string =>
  wants.map(({ lock, exclusive }) => `${exclusive ? '!' : ''}${lock}`).join('\n');

const compare = (a: Placed, b: Placed): number => a.entry.order - b.entry.order || a.number - b.number;

/** The line whose first entry comes before those of the others. */
function foremost(lines: Iterable<Placed[]>): Placed[] | undefined {
  let [found, head]: [Placed[] | undefined, Placed | undefined] = [undefined, undefined];
  for (const line of lines) {
    const [first] = line;
    if (first !== undefined && (head === undefined || compare(first, head) < 0)) [found, head] = [line, first];
  }
  return found;
}

/** First come, first served; each resource is looked at once for all entries that want the same. */
function createWaitQueue() {
  /** Entries that want the same stand in one line: where the first cannot have it, none behind it can. */
  const lines = new Map<string, Placed[]>();
  let count = 0;
  const takeFrom = (line: Placed[], entry: Entry): void => {
    const at = line.findIndex((placed) => placed.entry === entry);
    if (at >= 0) line.splice(at, 1);
    if (line.length === 0) lines.delete(keyOf(entry));
  };
  return {
    add: (entry: Entry): void => {
      count += 1;
      const placed = { entry, number: count };
      const line = lines.get(keyOf(entry)) ?? [];
      lines.set(keyOf(entry), line);
      line.splice(line.findLastIndex((other) => compare(other, placed) < 0) + 1, 0, placed);
    },
    remove: (entry: Entry): void => takeFrom(lines.get(keyOf(entry)) ?? [], entry),
    /** Visits in their order the entries that may be next, and takes out those that `grant` gives what they want. */
    grant: (grant: (entry: Entry) => boolean): readonly Entry[] => {
      const granted: Entry[] = [];
      const open = new Set(lines.values());
      for (let line = foremost(open); line !== undefined; line = foremost(open)) {
        const entry = line[0]?.entry;
        if (entry !== undefined && grant(entry)) {
          granted.push(entry);
          takeFrom(line, entry);
        } else open.delete(line);
      }
      return granted;
    },
    takeOut: (lock: string): readonly Entry[] => {
      const out = [...lines.values()].flat().filter(({ entry }) => entry.wants.some((want) => want.lock === lock));
      for (const { entry } of out) lines.delete(keyOf(entry));
      return out.toSorted(compare).map(({ entry }) => entry);
    },
    isEmpty: (): boolean => lines.size === 0,
  };
}

/** At most so many a second begin; after a pause, as many as fit into one second begin at once. */
export interface Pace {
  readonly rate: number;
  /** Milliseconds, of a clock that never goes back. */
  readonly now: () => number;
}

interface SchedulerOptions {
  readonly timeline: Pick<Timeline, 'wait'>;
  /** How many may share a resource; undefined: any number, and those that wait for it close it to those behind them. */
  readonly capacityOf?: (lock: string) => number | undefined;
  readonly pace?: Pace | undefined;
}

/** Gives out resources, all that are wanted or none, first come first served. */
export interface Scheduler {
  /** Waits on the timeline; resolves with what gives the resources back. Throws Quarantined and Interrupted. */
  readonly take: (wants: readonly Want[], label: WaitLabel) => Promise<() => void>;
  /** Does a task with the resources; the time of the run stands still until it has them. The lowest `order` goes first. */
  readonly pass: <T>(wants: readonly Want[], task: () => Promise<T>, order?: number) => Promise<T>;
  /** What is seen of the resource would be about a change that was left there: it is given to no case any more. */
  readonly quarantine: (lock: string, reason: string) => void;
}

export class Quarantined extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'Quarantined';
  }
}

interface Use {
  shared: number;
  exclusive: boolean;
}

interface State extends SchedulerOptions {
  readonly uses: Map<string, Use>;
  readonly quarantined: Map<string, string>;
  readonly queue: ReturnType<typeof createWaitQueue>;
  /** Resources that entries of the queue close to those behind them. */
  waitedFor: Set<string>;
  tokens: number;
  countedAt: number;
  timer: NodeJS.Timeout | undefined;
}

function useOf({ uses }: State, lock: string): Use {
  const known = uses.get(lock);
  if (known !== undefined) return known;
  const use = { shared: 0, exclusive: false };
  uses.set(lock, use);
  return use;
}

function isFree(state: State, { lock, exclusive }: Want): boolean {
  const use = useOf(state, lock);
  if (use.exclusive) return false;
  return exclusive ? use.shared === 0 : use.shared < (state.capacityOf?.(lock) ?? Number.POSITIVE_INFINITY);
}

/** Closes to those behind them the resources of wants that wait; of those with a capacity, the ones that are full. */
function close(state: State, wants: readonly Want[], closed: Set<string>): void {
  for (const want of wants) {
    if (state.capacityOf?.(want.lock) === undefined || !isFree(state, want)) closed.add(want.lock);
  }
}

const canTake = (state: State, wants: readonly Want[], closed: ReadonlySet<string>): boolean =>
  wants.every((want) => !closed.has(want.lock) && isFree(state, want));

function occupy(state: State, wants: readonly Want[]): void {
  state.tokens -= 1;
  for (const { lock, exclusive } of wants) {
    const use = useOf(state, lock);
    if (exclusive) use.exclusive = true;
    else use.shared += 1;
  }
}

const burstOf = ({ rate }: Pace): number => Math.max(1, Math.floor(rate));

function countTokens(state: State): void {
  const { pace } = state;
  if (pace === undefined) return;
  const at = pace.now();
  state.tokens = Math.min(burstOf(pace), state.tokens + ((at - state.countedAt) / 1000) * pace.rate);
  state.countedAt = at;
}

/** Looks at the queue again when the next may begin. */
function awaitToken(state: State, { rate }: Pace): void {
  if (state.queue.isEmpty() || state.tokens >= 1) return;
  state.timer ??= setTimeout(
    () => {
      state.timer = undefined;
      grantQueued(state);
    },
    ((1 - state.tokens) / rate) * 1000 + 1,
  );
}

function grantQueued(state: State): void {
  const { pace } = state;
  countTokens(state);
  // A resource that an earlier entry waits for is closed to later ones, so that none starves.
  const closed = new Set<string>();
  const granted = state.queue.grant(({ wants }) => {
    const isGranted = (pace === undefined || state.tokens >= 1) && canTake(state, wants, closed);
    if (isGranted) occupy(state, wants);
    else close(state, wants, closed);
    return isGranted;
  });
  state.waitedFor = closed;
  if (pace !== undefined) awaitToken(state, pace);
  for (const { wake } of granted) wake(true);
}

function release(state: State, wants: readonly Want[]): void {
  let freed = false;
  for (const { lock, exclusive } of wants) {
    const use = useOf(state, lock);
    if (exclusive) use.exclusive = false;
    else use.shared -= 1;
    // One without a capacity that is still shared admits no entry that was not admitted before.
    freed ||= use.shared === 0 || state.capacityOf?.(lock) !== undefined;
  }
  if (freed) grantQueued(state);
}

/** Takes the resources now, where they are free and there is no pace to keep. */
function takeAtOnce(state: State, wants: readonly Want[]): boolean {
  if (state.pace !== undefined || !canTake(state, wants, state.waitedFor)) return false;
  occupy(state, wants);
  return true;
}

function enqueue(state: State, entry: Entry): void {
  state.queue.add(entry);
  close(state, entry.wants, state.waitedFor);
  if (state.pace !== undefined) grantQueued(state);
}

function requireValid({ quarantined }: State, wants: readonly Want[]): void {
  for (const { lock } of wants) {
    const reason = quarantined.get(lock);
    if (reason !== undefined) throw new Quarantined(reason);
  }
}

async function take(state: State, wants: readonly Want[], label: WaitLabel): Promise<() => void> {
  requireValid(state, wants);
  let granted = takeAtOnce(state, wants);
  const arm = (wake: () => void): (() => void) => {
    const entry: Entry = {
      wants,
      order: 0,
      wake: (how) => {
        granted = how;
        wake();
      },
    };
    enqueue(state, entry);
    return () => state.queue.remove(entry);
  };
  if (!granted) await state.timeline.wait({ label, arm });
  if (!granted) requireValid(state, wants);
  return () => release(state, wants);
}

export function createScheduler(options: SchedulerOptions): Scheduler {
  const { pace } = options;
  const state: State = {
    ...options,
    uses: new Map(),
    quarantined: new Map(),
    queue: createWaitQueue(),
    waitedFor: new Set(),
    tokens: pace === undefined ? 0 : burstOf(pace),
    countedAt: pace?.now() ?? 0,
    timer: undefined,
  };
  return {
    take: (wants, label) => take(state, wants, label),
    pass: async (wants, task, order = 0) => {
      if (!takeAtOnce(state, wants)) {
        await new Promise((wake) => enqueue(state, { wants, order, wake }));
      }
      try {
        return await task();
      } finally {
        release(state, wants);
      }
    },
    quarantine: (lock, reason) => {
      if (!state.quarantined.has(lock)) state.quarantined.set(lock, reason);
      for (const { wake } of state.queue.takeOut(lock)) wake(false);
      grantQueued(state);
    },
  };
}
