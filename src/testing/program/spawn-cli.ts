import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

export const root = join(import.meta.dirname, '../../..');

/** Result of the process. */
export interface ProcessResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface SpawnOptions {
  /** Replaces the test's environment, so that no CI or terminal variable has an effect. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Arguments of node itself. */
  readonly node?: readonly string[];
  /** File that receives stdout. */
  readonly stdout?: string;
  /** Limit that the shell sets first, such as `-n 60` for open files. */
  readonly ulimit?: string;
  /** Milliseconds after which a process that has not ended is killed, and its test fails. */
  readonly timeLimit?: number;
}

/** A running process. */
export interface RunningProcess {
  readonly ended: Promise<ProcessResult>;
  readonly interrupt: () => void;
  /** Sends SIGTERM, like `timeout`, a container or a CI. */
  readonly terminate: () => void;
  /** Sends SIGHUP, like a terminal that is closed. */
  readonly hangUp: () => void;
  /** Sends SIGKILL. */
  readonly kill: () => void;
  /** First match of a pattern on stderr; rejects if the process ends without it. */
  readonly stderr: (pattern: RegExp) => Promise<RegExpExecArray>;
}

function collectOutput(
  child: ChildProcess,
  onText: () => void,
): { readonly stdout: () => string; readonly stderr: () => string } {
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
      onText();
    });
  }
  return { stdout: () => texts.stdout, stderr: () => texts.stderr };
}

/** Starts `carrierspec` as a user does. */
export function startCli(
  args: readonly string[],
  { env = {}, cwd = root, node = [], stdout, ulimit, timeLimit = 50_000 }: SpawnOptions = {},
): RunningProcess {
  const watchers = new Set<() => void>();
  const output = stdout === undefined ? 'pipe' : openSync(stdout, 'w');
  const command = [process.execPath, ...node, join(root, 'bin/carrierspec.js'), ...args];
  const limited = ulimit === undefined ? [] : ['bash', '-c', `ulimit ${ulimit}; exec "$0" "$@"`];
  const [program = '', ...words] = [...limited, ...command];
  const child = spawn(program, words, {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', output, 'pipe'],
  });
  if (output !== 'pipe') closeSync(output);
  const texts = collectOutput(child, () => {
    for (const look of watchers) look();
  });
  const ended = new Promise<ProcessResult>((resolve, reject) => {
    const late = setTimeout(() => child.kill('SIGKILL'), timeLimit);
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(late);
      resolve({ code, stdout: texts.stdout(), stderr: texts.stderr() });
    });
  });
  const stderr = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = pattern.exec(texts.stderr());
        if (found === null) return;
        watchers.delete(look);
        resolve(found);
      };
      watchers.add(look);
      look();
      void ended.then(({ code }) => reject(new Error(`ended with ${code} without ${pattern}:\n${texts.stderr()}`)));
    });
  const end = (signal: NodeJS.Signals) => (): void => void child.kill(signal);
  return {
    ended,
    interrupt: end('SIGINT'),
    terminate: end('SIGTERM'),
    hangUp: end('SIGHUP'),
    kill: end('SIGKILL'),
    stderr,
  };
}

/** Runs `carrierspec` to its end in its own process. */
export function spawnCli(args: readonly string[], options?: SpawnOptions): Promise<ProcessResult> {
  return startCli(args, options).ended;
}
