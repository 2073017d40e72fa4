import { Interrupted, type Timeline } from './timeline.ts';

/** At most so many at a time. */
export interface Gate {
  /** `order` is the place of the case in the run, for who gives the way to those that began before. */
  readonly pass: <T>(task: () => Promise<T>, order?: number) => Promise<T>;
}

/** In order of arrival. */
export function createGate(limit: number): Gate {
  const waiting: (() => void)[] = [];
  let inside = 0;
  return {
    pass: async (task) => {
      if (inside >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
      else inside += 1;
      try {
        return await task();
      } finally {
        const next = waiting.shift();
        if (next === undefined) inside -= 1;
        else next();
      }
    },
  };
}

/** Lets nobody in once the run is stopped: whoever waits gets Interrupted. */
export function closeWhenStopped({ pass }: Gate, { stopped }: Pick<Timeline, 'stopped'>): Gate {
  const check = async <T>(task: () => Promise<T>): Promise<T> => {
    if (stopped.aborted) throw new Interrupted();
    return task();
  };
  return { pass: (task, order) => pass(() => check(task), order) };
}

interface Waiting {
  readonly order: number;
  readonly enter: () => void;
}

export interface Pace {
  /** Requests a second. */
  readonly rate: number;
  /** Milliseconds, of a clock that never goes back. */
  readonly now: () => number;
}

/**
 * A gate that lets at most `rate` a second begin; after a rest as many as fit into one second begin at once. Who waits is
 * let in by `order`, not by arrival: a case that has begun goes on before the next begins, so that its steps stay together.
 */
export function createPacedGate(limit: number, { rate, now }: Pace): Gate {
  const room = Math.max(1, Math.floor(rate));
  const waiting: Waiting[] = [];
  let [tokens, countedAt, inside] = [room, now(), 0];
  let timer: NodeJS.Timeout | undefined;
  const count = (): void => {
    const at = now();
    tokens = Math.min(room, tokens + ((at - countedAt) / 1000) * rate);
    countedAt = at;
  };
  const letIn = (): void => {
    count();
    while (inside < limit && tokens >= 1) {
      const next = waiting.shift();
      if (next === undefined) return;
      inside += 1;
      tokens -= 1;
      next.enter();
    }
    if (waiting.length === 0 || inside >= limit || timer !== undefined) return;
    timer = setTimeout(
      () => {
        timer = undefined;
        letIn();
      },
      ((1 - tokens) / rate) * 1000 + 1,
    );
  };
  return {
    pass: async (task, order = 0) => {
      await new Promise<void>((enter) => {
        const at = waiting.findIndex((one) => one.order > order);
        waiting.splice(at < 0 ? waiting.length : at, 0, { order, enter });
        letIn();
      });
      try {
        return await task();
      } finally {
        inside -= 1;
        letIn();
      }
    },
  };
}
