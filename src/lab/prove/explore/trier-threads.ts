import type { CasesAttempt } from '../../explore/settle.ts';
import type { TryResult } from '../../explore/try-cases.ts';
import type { ThreadSettings } from '../job.ts';
import { openThreads } from '../pool.ts';

/** Outcome of all attempts after the abort. */
const abortedResult: TryResult = { cases: [], invariants: [] };

/** Reference carriers in threads, each with a runner; aborting `signal` ends all attempts. */
export function openTriers(
  threads: number,
  { signal, ...settings }: Pick<ThreadSettings, 'suites' | 'faults'> & { readonly signal: AbortSignal },
): { readonly attempt: CasesAttempt; readonly close: () => Promise<void> } {
  const { run, close } = openThreads('try', threads, settings);
  const ended = new Promise<TryResult>((resolve) => {
    const end = (): void => resolve(abortedResult);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
  });
  return { attempt: (cases) => Promise.race([run(cases), ended]), close };
}
