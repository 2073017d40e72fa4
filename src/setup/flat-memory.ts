import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes that the process may take before its garbage is looked for, and by which it may grow until the next time. */
const first = 190_000_000;
const step = 30_000_000;

/** Milliseconds between two looks. */
const every = 200;

type Collector = () => void;

const isCollector = (found: unknown): found is Collector => typeof found === 'function';

function exposedCollector(): Collector | undefined {
  setFlagsFromString('--expose-gc');
  const found: unknown = runInNewContext('gc');
  return isCollector(found) ? found : undefined;
}

/**
 * Keeps the memory of a long run flat: left alone, the engine lets garbage lie for as long as the machine has room, which is not the
 * room that a container was given. Gives back what ends it.
 */
export function keepMemoryFlat(): () => void {
  const collect = exposedCollector();
  if (collect === undefined) return () => undefined;
  let next = first;
  let hasCollected = false;
  const timer = setInterval(() => {
    const now = process.memoryUsage.rss();
    // What was collected is given back to the system a little later.
    if (hasCollected) next = Math.max(first, now + step);
    hasCollected = now >= next;
    if (hasCollected) collect();
  }, every);
  timer.unref();
  return () => clearInterval(timer);
}
