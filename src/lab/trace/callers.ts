import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';

const callers = new AsyncLocalStorage<string>();
const tracing = new Set<symbol>();

/** Starts to trace which request the carrier works for, which slows every promise; returns a function that stops it. */
export function traceCallers(): () => void {
  const trace = Symbol('trace');
  tracing.add(trace);
  return () => {
    tracing.delete(trace);
    if (tracing.size === 0) callers.disable();
  };
}

export function onBehalfOf(id: string, work: () => void): void {
  if (tracing.size > 0) callers.run(id, work);
  else work();
}

/** Binds `work` to the request that the carrier works for now. */
export const keepCaller = (work: () => void): (() => void) => (tracing.size > 0 ? AsyncResource.bind(work) : work);

/** Id of the request that the carrier works for; undefined if nothing traces it. */
export const currentCaller = (): string | undefined => callers.getStore();
