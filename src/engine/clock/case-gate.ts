import type { Timeline, WaitLabel } from './timeline.ts';

/** Cases that are open at the same time. Exchanges are bounded by `jobs`. */
export interface Bounds {
  /** Bounds memory. */
  readonly all?: number | undefined;
  /** Of one subscriber: a carrier may throttle whom many requests wait for (SEC-46), and then nothing is seen of the rest. */
  readonly ofOne?: number | undefined;
}

const openCases = 250;
const openOfOne = 60;

/**
 * Lets cases that have their lanes begin in the order in which they come: so many at a time, and so many of one subscriber.
 * Who waits for a subscriber takes no place that another's case could have.
 */
export interface CaseGate {
  /** Resolves with what makes room for the next. */
  readonly enter: (subscriber: string, label: WaitLabel) => Promise<() => void>;
}

interface Waiting {
  readonly subscriber: string;
  readonly admit: () => void;
}

export function createCaseGate(timeline: Pick<Timeline, 'park'>, bounds: Bounds = {}): CaseGate {
  const { all: most = openCases, ofOne = openOfOne } = bounds;
  const inside = new Map<string, number>();
  let all = 0;
  let waiting: Waiting[] = [];
  const count = (subscriber: string): number => inside.get(subscriber) ?? 0;
  const hasRoom = (subscriber: string): boolean => all < most && count(subscriber) < ofOne;
  const add = (subscriber: string, change: 1 | -1): void => {
    all += change;
    inside.set(subscriber, count(subscriber) + change);
  };
  const leave = (subscriber: string) => (): void => {
    add(subscriber, -1);
    const admitted: Waiting[] = [];
    waiting = waiting.filter((one) => {
      if (!hasRoom(one.subscriber)) return true;
      add(one.subscriber, 1);
      admitted.push(one);
      return false;
    });
    for (const { admit } of admitted) admit();
  };
  return {
    enter: async (subscriber, label) => {
      if (hasRoom(subscriber)) add(subscriber, 1);
      else {
        await timeline.park({
          label,
          arm: (admit) => {
            const entry = { subscriber, admit };
            waiting.push(entry);
            return () => {
              waiting = waiting.filter((one) => one !== entry);
            };
          },
        });
      }
      return leave(subscriber);
    },
  };
}
