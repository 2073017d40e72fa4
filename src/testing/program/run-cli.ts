import { join } from 'node:path';
import process from 'node:process';
import { PassThrough, Writable } from 'node:stream';
import { setEnvironmentData, type Worker } from 'node:worker_threads';
import { makeRsa } from '../../carrier/jose/carrier-keys.ts';
import type { main } from '../../cli/main.ts';
import { type ProcessResult, root, type SpawnOptions } from './spawn-cli.ts';

/** The program as shipped, which vitest does not transform: running it from src takes half as long again. */
const program = join(root, 'dist/bundle/main.js');

export type RunOptions = Pick<SpawnOptions, 'env' | 'cwd' | 'timeLimit'> & {
  /** Piped input. */
  readonly stdin?: string;
};

/** Collects the program's output as one text. */
class TextCollector extends Writable {
  text = '';
  constructor() {
    super({ decodeStrings: false });
  }
  override _write(chunk: string | Buffer, _: BufferEncoding, done: () => void): void {
    this.text += String(chunk);
    done();
  }
}

/** Threads that the program has started and not ended. */
const threads = new Set<Worker>();
process.on('worker', (worker) => {
  threads.add(worker);
  worker.once('exit', () => threads.delete(worker));
});

/** Ends threads that the end of a process would end: above all a carrier that a refused command started and never used. */
async function endThreads(): Promise<void> {
  await Promise.all([...threads].map((worker) => worker.terminate()));
}

/** Shares one key with the carrier threads of all runs: making a key takes a fifth of a short run. */
const sharedRsaKey = makeRsa(2048).then((pair) => setEnvironmentData('rsa-2048 all 1', pair));

async function runHere(
  args: readonly string[],
  { env = {}, cwd, stdin: piped = '' }: RunOptions,
): Promise<ProcessResult> {
  await Promise.all([endThreads(), sharedRsaKey]);
  const shipped = (await import(program)) as { readonly main: typeof main };
  const [stdin, stdout, stderr] = [new PassThrough(), new TextCollector(), new TextCollector()];
  stdin.end(piped);
  const before = process.cwd();
  if (cwd !== undefined) process.chdir(cwd);
  try {
    const code = await shipped.main({
      argv: args,
      stdin,
      stdout,
      stderr,
      env: { PATH: process.env['PATH'] ?? '', ...env },
      onSignal: () => undefined,
      exitNow: () => undefined,
    });
    return { code, stdout: stdout.text, stderr: stderr.text };
  } finally {
    process.chdir(before);
    await endThreads();
  }
}

async function endWithin(
  milliseconds: number,
  args: readonly string[],
  ended: Promise<ProcessResult>,
): Promise<ProcessResult> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const tell = (): void => reject(new Error(`after ${milliseconds} ms it had not ended: ${args.join(' ')}`));
    timer = setTimeout(tell, milliseconds);
  });
  try {
    return await Promise.race([ended, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** One run at a time, because they share the process's working directory. */
let lastRun: Promise<unknown> = Promise.resolve();

/**
 * Runs the whole program, from its arguments and streams to its exit code, in the test's process: loading it once costs less
 * than half of a process each time. Tests of the process itself (signals, pipes, its end) use `spawnCli`; src/cli/process.test.ts
 * checks for a call of each kind that both print the same.
 */
export function runCli(args: readonly string[], options: RunOptions = {}): Promise<ProcessResult> {
  const run = (): Promise<ProcessResult> => endWithin(options.timeLimit ?? 50_000, args, runHere(args, options));
  const ended = lastRun.then(run);
  lastRun = ended.catch(() => undefined);
  return ended;
}
