import { parentPort, workerData } from 'node:worker_threads';
import { readSuites } from '../setup/read.ts';
import type { Job, WorkerSettings } from './job.ts';
import { runJob } from './run-job.ts';

const parent = parentPort;
const given: unknown = workerData;

/** `pool.ts` sends what these types say. */
const isSettings = (value: unknown): value is WorkerSettings =>
  typeof value === 'object' && value !== null && 'suites' in value && 'folder' in value && 'startAt' in value;

if (parent === null || !isSettings(given)) throw new Error('src/prove/worker.ts runs in a thread of pool.ts only');
const settings = given;
const suites = await readSuites(settings.suites);
parent.on('message', (job: Job) => {
  void runJob(job, suites, settings).then((outcome) => parent.postMessage(outcome));
});
