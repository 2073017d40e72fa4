import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../program/target-file.ts';
import { root, spawnCli } from '../program/spawn-cli.ts';

/** Result and cost of a run of the program. */
interface MeasuredRun {
  readonly code: number | null;
  readonly seconds: number;
  /** Peak resident memory. */
  readonly mebibytes: number;
  /** Size of the result; 0 if there is none. */
  readonly megabytes: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly figures: string;
}

function fileMegabytes(file: string): number {
  try {
    return statSync(file).size / 1e6;
  } catch {
    return 0;
  }
}

/** Runs the program, and removes its output. */
export async function measureRun(
  what: readonly string[],
  env: Readonly<Record<string, string>>,
  timeLimit: number,
): Promise<MeasuredRun> {
  const folder = makeFolder();
  const [out, peak] = [join(folder, 'out'), join(folder, 'peak')];
  const begun = performance.now();
  const { code, stdout, stderr } = await spawnCli(['run', ...what, '--out', out], {
    env: { ...env, PEAK_FILE: peak },
    node: ['--import', `file://${root}/bench/peak.js`],
    timeLimit,
  });
  const seconds = (performance.now() - begun) / 1000;
  const mebibytes = Math.round(Number(readFileSync(peak, 'utf8')) / 1024);
  const megabytes = fileMegabytes(join(out, 'result.json'));
  rmSync(folder, { recursive: true, force: true });
  const figures = `exit ${code}, ${seconds.toFixed(1)} s, ${mebibytes} MiB, result ${megabytes.toFixed(1)} MB`;
  return { code, seconds, mebibytes, megabytes, stdout, stderr, figures };
}
