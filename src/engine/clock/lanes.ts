import type { Timeline, WaitLabel } from './timeline.ts';

export interface Want {
  /** `subscriber:first`, `client:main`. */
  readonly lane: string;
  readonly alone: boolean;
}

/** Use of subscribers and registrations, shared or alone, first come first served. */
export interface Lanes {
  /** Resolves with what gives the lanes back. Throws Spoiled. */
  readonly take: (wants: readonly Want[], label: WaitLabel) => Promise<() => void>;
  /** Something is not as it should be there: nobody gets the lane any more. */
  readonly spoil: (lane: string, reason: string) => void;
}

/** A lane that somebody wants was left changed: what is seen there would be about the change. */
export class Spoiled extends Error {
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
  alone: boolean;
}

const lanesOf = ({ wants }: Queued): string[] => wants.map(({ lane }) => lane);

export function createLanes(timeline: Pick<Timeline, 'park'>): Lanes {
  const uses = new Map<string, Use>();
  let queue: Queued[] = [];
  let waitedFor = new Set<string>();
  const spoiled = new Map<string, string>();

  const useOf = (lane: string): Use => {
    let use = uses.get(lane);
    if (use === undefined) {
      use = { shared: 0, alone: false };
      uses.set(lane, use);
    }
    return use;
  };
  const requireSound = (wants: readonly Want[]): void => {
    for (const { lane } of wants) {
      const reason = spoiled.get(lane);
      if (reason !== undefined) throw new Spoiled(reason);
    }
  };
  const isFree = ({ lane, alone }: Want): boolean => {
    const use = useOf(lane);
    return !use.alone && (!alone || use.shared === 0);
  };
  const occupy = (wants: readonly Want[]): void => {
    for (const { lane, alone } of wants) {
      const use = useOf(lane);
      if (alone) use.alone = true;
      else use.shared += 1;
    }
  };
  const grantQueued = (): void => {
    if (queue.length === 0) return;
    // A lane that someone earlier in the queue waits for is closed to those behind: nobody starves.
    const closed = new Set<string>();
    const granted: Queued[] = [];
    queue = queue.filter((entry) => {
      if (entry.wants.every((want) => !closed.has(want.lane) && isFree(want))) {
        occupy(entry.wants);
        granted.push(entry);
        return false;
      }
      for (const { lane } of entry.wants) closed.add(lane);
      return true;
    });
    waitedFor = new Set(queue.flatMap(lanesOf));
    for (const { grant } of granted) grant();
  };
  /** Gives back; true where a lane is free now: one that is still shared lets nobody in who was not let in before. */
  const vacate = (wants: readonly Want[]): boolean => {
    let freed = false;
    for (const { lane, alone } of wants) {
      const use = useOf(lane);
      if (alone) use.alone = false;
      else use.shared -= 1;
      freed ||= use.shared === 0;
    }
    return freed;
  };
  const release = (wants: readonly Want[]) => (): void => {
    if (vacate(wants)) grantQueued();
  };

  return {
    spoil: (lane, reason) => {
      if (!spoiled.has(lane)) spoiled.set(lane, reason);
      const hopeless = queue.filter((entry) => lanesOf(entry).includes(lane));
      queue = queue.filter((entry) => !hopeless.includes(entry));
      for (const entry of hopeless) entry.refuse();
      waitedFor = new Set(queue.flatMap(lanesOf));
      grantQueued();
    },
    take: async (wants, label) => {
      requireSound(wants);
      if (wants.every((want) => !waitedFor.has(want.lane) && isFree(want))) {
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
          for (const lane of lanesOf(entry)) waitedFor.add(lane);
          return () => {
            queue = queue.filter((other) => other !== entry);
          };
        },
      });
      if (!granted) requireSound(wants);
      return release(wants);
    },
  };
}
