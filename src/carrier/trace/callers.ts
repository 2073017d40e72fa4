import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';

const callers = new AsyncLocalStorage<string>();
const tracing = new Set<symbol>();

/** Follows from now on on whose behalf the carrier works, which slows down every promise; gives back what ends it. */
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

/** What is done later is done on behalf of the request that set it in motion. */
export const keepCaller = (work: () => void): (() => void) => (tracing.size > 0 ? AsyncResource.bind(work) : work);

/** The id of the request that the carrier works for at this moment; undefined where nobody traces it. */
export const currentCaller = (): string | undefined => callers.getStore();
