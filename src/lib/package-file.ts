import type { Hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

// The package is ours: its files need no limit and no guard. src/files reads and writes all others.

/** Finds the folder of package.json, above src, dist and the bundle. */
function findRoot(): URL {
  for (let folder = new URL('.', import.meta.url); ; folder = new URL('../', folder)) {
    if (existsSync(new URL('package.json', folder))) return folder;
    if (folder.pathname === '/') throw new Error('carrierspec does not stand in its package');
  }
}

const packageRootUrl = findRoot();

/** URL of a shipped file, from its path below the package root. */
export const packageFile = (path: string): URL => new URL(path, packageRootUrl);

/** Whether the package has a file or folder: a checkout has its sources, an installed package has not. */
export const hasPackageFile = (path: string): boolean => existsSync(path);

export const readPackageText = (path: string | URL): string => readFileSync(path, 'utf8');

/** Paths of all files and folders below a shipped folder, relative to it, in the order of their names. */
export const listPackageFiles = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.split('\\').join('/'))
    .toSorted();

/** Adds name, size and bytes of each matching file in a shipped folder, in the order of their names. */
export function hashFolder(hash: Hash, folder: string, matches: RegExp): Hash {
  for (const name of listPackageFiles(folder).filter((one) => matches.test(one))) {
    const bytes = readFileSync(join(folder, name));
    hash.update(`${name}\n${bytes.length}\n`).update(bytes);
  }
  return hash;
}

/** Empties a folder of build outputs. */
export function emptyPackageFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}

/** Writes a build output as compressed JSON: a seventh of the size, and as fast to read. */
export function writePacked(path: string, value: unknown): void {
  writeFileSync(
    path,
    brotliCompressSync(JSON.stringify(value), {
      params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
    }),
  );
}

/** Reads a value that the build wrote; undefined if there is none. */
export function readPacked(path: string): unknown {
  try {
    return JSON.parse(brotliDecompressSync(readFileSync(path)).toString('utf8'));
  } catch {
    return undefined;
  }
}
