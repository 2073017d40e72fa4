// Holds the layers of src. It installs dependency-cruiser beside itself when it is not there yet.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkPicture } from './picture.js';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const cruiser = join(here, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs');

const run = (program, args) => spawnSync(program, args, { cwd: root, stdio: 'inherit' }).status ?? 1;

if (!existsSync(cruiser)) {
  console.log('npm ci in ci/layers, once');
  const status = run('npm', ['ci', '--prefix', here, '--ignore-scripts']);
  if (status !== 0) process.exit(status);
}
const same = checkPicture(process.argv.includes('--write'));
if (!same) console.error('ARCHITECTURE.md shows other layers than ci/layers/layers.js: npm run layers -- --write');
const config = join('ci', 'layers', 'rules.js');
const status = run(process.execPath, [cruiser, '--config', config, '--output-type', 'err-long', 'src']);
process.exitCode = same ? status : 1;
