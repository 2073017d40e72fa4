import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Try } from '../../explore/settle.ts';
import { openThreads } from '../pool.ts';
import type { Trial, TrialJob, TrialSettings } from './job.ts';

export interface Triers {
  readonly attempt: Try;
  readonly close: () => Promise<void>;
}

/** Reference carriers in so many threads, each with a runner beside it: cases that are tried at once share nothing. */
export function openTriers(threads: number, settings: Omit<TrialSettings, 'folder'>): Triers {
  const folder = mkdtempSync(join(tmpdir(), 'carrierspec-explore-'));
  const { run, close } = openThreads<TrialJob, Trial>('explore-worker', threads, { ...settings, folder });
  return {
    attempt: async (cases) => {
      const trial = await run({ cases });
      if ('fault' in trial) throw new Error(trial.fault);
      return trial;
    },
    close: async () => {
      await close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
