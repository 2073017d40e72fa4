import { setFlagsFromString } from 'node:v8';

/** By how much, in percent of what is in use, the heap may grow until its garbage is collected. */
const growth = 30;

/**
 * Keeps the memory of a long run flat: left alone, the engine lets garbage lie for as long as the machine has room, which is not the
 * room that a container was given. It is for all threads of the process, and for the rest of its time.
 */
export function keepMemoryFlat(): void {
  setFlagsFromString(`--heap-growing-percent=${growth}`);
}
