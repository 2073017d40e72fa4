import { createHash, type Hash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { whyNot } from './errors.ts';

/** More than any photograph or export of a log. */
const mostBytes = 256 * 1024 * 1024;
const chunkBytes = 1024 * 1024;

export type Digested = { readonly sha256: string } | { readonly wrong: string };

function digestOpen(descriptor: number): Digested {
  const stat = fstatSync(descriptor);
  if (!stat.isFile()) return { wrong: stat.isDirectory() ? 'it is a folder' : 'it is no file' };
  if (stat.size > mostBytes) return { wrong: `it is larger than ${mostBytes / 1024 / 1024} MiB` };
  const hash = createHash('sha256');
  const bytes = Buffer.alloc(chunkBytes);
  let total = 0;
  for (let read = readSync(descriptor, bytes); read > 0; read = readSync(descriptor, bytes)) {
    total += read;
    // It grew while it was read.
    if (total > mostBytes) return { wrong: `it is larger than ${mostBytes / 1024 / 1024} MiB` };
    hash.update(bytes.subarray(0, read));
  }
  return { sha256: `sha256:${hash.digest('hex')}` };
}

/** SHA-256 of a file as `sha256:...`, or why there is none, in words; a pipe or a device is not waited for. */
export function digestFile(path: string): Digested {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    return digestOpen(descriptor);
  } catch (error) {
    return { wrong: whyNot('read', error) };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Adds the names, sizes and bytes of the files of a folder whose names match, in the order of their names. */
export function hashFolder(hash: Hash, folder: string, matches: RegExp): Hash {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.split('\\').join('/'));
  for (const name of names.filter((one) => matches.test(one)).toSorted()) {
    const bytes = readFileSync(join(folder, name));
    hash.update(`${name}\n${bytes.length}\n`).update(bytes);
  }
  return hash;
}
