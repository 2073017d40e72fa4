import type { Try } from '../../explore/settle.ts';
import type { TriedCases } from '../../explore/try-cases.ts';
import type { ThreadSettings } from '../job.ts';
import { openThreads } from '../pool.ts';

/** Outcome of all attempts after the abort. */
const nothing: TriedCases = { cases: [], invariants: [] };

/** Reference carriers in threads, each with a runner; aborting `signal` ends all attempts. */
export function openTriers(
  threads: number,
  { signal, ...settings }: Pick<ThreadSettings, 'suites' | 'faults'> & { readonly signal: AbortSignal },
): { readonly attempt: Try; readonly close: () => Promise<void> } {
  const { run, close } = openThreads('try', threads, settings);
  const ended = new Promise<TriedCases>((resolve) => {
    const end = (): void => resolve(nothing);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
  });
  return { attempt: (cases) => Promise.race([run(cases), ended]), close };
}
