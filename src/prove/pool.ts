import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { packageFile } from '../lib/package-file.ts';
import type { Job, JobOutcome, WorkerSettings } from './job.ts';
import { runJob } from './run-job.ts';
import type { Suites } from '../suite/suites.ts';

/** Threads of one program that do jobs side by side; each answers a job with its outcome. */
export interface Threads<Given, Outcome> {
  /** Jobs that are done at the same time. */
  readonly size: number;
  readonly run: (job: Omit<Given, 'id'>) => Promise<Outcome>;
  readonly close: () => Promise<void>;
}

/** Threads that run jobs side by side, each with a carrier and a runner of its own. */
export type Pool = Threads<Job, JobOutcome>;

interface Waiting<Outcome> {
  readonly job: unknown;
  readonly settle: (outcome: Outcome) => void;
  readonly fail: (cause: unknown) => void;
}

/** One job after the other in this thread: for a few of them a thread is not worth its start. */
export function openInline(suites: Suites, settings: Omit<WorkerSettings, 'folder'>): Pool {
  const folder = mkdtempSync(join(tmpdir(), 'carrierspec-prove-'));
  let last: Promise<unknown> = Promise.resolve();
  let jobs = 0;
  return {
    size: 1,
    run: (job) => {
      jobs += 1;
      const numbered = { ...job, id: jobs };
      const outcome = last.then(() => runJob(numbered, suites, { ...settings, folder }));
      last = outcome.catch(() => undefined);
      return outcome;
    },
    close: () => {
      rmSync(folder, { recursive: true, force: true });
      return Promise.resolve();
    },
  };
}

/** Starts `threads` threads of a program of dist/bundle. */
export function openThreads<Given extends { readonly id: number }, Outcome>(
  program: string,
  threads: number,
  workerData: unknown,
): Threads<Given, Outcome> {
  const queue: Waiting<Outcome>[] = [];
  const idle: Worker[] = [];
  const all: Worker[] = [];
  let jobs = 0;

  const next = (): void => {
    const worker = queue.length > 0 ? idle.pop() : undefined;
    const waiting = worker === undefined ? undefined : queue.shift();
    if (worker === undefined || waiting === undefined) return;
    const onError = (cause: unknown): void => waiting.fail(cause);
    worker.once('error', onError);
    worker.once('message', (outcome: Outcome) => {
      worker.off('error', onError);
      idle.push(worker);
      waiting.settle(outcome);
      next();
    });
    worker.postMessage(waiting.job);
  };
  for (let count = 0; count < threads; count += 1) {
    const worker = new Worker(packageFile(`dist/bundle/${program}.js`), { workerData });
    all.push(worker);
    idle.push(worker);
  }
  return {
    size: threads,
    run: (job) =>
      new Promise((settle, fail) => {
        jobs += 1;
        queue.push({ job: { ...job, id: jobs }, settle, fail });
        next();
      }),
    close: async () => void (await Promise.all(all.map((worker) => worker.terminate()))),
  };
}

export function openPool(threads: number, settings: Omit<WorkerSettings, 'folder'>): Pool {
  const folder = mkdtempSync(join(tmpdir(), 'carrierspec-prove-'));
  const { size, run, close } = openThreads<Job, JobOutcome>('prove-worker', threads, { ...settings, folder });
  return {
    size,
    run,
    close: async () => {
      await close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
