import type { Timeline, WaitLabel } from './timeline.ts';

export interface Want {
  /** `subscriber:first`, `client:main`. */
  readonly lock: string;
  readonly exclusive: boolean;
}

/** Use of subscribers and registrations, shared or alone, first come first served. */
export interface Locks {
  /** Resolves with what gives the lanes back. Throws Spoiled. */
  readonly take: (wants: readonly Want[], label: WaitLabel) => Promise<() => void>;
  /** Something is not as it should be there: nobody gets the lane any more. */
  readonly quarantine: (lock: string, reason: string) => void;
}

/** A lane that somebody wants was left changed: what is seen there would be about the change. */
export class Quarantined extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'Spoiled';
  }
}

interface Queued {
  readonly wants: readonly Want[];
  readonly grant: () => void;
  readonly refuse: () => void;
}

interface Use {
  shared: number;
  exclusive: boolean;
}

const locksOf = ({ wants }: Queued): string[] => wants.map(({ lock }) => lock);

export function createLocks(timeline: Pick<Timeline, 'park'>): Locks {
  const uses = new Map<string, Use>();
  let queue: Queued[] = [];
  let waitedFor = new Set<string>();
  const quarantined = new Map<string, string>();

  const useOf = (lock: string): Use => {
    let use = uses.get(lock);
    if (use === undefined) {
      use = { shared: 0, exclusive: false };
      uses.set(lock, use);
    }
    return use;
  };
  const requireValid = (wants: readonly Want[]): void => {
    for (const { lock } of wants) {
      const reason = quarantined.get(lock);
      if (reason !== undefined) throw new Quarantined(reason);
    }
  };
  const isFree = ({ lock, exclusive }: Want): boolean => {
    const use = useOf(lock);
    return !use.exclusive && (!exclusive || use.shared === 0);
  };
  const occupy = (wants: readonly Want[]): void => {
    for (const { lock, exclusive } of wants) {
      const use = useOf(lock);
      if (exclusive) use.exclusive = true;
      else use.shared += 1;
    }
  };
  const grantQueued = (): void => {
    if (queue.length === 0) return;
    // A lane that someone earlier in the queue waits for is closed to those behind: nobody starves.
    const closed = new Set<string>();
    const granted: Queued[] = [];
    queue = queue.filter((entry) => {
      if (entry.wants.every((want) => !closed.has(want.lock) && isFree(want))) {
        occupy(entry.wants);
        granted.push(entry);
        return false;
      }
      for (const { lock } of entry.wants) closed.add(lock);
      return true;
    });
    waitedFor = new Set(queue.flatMap(locksOf));
    for (const { grant } of granted) grant();
  };
  /** Gives back; true where a lane is free now: one that is still shared lets nobody in who was not let in before. */
  const vacate = (wants: readonly Want[]): boolean => {
    let freed = false;
    for (const { lock, exclusive } of wants) {
      const use = useOf(lock);
      if (exclusive) use.exclusive = false;
      else use.shared -= 1;
      freed ||= use.shared === 0;
    }
    return freed;
  };
  const release = (wants: readonly Want[]) => (): void => {
    if (vacate(wants)) grantQueued();
  };

  return {
    quarantine: (lock, reason) => {
      if (!quarantined.has(lock)) quarantined.set(lock, reason);
      const hopeless = queue.filter((entry) => locksOf(entry).includes(lock));
      queue = queue.filter((entry) => !hopeless.includes(entry));
      for (const entry of hopeless) entry.refuse();
      waitedFor = new Set(queue.flatMap(locksOf));
      grantQueued();
    },
    take: async (wants, label) => {
      requireValid(wants);
      if (wants.every((want) => !waitedFor.has(want.lock) && isFree(want))) {
        occupy(wants);
        return release(wants);
      }
      let granted = false;
      await timeline.park({
        label,
        arm: (wake) => {
          const grant = (): void => {
            granted = true;
            wake();
          };
          const entry = { wants, grant, refuse: wake };
          queue.push(entry);
          for (const lock of locksOf(entry)) waitedFor.add(lock);
          return () => {
            queue = queue.filter((other) => other !== entry);
          };
        },
      });
      if (!granted) requireValid(wants);
      return release(wants);
    },
  };
}
