import { spawn } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { parseAllDocuments } from 'yaml';
import { isJsonObject } from '../lib/json.ts';
import { root } from './spawn-cli.ts';
import { makeFolder } from './target-file.ts';

/** The documents of a manifest of the docs. */
export const readManifests = (path: string): readonly unknown[] =>
  parseAllDocuments(readFileSync(join(root, path), 'utf8')).map((document) => {
    const value: unknown = document.toJS();
    return value;
  });

/** What stands at a path of names and indexes. */
export const at = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((inside, name) => {
    if (Array.isArray(inside)) return inside[Number(name)] as unknown;
    return isJsonObject(inside) ? inside[name] : undefined;
  }, value);

export const listAt = (value: unknown, ...path: readonly (string | number)[]): readonly unknown[] => {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
};

export const textAt = (value: unknown, ...path: readonly (string | number)[]): string => {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : '';
};

export const envOf = (container: unknown): Record<string, string> =>
  Object.fromEntries(listAt(container, 'env').map((one) => [textAt(one, 'name'), textAt(one, 'value')]));

/** A folder with these programs, as scripts of sh. */
export function folderOfPrograms(scripts: Readonly<Record<string, string>>): string {
  const folder = makeFolder();
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

/** The `carrierspec` of the image: this one. */
export const carrierspecScript = `exec "${process.execPath}" "${join(root, 'bin/carrierspec.js')}" "$@"`;

/** How the script of a container ended. */
interface EndedContainer {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface ContainerOptions {
  /** A folder whose programs come first. */
  readonly programs: string;
  readonly env: Readonly<Record<string, string>>;
  /** Gets the means to stop it as Kubernetes does. */
  readonly onStart?: (terminate: () => void) => void;
}

/** Runs the script of a container as Kubernetes does, with its environment and what `env` has instead. */
export function runContainer(
  container: unknown,
  { programs, env, onStart }: ContainerOptions,
): Promise<EndedContainer> {
  const [shell, flag] = listAt(container, 'command');
  if (shell !== 'sh' || flag !== '-c') throw new Error('the container runs no script of sh');
  const path = `${programs}${delimiter}${process.env['PATH'] ?? ''}`;
  const child = spawn(shell, [flag, textAt(container, 'args', 0)], {
    env: { PATH: path, ...envOf(container), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
    });
  }
  onStart?.(() => void child.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...texts }));
  });
}
