import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../lib/errors.ts';
import { readSuites, readWritten } from '../setup/read.ts';
import type { JobKind, Jobs, Reply, ThreadSettings } from './job.ts';

type Perform<Kind extends JobKind> = (job: Jobs[Kind]['job']) => Promise<Jobs[Kind]['outcome']>;

/** Prepares the thread for jobs of one kind, without loading the modules of the others. */
const ready: { readonly [Kind in JobKind]: (settings: ThreadSettings) => Promise<Perform<Kind>> } = {
  run: async (settings) => {
    const { runJob } = await import('./run-job.ts');
    const suites = await readSuites(settings.suites);
    return (job) => runJob(job, suites, settings);
  },
  explore: async (settings) => {
    const { runDeep } = await import('./deep/run-deep.ts');
    const suites = { suites: await readSuites([]), written: await readWritten([]) };
    return (job) => runDeep(job, suites, settings);
  },
  try: async (settings) => {
    const { openHere } = await import('./explore/try-here.ts');
    return openHere(await readSuites(settings.suites), settings);
  },
};

async function perform<Kind extends JobKind>(kind: Kind, settings: ThreadSettings): Promise<void> {
  const act: Perform<Kind> = await ready[kind](settings);
  parentPort?.on('message', (job: Jobs[Kind]['job']) => {
    const reply = act(job).then(
      (outcome): Reply<Kind> => ({ outcome }),
      (error: unknown): Reply<Kind> => ({ fault: messageOf(error) }),
    );
    void reply.then((answer) => parentPort?.postMessage(answer));
  });
}

/** `openThreads` sends these types. */
const isGiven = (value: unknown): value is { readonly kind: JobKind; readonly settings: ThreadSettings } =>
  typeof value === 'object' && value !== null && 'kind' in value && 'settings' in value;

const given: unknown = workerData;
if (!isGiven(given)) throw new Error('src/prove/worker.ts runs in a thread of pool.ts only');
await perform(given.kind, given.settings);
