import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readResult } from '../../journal/read-result.ts';
import type { Result } from '../../model/result.ts';
import { runCli, type RunOptions } from './run-cli.ts';
import { type ProcessResult, spawnCli, type SpawnOptions } from './spawn-cli.ts';
import { makeFolder } from './target-file.ts';

/** A `carrierspec run` that has ended, and its folder. */
export interface KeptRun extends ProcessResult {
  readonly out: string;
  /** The terminal's report on one line, because its lines are wrapped. */
  readonly plain: string;
  /** Read from the folder each time. */
  readonly result: Result;
}

interface Place {
  readonly out?: string;
}

const keep = (ended: ProcessResult, out: string): KeptRun => ({
  ...ended,
  out,
  plain: ended.stdout.replaceAll(/\s+/g, ' '),
  get result() {
    const file = join(out, 'result.json');
    if (!existsSync(file)) throw new Error(`exit code ${ended.code} without a result: ${ended.stderr}`);
    return readResult(file).result;
  },
});

/** `carrierspec run` into a folder, in the process of the test. */
export const runInto = async (args: readonly string[], { out = makeFolder(), ...options }: RunOptions & Place = {}) =>
  keep(await runCli(['run', ...args, '--out', out], options), out);

/** `carrierspec run` into a folder, in its own process. */
export const spawnInto = async (
  args: readonly string[],
  { out = makeFolder(), ...options }: SpawnOptions & Place = {},
) => keep(await spawnCli(['run', ...args, '--out', out], options), out);
