import type { Timeline, WaitLabel } from './timeline.ts';

/** Shared or exclusive use of one resource. */
export interface LockRequest {
  /** `subscriber:first`, `client:main`, `exchanges`. */
  readonly lock: string;
  readonly exclusive: boolean;
}

interface QueueEntry {
  readonly wants: readonly LockRequest[];
  /** The lowest goes first; equal ones in order of arrival. */
  readonly order: number;
  /** False: refused because of a quarantine. */
  readonly wake: (granted: boolean) => void;
}

interface QueuedEntry {
  readonly entry: QueueEntry;
  readonly number: number;
}

const wantsKey = ({ wants }: QueueEntry): string =>
  wants.map(({ lock, exclusive }) => `${exclusive ? '!' : ''}${lock}`).join('\n');

const compareQueued = (a: QueuedEntry, b: QueuedEntry): number => a.entry.order - b.entry.order || a.number - b.number;

/** Returns the line with the earliest first entry. */
function leadingLine(lines: Iterable<QueuedEntry[]>): QueuedEntry[] | undefined {
  let [found, head]: [QueuedEntry[] | undefined, QueuedEntry | undefined] = [undefined, undefined];
  for (const line of lines) {
    const [first] = line;
    if (first !== undefined && (head === undefined || compareQueued(first, head) < 0)) [found, head] = [line, first];
  }
  return found;
}

/** First come, first served; entries that want the same resources are checked together. */
function createWaitQueue() {
  /** Entries with equal wants share a line: if the first cannot be granted, none behind it can. */
  const lines = new Map<string, QueuedEntry[]>();
  let count = 0;
  const takeFrom = (line: QueuedEntry[], entry: QueueEntry): void => {
    const at = line.findIndex((placed) => placed.entry === entry);
    if (at >= 0) line.splice(at, 1);
    if (line.length === 0) lines.delete(wantsKey(entry));
  };
  return {
    add: (entry: QueueEntry): void => {
      count += 1;
      const placed = { entry, number: count };
      const line = lines.get(wantsKey(entry)) ?? [];
      lines.set(wantsKey(entry), line);
      line.splice(line.findLastIndex((other) => compareQueued(other, placed) < 0) + 1, 0, placed);
    },
    remove: (entry: QueueEntry): void => takeFrom(lines.get(wantsKey(entry)) ?? [], entry),
    /** Visits in order the entries that may be next, and removes those that `grant` accepts. */
    grant: (grant: (entry: QueueEntry) => boolean): readonly QueueEntry[] => {
      const granted: QueueEntry[] = [];
      const open = new Set(lines.values());
      for (let line = leadingLine(open); line !== undefined; line = leadingLine(open)) {
        const entry = line[0]?.entry;
        if (entry !== undefined && grant(entry)) {
          granted.push(entry);
          takeFrom(line, entry);
        } else open.delete(line);
      }
      return granted;
    },
    takeOut: (lock: string): readonly QueueEntry[] => {
      const out = [...lines.values()].flat().filter(({ entry }) => entry.wants.some((want) => want.lock === lock));
      for (const { entry } of out) lines.delete(wantsKey(entry));
      return out.toSorted(compareQueued).map(({ entry }) => entry);
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
  /** Number of cases that may share a resource. Undefined: no limit, and once an entry waits for it, later ones queue behind. */
  readonly capacityOf?: (lock: string) => number | undefined;
  readonly pace?: Pace | undefined;
}

/** Grants resources, all wanted or none, first come first served. */
export interface Scheduler {
  /** Waits on the timeline. Resolves with the function that releases the resources. Throws Quarantined and Interrupted. */
  readonly take: (wants: readonly LockRequest[], label: WaitLabel) => Promise<() => void>;
  /** Runs a task with the resources; the run's time stands still until they are granted. The lowest `order` goes first. */
  readonly pass: <T>(wants: readonly LockRequest[], task: () => Promise<T>, order?: number) => Promise<T>;
  /** Withdraws a resource with a change left in it from all cases: they would observe that change. */
  readonly quarantine: (lock: string, reason: string) => void;
}

export class Quarantined extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'Quarantined';
  }
}

interface LockUsage {
  shared: number;
  exclusive: boolean;
}

interface SchedulerState extends SchedulerOptions {
  readonly uses: Map<string, LockUsage>;
  readonly quarantined: Map<string, string>;
  readonly queue: ReturnType<typeof createWaitQueue>;
  /** Resources that waiting entries block for those behind them. */
  waitedFor: Set<string>;
  tokens: number;
  countedAt: number;
  timer: NodeJS.Timeout | undefined;
}

function lockUsage({ uses }: SchedulerState, lock: string): LockUsage {
  const known = uses.get(lock);
  if (known !== undefined) return known;
  const use = { shared: 0, exclusive: false };
  uses.set(lock, use);
  return use;
}

function isLockFree(state: SchedulerState, { lock, exclusive }: LockRequest): boolean {
  const use = lockUsage(state, lock);
  if (use.exclusive) return false;
  return exclusive ? use.shared === 0 : use.shared < (state.capacityOf?.(lock) ?? Number.POSITIVE_INFINITY);
}

/** Blocks the wanted resources for later entries; a resource with a capacity only if it is full. */
function blockLocks(state: SchedulerState, wants: readonly LockRequest[], closed: Set<string>): void {
  for (const want of wants) {
    if (state.capacityOf?.(want.lock) === undefined || !isLockFree(state, want)) closed.add(want.lock);
  }
}

const canTakeLocks = (state: SchedulerState, wants: readonly LockRequest[], closed: ReadonlySet<string>): boolean =>
  wants.every((want) => !closed.has(want.lock) && isLockFree(state, want));

function occupyLocks(state: SchedulerState, wants: readonly LockRequest[]): void {
  state.tokens -= 1;
  for (const { lock, exclusive } of wants) {
    const use = lockUsage(state, lock);
    if (exclusive) use.exclusive = true;
    else use.shared += 1;
  }
}

const burstSize = ({ rate }: Pace): number => Math.max(1, Math.floor(rate));

function refillTokens(state: SchedulerState): void {
  const { pace } = state;
  if (pace === undefined) return;
  const at = pace.now();
  state.tokens = Math.min(burstSize(pace), state.tokens + ((at - state.countedAt) / 1000) * pace.rate);
  state.countedAt = at;
}

/** Serves the queue again when the next task may begin. */
function awaitToken(state: SchedulerState, { rate }: Pace): void {
  if (state.queue.isEmpty() || state.tokens >= 1) return;
  state.timer ??= setTimeout(
    () => {
      state.timer = undefined;
      grantQueued(state);
    },
    ((1 - state.tokens) / rate) * 1000 + 1,
  );
}

function grantQueued(state: SchedulerState): void {
  const { pace } = state;
  refillTokens(state);
  // Block a resource that an earlier entry waits for, so that none starves.
  const closed = new Set<string>();
  const granted = state.queue.grant(({ wants }) => {
    const isGranted = (pace === undefined || state.tokens >= 1) && canTakeLocks(state, wants, closed);
    if (isGranted) occupyLocks(state, wants);
    else blockLocks(state, wants, closed);
    return isGranted;
  });
  state.waitedFor = closed;
  if (pace !== undefined) awaitToken(state, pace);
  for (const { wake } of granted) wake(true);
}

function releaseLocks(state: SchedulerState, wants: readonly LockRequest[]): void {
  let freed = false;
  for (const { lock, exclusive } of wants) {
    const use = lockUsage(state, lock);
    if (exclusive) use.exclusive = false;
    else use.shared -= 1;
    // A resource without a capacity that is still shared admits no new entry.
    freed ||= use.shared === 0 || state.capacityOf?.(lock) !== undefined;
  }
  if (freed) grantQueued(state);
}

/** Takes the resources now if they are free and there is no pace to keep. */
function takeFreeLocks(state: SchedulerState, wants: readonly LockRequest[]): boolean {
  if (state.pace !== undefined || !canTakeLocks(state, wants, state.waitedFor)) return false;
  occupyLocks(state, wants);
  return true;
}

function enqueue(state: SchedulerState, entry: QueueEntry): void {
  state.queue.add(entry);
  blockLocks(state, entry.wants, state.waitedFor);
  if (state.pace !== undefined) grantQueued(state);
}

function requireUnquarantined({ quarantined }: SchedulerState, wants: readonly LockRequest[]): void {
  for (const { lock } of wants) {
    const reason = quarantined.get(lock);
    if (reason !== undefined) throw new Quarantined(reason);
  }
}

async function takeLocks(state: SchedulerState, wants: readonly LockRequest[], label: WaitLabel): Promise<() => void> {
  requireUnquarantined(state, wants);
  let granted = takeFreeLocks(state, wants);
  const arm = (wake: () => void): (() => void) => {
    const entry: QueueEntry = {
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
  if (!granted) requireUnquarantined(state, wants);
  return () => releaseLocks(state, wants);
}

export function createScheduler(options: SchedulerOptions): Scheduler {
  const { pace } = options;
  const state: SchedulerState = {
    ...options,
    uses: new Map(),
    quarantined: new Map(),
    queue: createWaitQueue(),
    waitedFor: new Set(),
    tokens: pace === undefined ? 0 : burstSize(pace),
    countedAt: pace?.now() ?? 0,
    timer: undefined,
  };
  return {
    take: (wants, label) => takeLocks(state, wants, label),
    pass: async (wants, task, order = 0) => {
      if (!takeFreeLocks(state, wants)) {
        await new Promise((wake) => enqueue(state, { wants, order, wake }));
      }
      try {
        return await task();
      } finally {
        releaseLocks(state, wants);
      }
    },
    quarantine: (lock, reason) => {
      if (!state.quarantined.has(lock)) state.quarantined.set(lock, reason);
      for (const { wake } of state.queue.takeOut(lock)) wake(false);
      grantQueued(state);
    },
  };
}
