import { explainFileError } from '../../lib/errors.ts';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import process from 'node:process';
import type { Readable } from 'node:stream';

/** A program and its arguments, passed without a shell. */
export interface ProgramCommand {
  readonly argv: readonly [program: string, ...args: readonly string[]];
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  /** Milliseconds. */
  readonly timeout: number;
}

/** How a program ended. Its output is cut to a limit; `whole` says whether stdout is complete. */
export type ProgramEnding =
  | {
      readonly how: 'exit';
      readonly code: number;
      readonly stdout: string;
      readonly whole: boolean;
      readonly stderr: string;
    }
  | { readonly how: 'killed' | 'timeout' | 'stopped' | 'not started'; readonly why: string; readonly stderr: string };

const stdoutBytes = 64 * 1024;
const stderrBytes = 8 * 1024;

/** Leaders of the running process groups, which are killed when this process exits. */
const runningGroups = new Set<number>();
let listensForExit = false;

/** Kills every process of a group, including those that the program left behind. */
function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    // The group is empty, or its programs run as another user and cannot be signalled.
    const code = readErrorCode(error);
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

function killGroupsAtExit(): void {
  if (listensForExit) return;
  listensForExit = true;
  process.once('exit', () => {
    for (const leader of runningGroups) killGroup(leader);
  });
}

/** Keeps the first bytes; the rest is read and dropped, so that the program never blocks on its output. */
function keepOutput(stream: Readable, limit: number): { readonly text: () => string; readonly whole: () => boolean } {
  const chunks: Buffer[] = [];
  let kept = 0;
  let whole = true;
  stream.on('data', (chunk: Buffer) => {
    const part = chunk.subarray(0, limit - kept);
    kept += part.length;
    whole &&= part.length === chunk.length;
    if (part.length > 0) chunks.push(part);
  });
  return { text: () => Buffer.concat(chunks).toString('utf8'), whole: () => whole };
}

type SpawnedProgram = ChildProcessByStdio<null, Readable, Readable>;
type StartedProgram = SpawnedProgram & { readonly pid: number };

const isStartedProgram = (child: SpawnedProgram): child is StartedProgram => child.pid !== undefined;

const readErrorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);

function startProgram({
  argv: [program, ...args],
  env,
  folder,
}: ProgramCommand): Promise<StartedProgram | { readonly why: string }> {
  return new Promise((resolve) => {
    const refuse = (error: unknown): void => {
      resolve({ why: explainFileError('run', error) });
    };
    try {
      const child: SpawnedProgram = spawn(program, args, {
        cwd: folder,
        env,
        detached: true,
        shell: false,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      child.once('error', refuse);
      // A started child has its pid at once; otherwise `error` follows.
      if (isStartedProgram(child)) resolve(child);
    } catch (error) {
      refuse(error);
    }
  });
}

type CutReason = 'timeout' | 'stopped';

/** Milliseconds to read the last output while a process outside the group holds the pipes open. */
const lastOutputTime = 1000;

interface ProgramGuard {
  readonly cut: () => CutReason | undefined;
  /** Settles if a killed program is still running, as another user's does when started by sudo. */
  readonly givenUp: Promise<undefined>;
  readonly done: () => void;
}

/** Kills the group when its time is up or the run stops. */
function guardProgram(pid: number, { timeout }: ProgramCommand, signal: AbortSignal): ProgramGuard {
  let cut: CutReason | undefined;
  let giveUp: NodeJS.Timeout | undefined;
  const { promise: givenUp, resolve: give } = createResolver();
  const end = (how: CutReason) => (): void => {
    cut ??= how;
    killGroup(pid);
    giveUp ??= setTimeout(give, 2 * lastOutputTime);
  };
  const stop = end('stopped');
  const late = setTimeout(end('timeout'), timeout);
  signal.addEventListener('abort', stop, { once: true });
  runningGroups.add(pid);
  killGroupsAtExit();
  return {
    cut: () => cut,
    givenUp,
    done: () => {
      clearTimeout(late);
      clearTimeout(giveUp);
      signal.removeEventListener('abort', stop);
      runningGroups.delete(pid);
    },
  };
}

function createResolver(): { readonly promise: Promise<undefined>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<undefined>((settle) => {
    resolve = () => settle(undefined);
  });
  return { promise, resolve };
}

/** Releases a program that cannot be killed: neither this process nor the run waits for it. */
function abandonProgram(child: StartedProgram): void {
  child.stdout.destroy();
  child.stderr.destroy();
  child.unref();
}

/** Resolves with exit code or signal once all pipes are closed. Processes that the program left behind are killed first. */
function waitForClose(
  child: StartedProgram,
  pid: number,
): Promise<{ code: number | null; killer: NodeJS.Signals | null }> {
  return new Promise((resolve) => {
    child.once('exit', () => {
      killGroup(pid);
      const cut = setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, lastOutputTime);
      child.once('close', (code, killer) => {
        clearTimeout(cut);
        resolve({ code, killer });
      });
    });
  });
}

/** Runs a program in its own process group, and kills that group afterwards. Never throws. */
export async function runInGroup(command: ProgramCommand, signal: AbortSignal): Promise<ProgramEnding> {
  const stopped = { how: 'stopped', why: 'the run was interrupted' } as const;
  if (signal.aborted) return { ...stopped, stderr: '' };
  const child = await startProgram(command);
  if ('why' in child) return { how: 'not started', why: child.why, stderr: '' };
  const { pid } = child;
  const [stdout, stderr] = [keepOutput(child.stdout, stdoutBytes), keepOutput(child.stderr, stderrBytes)];
  const guarded = guardProgram(pid, command, signal);
  const closed = await Promise.race([waitForClose(child, pid), guarded.givenUp]);
  guarded.done();
  if (closed === undefined) abandonProgram(child);
  const { code, killer } = closed ?? { code: null, killer: null };
  const cut = guarded.cut();
  if (cut === 'stopped') return { ...stopped, stderr: stderr.text() };
  if (cut === 'timeout') {
    return { how: cut, why: `it did not end within ${command.timeout / 1000} s`, stderr: stderr.text() };
  }
  if (code === null) return { how: 'killed', why: `it was ended by ${killer ?? 'a signal'}`, stderr: stderr.text() };
  return { how: 'exit', code, stdout: stdout.text(), whole: stdout.whole(), stderr: stderr.text() };
}
