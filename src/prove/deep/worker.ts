import { parentPort, workerData } from 'node:worker_threads';
import { readSuites, readWritten } from '../../setup/read.ts';
import type { DeepJob, DeepSettings } from './job.ts';
import { runDeep } from './run-deep.ts';

const parent = parentPort;
const given: unknown = workerData;

const isSettings = (value: unknown): value is DeepSettings =>
  typeof value === 'object' && value !== null && 'folder' in value && 'startAt' in value;

if (parent === null || !isSettings(given))
  throw new Error('src/prove/deep/worker.ts runs in a thread of `prove --deep` only');
const settings = given;
const suites = { suites: await readSuites([]), written: await readWritten([]) };
parent.on('message', (job: DeepJob) => {
  void runDeep(job, suites, settings).then((outcome) => parent.postMessage(outcome));
});
