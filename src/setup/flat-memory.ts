import { setFlagsFromString } from 'node:v8';

/** Heap growth before garbage is collected, in percent of the used size. */
const heapGrowth = 30;

/** Makes V8 collect garbage early in all threads, because the machine may have more memory than the container. */
export function keepMemoryFlat(): void {
  setFlagsFromString(`--heap-growing-percent=${heapGrowth}`);
}
