import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { parseAllDocuments } from 'yaml';
import { followPath } from '../../lib/json.ts';
import { root } from './spawn-cli.ts';
import { makeFolder } from './target-file.ts';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
}

/** Runs a script as the runner of a CI does. */
export function runScript(script: string, env: Readonly<Record<string, string>>, cwd = root): Ended {
  const { status, stdout } = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', script], {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env },
  });
  return { code: status, stdout };
}

const npm = (cwd: string, ...args: readonly string[]) =>
  execFileSync('npm', [...args, '--offline', '--no-audit', '--no-fund', '--silent'], { cwd });

/** A user's project, as docs/ci.md makes it: its package.json has carrierspec as a dependency, from the tarball beside it. */
interface PackedProject {
  readonly folder: string;
  readonly tarball: string;
  /** The installed package. */
  readonly installed: string;
}

export function makePackedProject(): PackedProject {
  const folder = makeFolder();
  // With --ignore-scripts: the build exists already.
  npm(root, 'pack', '--ignore-scripts', '--pack-destination', folder);
  const tarball = join(folder, readdirSync(folder)[0] ?? '');
  const install = /^npm install (.+)$/m.exec(readFileSync(join(root, 'docs/ci.md'), 'utf8'))?.[1] ?? '';
  npm(folder, 'install', ...install.split(' '));
  return { folder, tarball, installed: join(folder, 'node_modules/carrierspec') };
}

/** Copy of a project as a job checks it out: without node_modules. */
export function checkOut({ folder }: PackedProject): string {
  const copy = makeFolder();
  cpSync(folder, copy, { recursive: true, filter: (path) => !path.includes('node_modules') });
  return copy;
}

/** Documents of a YAML file. */
export const readDocuments = (file: string): readonly unknown[] =>
  parseAllDocuments(readFileSync(join(root, file), 'utf8')).map((document) => {
    const value: unknown = document.toJS();
    return value;
  });

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
export const listAt = (value: unknown, ...path: readonly string[]): readonly unknown[] => {
  const found = followPath(value, path);
  return Array.isArray(found) ? found : [];
};
