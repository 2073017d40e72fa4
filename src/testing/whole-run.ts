import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { inject } from 'vitest';
import { type Ended, spawnCli } from './spawn-cli.ts';

interface WholeRun extends Ended {
  /** Its folder: to be read only. */
  readonly out: string;
}

/** Whoever makes the folder first makes the run. */
function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

/** `carrierspec run` of every case against the reference carrier: one process for all the test files that only read what it left. */
export async function wholeRun(): Promise<WholeRun> {
  const folder = join(inject('runs'), 'whole');
  const out = join(folder, 'out');
  const said = join(folder, 'ended.json');
  if (isFirst(folder)) {
    const ended = await spawnCli(['run', '--out', out], { timeLimit: 200_000 });
    writeFileSync(`${said}.draft`, JSON.stringify(ended));
    renameSync(`${said}.draft`, said);
  }
  while (!existsSync(said)) await pause(200);
  const { code, stdout, stderr } = JSON.parse(readFileSync(said, 'utf8')) as Ended;
  return { code, stdout, stderr, out };
}
