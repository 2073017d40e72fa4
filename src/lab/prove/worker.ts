import { parentPort, workerData } from 'node:worker_threads';
import { errorMessage } from '../../lib/errors.ts';
import { readSuites } from '../../setup/read-files.ts';
import type { JobKind, Jobs, ThreadReply, ThreadSettings } from './job.ts';

type JobPerformer<Kind extends JobKind> = (job: Jobs[Kind]['job']) => Promise<Jobs[Kind]['outcome']>;

/** Prepares the thread for jobs of one kind, without loading the modules of the others. */
const jobPreparations: { readonly [Kind in JobKind]: (settings: ThreadSettings) => Promise<JobPerformer<Kind>> } = {
  run: async (settings) => {
    const { runJob } = await import('./run-job.ts');
    const suites = await readSuites(settings.suites);
    return (job) => runJob(job, suites, settings);
  },
  explore: async (settings) => {
    const { runDeep } = await import('./deep/run-deep.ts');
    const suites = await readSuites([]);
    return (job) => runDeep(job, suites, settings);
  },
  try: async (settings) => {
    const { openThreadTrier: openHere } = await import('./explore/thread-trier.ts');
    return openHere(await readSuites(settings.suites), settings);
  },
};

async function serveJobs<Kind extends JobKind>(kind: Kind, settings: ThreadSettings): Promise<void> {
  const act: JobPerformer<Kind> = await jobPreparations[kind](settings);
  parentPort?.on('message', (job: Jobs[Kind]['job']) => {
    const reply = act(job).then(
      (outcome): ThreadReply<Kind> => ({ outcome }),
      (error: unknown): ThreadReply<Kind> => ({ fault: errorMessage(error) }),
    );
    void reply.then((answer) => parentPort?.postMessage(answer));
  });
}

/** `openThreads` sends these types. */
const isWorkerData = (value: unknown): value is { readonly kind: JobKind; readonly settings: ThreadSettings } =>
  typeof value === 'object' && value !== null && 'kind' in value && 'settings' in value;

const startData: unknown = workerData;
if (!isWorkerData(startData)) throw new Error('src/lab/prove/worker.ts runs in a thread of pool.ts only');
await serveJobs(startData.kind, startData.settings);
