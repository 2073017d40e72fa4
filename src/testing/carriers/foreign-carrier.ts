import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { root } from '../program/spawn-cli.ts';
import { makeFolder } from '../program/target-file.ts';

/** A carrier of `fixtures/foreign`, which shares no code with the reference carrier. */
export interface ForeignCarrier {
  readonly folder: string;
  readonly command: readonly [string, ...string[]];
}

const python = 'python3';
const foreignFolder = join(root, 'fixtures/foreign');

export const foreignCarriers = {
  node: { folder: join(foreignFolder, 'node'), command: [process.execPath, join(foreignFolder, 'node/carrier.js')] },
  python: { folder: join(foreignFolder, 'python'), command: [python, join(foreignFolder, 'python/carrier.py')] },
} as const satisfies Record<string, ForeignCarrier>;

/** Requirement of the Python carrier that is missing here, or undefined. */
export function missingPython(): string | undefined {
  try {
    execFileSync(python, ['-c', 'import sys; assert sys.version_info >= (3, 9)'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'there is no Python 3.9 or later';
  }
}

/** Addresses that a carrier prints when it is ready, and a function that ends it. */
export interface StartedForeignCarrier {
  readonly operator: string;
  readonly target: string;
  readonly stop: () => void;
}

const started = new Set<ChildProcess>();

/** Ends carriers that a failed test left running; for the end of a test file. */
export function stopForeign(): void {
  for (const child of started) child.kill();
}

/** Starts a carrier in its own process. */
export async function startForeign(
  { command: [program, ...args] }: ForeignCarrier,
  defects: readonly string[] = [],
): Promise<StartedForeignCarrier> {
  const flags = ['--out', makeFolder(), ...defects.flatMap((name) => ['--defect', name])];
  const child = spawn(program, [...args, ...flags], { stdio: ['ignore', 'pipe', 'ignore'] });
  started.add(child);
  const stop = (): void => {
    started.delete(child);
    child.kill();
  };
  for await (const line of createInterface({ input: child.stdout }))
    return { ...(JSON.parse(line) as Omit<StartedForeignCarrier, 'stop'>), stop };
  throw new Error(`${program} ended before it was ready`);
}
