import type { Message } from '../model/exchange.ts';
import type { Result } from '../model/result.ts';
import type { Differing } from './job.ts';

/** The header of the reference target (`trace_header`) that names the request for which the carrier acts. */
const traceHeader = 'x-request-id';

/** Names of shadows by the id of the request they differ on. */
export type Differences = Map<string, Set<string>>;

export function noteDiffering(found: Differences, names: readonly string[], caller = ''): void {
  const known = found.get(caller) ?? new Set();
  found.set(caller, known);
  for (const name of names) known.add(name);
}

const traceOf = (message: Message): string | undefined =>
  message.kind === 'exchange'
    ? message.request.headers.find(([name]) => name.toLowerCase() === traceHeader)?.[1]
    : undefined;

/** The shadows that differ, by the case that sent the request; those on requests of no record are of no case in particular. */
export function differingBy(found: Differences, result: Pick<Result, 'cases'>): Differing {
  const left = new Map(found);
  const byCase: Record<string, readonly string[]> = {};
  for (const { id, messages } of result.cases) {
    const names = new Set<string>();
    for (const trace of messages.map(traceOf)) {
      if (trace === undefined) continue;
      for (const name of left.get(trace) ?? []) names.add(name);
      left.delete(trace);
    }
    byCase[id] = [...names];
  }
  byCase[''] = [...new Set([...left.values()].flatMap((names) => [...names]))];
  return byCase;
}

/** What differs in any of several runs of the same cases. */
export function joinDiffering(all: readonly Differing[]): Differing {
  const joined: Record<string, string[]> = {};
  for (const [id, names] of all.flatMap((one) => Object.entries(one))) joined[id] = [...(joined[id] ?? []), ...names];
  return joined;
}
