import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeFolder } from '../../testing/program/target-file.ts';
import { type ProgramEnding, runInGroup } from './run-program.ts';

let folder = '';
beforeAll(() => {
  folder = makeFolder();
});

interface Setting {
  readonly timeout?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

const node = (
  script: string,
  { timeout = 10_000, env = {}, signal = new AbortController().signal }: Setting = {},
): Promise<ProgramEnding> => runInGroup({ argv: [process.execPath, '-e', script], env, folder, timeout }, signal);

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // A killed child is a zombie until init reaps it.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

async function untilDead(pid: number): Promise<void> {
  await expect.poll(() => isAlive(pid), { timeout: 5000 }).toBe(false);
}

async function untilThere(file: string): Promise<number> {
  await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8') !== '', { timeout: 5000 }).toBe(true);
  return Number(readFileSync(file, 'utf8'));
}

/** A program that starts another, writes its pid to a file, and keeps running or ends. */
const parent = (file: string, rest: string): string =>
  `const c = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
   require('node:fs').writeFileSync(${JSON.stringify(file)}, String(c.pid)); ${rest}`;

describe('a program', () => {
  test('what it wrote and its exit code', async () => {
    const ran = await node('console.log("out"); console.error("err"); process.exitCode = 3');
    expect(ran).toEqual({ how: 'exit', code: 3, stdout: 'out\n', whole: true, stderr: 'err\n' });
  });

  test('gets its arguments as they are: no shell reads them', async () => {
    const words = ['$(touch pwned)', '; touch pwned', '`id`', 'a b', '*', '', '"'];
    const script = 'console.log(JSON.stringify(process.argv.slice(1)))';
    const command = {
      argv: [process.execPath, '-e', script, '--', ...words] as const,
      env: {},
      folder,
      timeout: 10_000,
    };
    const ran = await runInGroup(command, new AbortController().signal);
    expect(ran.how === 'exit' && JSON.parse(ran.stdout)).toEqual(words);
    expect(existsSync(join(folder, 'pwned'))).toBe(false);
  });

  test('sees only the variables it is given, and begins in the folder', async () => {
    const ran = await node('console.log(JSON.stringify([process.env, process.cwd()]))', { env: { A: '1' } });
    expect(ran.how === 'exit' && JSON.parse(ran.stdout)).toEqual([{ A: '1' }, folder]);
  });

  test('a program of the folder, by its path', async () => {
    writeFileSync(join(folder, 'own.sh'), '#!/bin/sh\necho own\n', { mode: 0o755 });
    const ran = await runInGroup(
      { argv: ['./own.sh'], env: {}, folder, timeout: 10_000 },
      new AbortController().signal,
    );
    expect(ran).toMatchObject({ how: 'exit', code: 0, stdout: 'own\n' });
  });

  test('one that writes without end is read to its end, and cut', async () => {
    const ran = await node('process.stdout.write("x".repeat(300_000)); process.stderr.write("y".repeat(300_000))');
    expect(ran).toMatchObject({ how: 'exit', code: 0, whole: false });
    expect(ran.how === 'exit' && ran.stdout.length).toBe(64 * 1024);
    expect(ran.stderr.length).toBe(8 * 1024);
  });

  test.each([
    ['./nowhere.sh', 'there is no such program'],
    ['.', 'this user may not run it'],
    ['a\0b', 'it contains a null character'],
  ])('%j does not start', async (program, why) => {
    const command = { argv: [program] as const, env: {}, folder, timeout: 1000 };
    expect(await runInGroup(command, new AbortController().signal)).toEqual({ how: 'not started', why, stderr: '' });
  });

  test('one that a signal ends', async () => {
    const ran = await node('process.kill(process.pid, "SIGTERM"); setInterval(() => {}, 1000)');
    expect(ran).toMatchObject({ how: 'killed', why: 'it was ended by SIGTERM' });
  });
});

describe('nothing is left behind', () => {
  test('when the time is up, also of what it started', async () => {
    const file = join(folder, 'timeout');
    const ran = await node(parent(file, 'console.error("busy")'), { timeout: 700 });
    expect(ran).toEqual({ how: 'timeout', why: 'it did not end within 0.7 s', stderr: 'busy\n' });
    await untilDead(Number(readFileSync(file, 'utf8')));
  });

  test('when the run stops', async () => {
    const file = join(folder, 'stopped');
    const controller = new AbortController();
    const running = node(parent(file, ''), { signal: controller.signal });
    const pid = await untilThere(file);
    controller.abort();
    expect(await running).toMatchObject({ how: 'stopped' });
    await untilDead(pid);
    expect(await node('', { signal: controller.signal })).toMatchObject({ how: 'stopped' });
  });

  test('when it ends and leaves a child, whose pipes are not waited for', async () => {
    const file = join(folder, 'left');
    const ran = await node(parent(file, 'process.exit(0)'));
    expect(ran).toMatchObject({ how: 'exit', code: 0 });
    await untilDead(Number(readFileSync(file, 'utf8')));
  });

  test('one that left its group is not waited for', async () => {
    const file = join(folder, 'escaped');
    const ran = await node(
      parent(file, 'process.exit(0)').replace("stdio: 'inherit'", "stdio: 'inherit', detached: true"),
    );
    const pid = Number(readFileSync(file, 'utf8'));
    process.kill(pid, 'SIGKILL');
    expect(ran).toMatchObject({ how: 'exit', code: 0 });
  });
});
