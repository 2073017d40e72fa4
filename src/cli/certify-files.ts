import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { CarrierspecError } from '../model/problem.ts';
import { packageRoot } from '../rig/paths.ts';
import { digestFile } from '../target/file-digest.ts';
import { makeFolder } from './reports.ts';

/** Digest over the names and bytes of the compiled program, `dist/` and its `.js` files, in the order of their names. */
export function programDigest(): string {
  const folder = join(packageRoot, 'dist');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.split('\\').join('/'));
  const hash = createHash('sha256');
  for (const name of names.filter((one) => one.endsWith('.js')).toSorted()) {
    const bytes = readFileSync(join(folder, name));
    hash.update(`${name}\n${bytes.length}\n`).update(bytes);
  }
  return `sha256:${hash.digest('hex')}`;
}

/** Digest and size of a result file. Throws where it cannot be read. */
export function measureFile(file: string): { readonly digest: string; readonly bytes: number } {
  const digested = digestFile(file);
  if ('wrong' in digested) {
    throw new CarrierspecError(`${file} cannot be read: ${digested.wrong}`, {
      kind: 'usage',
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
        kind: 'usage',
        code: 'bad-flag',
      });
    }
    taken.add(place);
  }
}

/** Writes a file whole or not at all, behind a link too; a pipe or a device is written to as it is. */
export function writeWhole(path: string, text: string, flag: string): void {
  makeFolder(dirname(path), flag);
  const target = placeOf(path);
  const found = statSync(target, { throwIfNoEntry: false });
  const draft = found === undefined || found.isFile() ? `${target}.${process.pid}.tmp` : undefined;
  try {
    writeFileSync(draft ?? target, text);
    if (draft !== undefined) renameSync(draft, target);
  } catch (cause) {
    if (draft !== undefined) rmSync(draft, { force: true });
    const why = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    throw new CarrierspecError(`${flag}: ${path} cannot be written: ${why}`, {
      kind: 'usage',
      code: 'bad-flag',
      cause,
    });
  }
}
