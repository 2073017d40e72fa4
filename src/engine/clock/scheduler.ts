import type { Timeline, WaitLabel } from './timeline.ts';

/** Shared or exclusive use of one resource. */
export interface Want {
  /** `subscriber:first`, `client:main`, `exchanges`. */
  readonly lock: string;
  readonly exclusive: boolean;
}

interface Entry {
  readonly wants: readonly Want[];
  /** The lowest goes first; equal ones in order of arrival. */
  readonly order: number;
  /** False: refused because of a quarantine. */
  readonly wake: (granted: boolean) => void;
}

interface Placed {
  readonly entry: Entry;
  readonly number: number;
}

const keyOf = ({ wants }: Entry): string =>
  wants.map(({ lock, exclusive }) => `${exclusive ? '!' : ''}${lock}`).join('\n');

const compare = (a: Placed, b: Placed): number => a.entry.order - b.entry.order || a.number - b.number;

/** Returns the line with the earliest first entry. */
function foremost(lines: Iterable<Placed[]>): Placed[] | undefined {
  let [found, head]: [Placed[] | undefined, Placed | undefined] = [undefined, undefined];
  for (const line of lines) {
    const [first] = line;
    if (first !== undefined && (head === undefined || compare(first, head) < 0)) [found, head] = [line, first];
  }
  return found;
}

/** First come, first served; entries that want the same resources are checked together. */
function createWaitQueue() {
  /** Entries with equal wants share a line: if the first cannot be granted, none behind it can. */
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
    /** Visits in order the entries that may be next, and removes those that `grant` accepts. */
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

/** Tasks that may begin per second; after a pause, one second's worth may begin at once. */
export interface Pace {
  readonly rate: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

interface SchedulerOptions {
  readonly timeline: Pick<Timeline, 'wait'>;
  /** Number of shared users of a resource; undefined: any number, and a waiting entry blocks it for those behind. */
  readonly capacityOf?: (lock: string) => number | undefined;
  readonly pace?: Pace | undefined;
}

/** Grants resources, all wanted or none, first come first served. */
export interface Scheduler {
  /** Waits on the timeline. Resolves with the function that releases the resources. Throws Quarantined and Interrupted. */
  readonly take: (wants: readonly Want[], label: WaitLabel) => Promise<() => void>;
  /** Runs a task with the resources; the run's time stands still until they are granted. The lowest `order` goes first. */
  readonly pass: <T>(wants: readonly Want[], task: () => Promise<T>, order?: number) => Promise<T>;
  /** Withdraws a resource with a change left in it from all cases: they would observe that change. */
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
  /** Resources that waiting entries block for those behind them. */
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

/** Blocks the wanted resources for later entries; a resource with a capacity only if it is full. */
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

/** Serves the queue again when the next task may begin. */
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
  // Block a resource that an earlier entry waits for, so that none starves.
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
    // A resource without a capacity that is still shared admits no new entry.
    freed ||= use.shared === 0 || state.capacityOf?.(lock) !== undefined;
  }
  if (freed) grantQueued(state);
}

/** Takes the resources now if they are free and there is no pace to keep. */
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
