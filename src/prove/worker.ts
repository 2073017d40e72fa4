import { parentPort, workerData } from 'node:worker_threads';
import { readSuites } from '../setup/read.ts';
import type { Job, WorkerSettings } from './job.ts';
import { runJob } from './run-job.ts';

const parent = parentPort;
if (parent === null) throw new Error('src/prove/worker.ts runs in a worker thread only');

// Both ends of this port are ours: pool.ts sends what these types say.
const settings = workerData as WorkerSettings;
const suites = await readSuites(settings.suites);
parent.on('message', (job: Job) => {
  void runJob(job, suites, settings).then((outcome) => parent.postMessage(outcome));
});
