/** At most `limit` at a time, in order of arrival. */
export interface Gate {
  readonly pass: <T>(task: () => Promise<T>) => Promise<T>;
}

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
