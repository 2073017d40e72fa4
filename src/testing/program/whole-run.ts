import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { inject } from 'vitest';
import { readResult } from '../../journal/read-result.ts';
import { runExitCode } from '../../verdict/ending.ts';
import { spawnCli } from './spawn-cli.ts';

interface WholeRun {
  readonly code: number | null;
  /** Output folder, read only. */
  readonly out: string;
}

/** The process that creates the folder makes the run. */
function createsFolder(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

/** Folder of a run of every case from before the tests: .ci/run sets it to npm start's. */
const earlierRun = process.env['WHOLE_RUN'];

const readEarlierRun = (out: string): WholeRun => ({
  code: runExitCode(readResult(join(out, 'result.json')).result),
  out,
});

/** `carrierspec run` of every case against the reference carrier: one process shared by all test files that only read its output. */
export async function wholeRun(): Promise<WholeRun> {
  if (earlierRun !== undefined) return readEarlierRun(earlierRun);
  const folder = join(inject('runs'), 'whole');
  const out = join(folder, 'out');
  const said = join(folder, 'ended.json');
  if (createsFolder(folder)) {
    const { code } = await spawnCli(['run', '--out', out], { timeLimit: 200_000 });
    writeFileSync(`${said}.draft`, JSON.stringify({ code }));
    renameSync(`${said}.draft`, said);
  }
  while (!existsSync(said)) await pause(200);
  const { code } = JSON.parse(readFileSync(said, 'utf8')) as Pick<WholeRun, 'code'>;
  return { code, out };
}
