import type { Timeline, WaitLabel } from './timeline.ts';

export interface Want {
  /** `subscriber:first`, `client:main`. */
  readonly lane: string;
  readonly alone: boolean;
}

/** Use of subscribers and registrations, shared or alone, first come first served. */
export interface Lanes {
  /** Resolves with what gives the lanes back. */
  readonly take: (wants: readonly Want[], label: WaitLabel) => Promise<() => void>;
}

interface Queued {
  readonly wants: readonly Want[];
  readonly grant: () => void;
}

interface Use {
  shared: number;
  alone: boolean;
}

export function createLanes(timeline: Pick<Timeline, 'park'>): Lanes {
  const uses = new Map<string, Use>();
  let queue: Queued[] = [];

  const useOf = (lane: string): Use => {
    let use = uses.get(lane);
    if (use === undefined) {
      use = { shared: 0, alone: false };
      uses.set(lane, use);
    }
    return use;
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
    // A lane that someone earlier in the queue waits for is closed to those behind: nobody starves.
    const closed = new Set<string>();
    const left: Queued[] = [];
    const granted: Queued[] = [];
    for (const entry of queue) {
      if (entry.wants.every((want) => !closed.has(want.lane) && isFree(want))) {
        occupy(entry.wants);
        granted.push(entry);
      } else {
        for (const { lane } of entry.wants) closed.add(lane);
        left.push(entry);
      }
    }
    queue = left;
    for (const { grant } of granted) grant();
  };
  const release = (wants: readonly Want[]) => (): void => {
    for (const { lane, alone } of wants) {
      const use = useOf(lane);
      if (alone) use.alone = false;
      else use.shared -= 1;
    }
    grantQueued();
  };

  return {
    take: async (wants, label) => {
      const waitedFor = new Set(queue.flatMap((entry) => entry.wants.map(({ lane }) => lane)));
      if (wants.every((want) => !waitedFor.has(want.lane) && isFree(want))) {
        occupy(wants);
        return release(wants);
      }
      await timeline.park({
        label,
        arm: (wake) => {
          const entry = { wants, grant: wake };
          queue.push(entry);
          return () => {
            queue = queue.filter((other) => other !== entry);
          };
        },
      });
      return release(wants);
    },
  };
}
