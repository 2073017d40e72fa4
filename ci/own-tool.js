// Runs a tool that the product does not need: its package lives in a folder of ci, and is installed there on first use.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const run = (program, args) => spawnSync(program, args, { cwd: root, stdio: 'inherit' }).status ?? 1;

/** Runs a program of `ci/<folder>/node_modules` in the root of the checkout; returns its exit code, or the installation's. */
export function runTool(folder, program, args) {
  const path = join('ci', folder, 'node_modules', program);
  if (!existsSync(join(root, path))) {
    console.log(`npm ci in ci/${folder}, once`);
    const status = run('npm', ['ci', '--prefix', join('ci', folder), '--ignore-scripts']);
    if (status !== 0) return status;
  }
  return run(process.execPath, [path, ...args]);
}
