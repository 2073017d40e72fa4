// Finds exports, files and dependencies that nothing uses. It installs knip beside itself when it is not there yet.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const knip = join(here, 'node_modules', 'knip', 'bin', 'knip.js');

const run = (program, args) => spawnSync(program, args, { cwd: root, stdio: 'inherit' }).status ?? 1;

if (!existsSync(knip)) {
  console.log('npm ci in ci/unused, once');
  const status = run('npm', ['ci', '--prefix', here, '--ignore-scripts']);
  if (status !== 0) process.exit(status);
}
process.exitCode = run(process.execPath, [knip, '--config', join('ci', 'unused', 'knip.json'), '--no-progress']);
