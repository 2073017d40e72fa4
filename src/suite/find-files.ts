import { readdir, stat } from 'node:fs/promises';
import type { Area } from '../model/interface.ts';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';

/** A file of a suites folder. */
export interface SuiteFile {
  /** Where it is read from. */
  readonly path: string;
  /** How problems and positions name it: relative to the working directory where it is below it. */
  readonly label: string;
  /** Relative to its suites folder, with slashes: the same on every machine. */
  readonly name: string;
  /** The folder it stands in. */
  readonly area: string;
  readonly kind: 'rules' | 'suite';
}

/** In the order of the areas; files of other areas follow by name. Of a path that is a suite itself, that one. */
export async function findFiles(dir: string, areas: readonly Area[]): Promise<readonly SuiteFile[]> {
  if (!(await stat(dir)).isDirectory()) {
    const only = suiteFile(dirname(dir), basename(dir));
    if (only !== undefined) return [only];
    throw new Error('not a folder');
  }
  const found = await readdir(dir, { recursive: true });
  const files = found.flatMap((name) => suiteFile(dir, name) ?? []);
  const rank = ({ area }: SuiteFile): number => {
    const found = areas.findIndex(({ name }) => name === area);
    return found === -1 ? areas.length : found;
  };
  return files.sort((left, right) => rank(left) - rank(right) || (left.name < right.name ? -1 : 1));
}

function suiteFile(dir: string, found: string): SuiteFile | undefined {
  const kind = basename(found) === 'rules.yaml' ? 'rules' : found.endsWith('.suite.yaml') ? 'suite' : undefined;
  if (kind === undefined) return undefined;
  const path = join(dir, found);
  return { path, label: labelOf(path), name: found.split(sep).join('/'), area: basename(dirname(path)), kind };
}

export function labelOf(path: string): string {
  const near = relative('', path);
  return near.startsWith('..') || isAbsolute(near) ? path : near.split(sep).join('/');
}
