import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const root = join(import.meta.dirname, '../../..');
const entry = join(root, 'dist/bundle/main.js');

const modifiedTime = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Time of the newest compiled source; tests and their samples are not compiled. */
function newestSourceTime(): number {
  const names = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  const compiled = names.filter((name) => name.endsWith('.ts') && !/\.test\.ts$|^testing\b/.test(name));
  const files = [join(root, 'tsconfig.json'), join(root, 'tsconfig.build.json')];
  return Math.max(...[...files, ...compiled.map((name) => join(root, 'src', name))].map(modifiedTime));
}

/** Time of the last build: tsc writes every file each time. */
const builtAt = (): number => modifiedTime(entry);

/** Tests of the CLI run the real process, so dist must match src. */
export function setup(): void {
  if (builtAt() > newestSourceTime()) return;
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the build failed:\n${stdout}`);
  for (const step of ['setup/prepare-build', 'lab/space/prepare-build', 'setup/bundle']) {
    const made = spawnSync(process.execPath, [`dist/${step}.js`], { cwd: root, encoding: 'utf8' });
    if (made.status !== 0) throw new Error(`the build failed:\n${made.stderr}`);
  }
}
