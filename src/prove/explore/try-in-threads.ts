import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Try } from '../../explore/settle.ts';
import { openThreads } from '../pool.ts';
import type { Trial, TrialJob, TrialSettings } from './job.ts';

/** What came of cases that nobody waits for any more. */
const nothing: Trial = { cases: [], invariants: [] };

export interface Triers {
  readonly attempt: Try;
  readonly close: () => Promise<void>;
}

/**
 * Reference carriers in so many threads, each with a runner beside it: cases that are tried at once share nothing. Once
 * `signal` is aborted nothing comes of them.
 */
export function openTriers(
  threads: number,
  { signal, ...settings }: Omit<TrialSettings, 'folder'> & { readonly signal: AbortSignal },
): Triers {
  const folder = mkdtempSync(join(tmpdir(), 'carrierspec-explore-'));
  const { run, close } = openThreads<TrialJob, Trial>('explore-worker', threads, { ...settings, folder });
  const ended = new Promise<Trial>((resolve) => {
    const end = (): void => resolve(nothing);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
  });
  return {
    attempt: async (cases) => {
      const trial = await Promise.race([run({ cases }), ended]);
      if ('fault' in trial) throw new Error(trial.fault);
      return trial;
    },
    close: async () => {
      await close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
