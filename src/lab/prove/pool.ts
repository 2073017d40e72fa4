import { makeTemporaryFolder, removeFolder } from '../../files/folder.ts';
import { Worker } from 'node:worker_threads';
import { packageFile } from '../../lib/package-file.ts';
import type { Suites } from '../../suite/suites.ts';
import type { JobKind, Jobs, ThreadReply, ThreadSettings } from './job.ts';
import { runJob } from './run-job.ts';

export interface Threads<Kind extends JobKind> {
  /** Jobs that run at the same time. */
  readonly size: number;
  readonly run: (job: Jobs[Kind]['job']) => Promise<Jobs[Kind]['outcome']>;
  readonly close: () => Promise<void>;
}

/** Threads that run jobs in parallel, each with a carrier and a runner of its own. */
export type RunPool = Threads<'run'>;

type PoolSettings = Omit<ThreadSettings, 'folder'>;

interface WaitingJob<Kind extends JobKind> {
  readonly job: Jobs[Kind]['job'];
  readonly settle: (outcome: Jobs[Kind]['outcome']) => void;
  readonly fail: (cause: unknown) => void;
}

/** A folder for the journals of jobs. */
function openJournalFolder(): { readonly folder: string; readonly remove: () => void } {
  const folder = makeTemporaryFolder('carrierspec-prove-');
  return { folder, remove: () => removeFolder(folder) };
}

/** Runs one job after the other in this thread; for a few, a thread is not worth its start. */
export function openInline(suites: Suites, settings: PoolSettings): RunPool {
  const { folder, remove } = openJournalFolder();
  let last: Promise<unknown> = Promise.resolve();
  return {
    size: 1,
    run: (job) => {
      const outcome = last.then(() => runJob(job, suites, { ...settings, folder }));
      last = outcome.catch(() => undefined);
      return outcome;
    },
    close: () => Promise.resolve(remove()),
  };
}

export function openThreads<Kind extends JobKind>(kind: Kind, size: number, settings: PoolSettings): Threads<Kind> {
  const { folder, remove } = openJournalFolder();
  const workerData = { kind, settings: { ...settings, folder } };
  const all = Array.from(
    { length: size },
    () => new Worker(packageFile('dist/bundle/prove-worker.js'), { workerData }),
  );
  const idle = [...all];
  const queue: WaitingJob<Kind>[] = [];

  const next = (): void => {
    const worker = queue.length > 0 ? idle.pop() : undefined;
    const waiting = worker === undefined ? undefined : queue.shift();
    if (worker === undefined || waiting === undefined) return;
    const onError = (cause: unknown): void => waiting.fail(cause);
    worker.once('error', onError);
    worker.once('message', (reply: ThreadReply<Kind>) => {
      worker.off('error', onError);
      idle.push(worker);
      if ('fault' in reply) waiting.fail(new Error(reply.fault));
      else waiting.settle(reply.outcome);
      next();
    });
    worker.postMessage(waiting.job);
  };
  return {
    size,
    run: (job) =>
      new Promise((settle, fail) => {
        queue.push({ job, settle, fail });
        next();
      }),
    close: async () => {
      await Promise.all(all.map((worker) => worker.terminate()));
      remove();
    },
  };
}
