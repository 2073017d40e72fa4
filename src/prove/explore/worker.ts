import { parentPort, workerData } from 'node:worker_threads';
import { readSuites } from '../../setup/read.ts';
import type { Trial, TrialJob, TrialSettings } from './job.ts';
import { openHere } from './try-here.ts';

const parent = parentPort;
const given: unknown = workerData;

const isSettings = (value: unknown): value is TrialSettings =>
  typeof value === 'object' && value !== null && 'folder' in value && 'suites' in value && 'faults' in value;

if (parent === null || !isSettings(given))
  throw new Error('src/prove/explore/worker.ts runs in a thread of `explore` only');
const tryHere = openHere(await readSuites(given.suites), given);

async function tried(job: TrialJob): Promise<Trial> {
  try {
    return await tryHere(job);
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

parent.on('message', (job: TrialJob) => {
  void tried(job).then((trial) => parent.postMessage(trial));
});
