import { createHash } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CarrierspecError } from '../../model/problem.ts';
import { hashFolder } from '../../setup/hash-folder.ts';
import { packageRoot } from '../../setup/paths.ts';
import { digestFile } from '../../target/file-digest.ts';

/** Digest over the names and bytes of the compiled program, `dist/` and its `.js` files, in the order of their names. */
export function programDigest(): string {
  return `sha256:${hashFolder(createHash('sha256'), join(packageRoot, 'dist'), /\.js$/).digest('hex')}`;
}

/** Digest and size of a result file. Throws where it cannot be read. */
export function measureFile(file: string): { readonly digest: string; readonly bytes: number } {
  const digested = digestFile(file);
  if ('wrong' in digested) {
    throw new CarrierspecError(`${file} cannot be read: ${digested.wrong}`, {
      code: 'result-unreadable',
    });
  }
  return { digest: digested.sha256, bytes: statSync(file).size };
}

const placeOf = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
};

/** No file is written over one that is read, nor two to one place. */
export function requireApart(
  written: readonly { readonly flag: string; readonly path: string }[],
  read: readonly string[],
): void {
  const taken = new Set(read.map(placeOf));
  for (const { flag, path } of written) {
    const place = placeOf(path);
    if (taken.has(place)) {
      throw new CarrierspecError(`${flag}: ${path} is written or read by something else`, {
        code: 'bad-flag',
      });
    }
    taken.add(place);
  }
}
